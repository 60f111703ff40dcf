/*
 * trusts.h - what trust.h is made of (private to this room).
 */
#ifndef GIT_TRUST_TRUSTS_H
#define GIT_TRUST_TRUSTS_H

#include "git/trust/trust.h"

#define TRUST_GIT "git "
#define TRUST_HOOK "hook "
#define TRUST_FILE "file "
#define TRUST_PROJECT_FILE ".tf/ralph/config.json"
#define HOOKS_REST "(more)" /* those beyond what is read, together; no file of ours */
#define HOOKS_PATH "core.hookspath"
#define ATTRIBUTES "info/attributes" /* a file, and no key that git could have */
/* Of the records.  What an older one could not have is seen for the first time. */
#define TRUST_VERSION 2

/* ---------------------------------------------------------- trust_keys.c */

/* What is done about a setting that is not trusted and was not there before. */
struct trust_key {
	const char *pattern; /* "filter.*.clean": the star is a subsection */
	const char *instead; /* a value that does nothing, or what git does without one */
	enum { KEY_REPLACED, KEY_FILTER, KEY_REFUSED, KEY_SEEN, KEY_ATTRIBUTES } how;
	int since; /* the version of records that has it */
};

struct trust_project_key {
	const char *name;
	int since;
};

/* Of a setting, as git prints its name; NULL: it may be anything. */
const struct trust_key *trust_key_find(const char *key);
/* The keys of a project's config.json that are facts; ends with a NULL. */
extern const struct trust_project_key trust_project_keys[];
/* The version of records that has facts of that name. */
int trust_since(const char *name);
/* For qsort: the worst kinds first, then by name. */
int trust_by_danger(const void *a, const void *b);

/* --------------------------------------------------- trust_attributes.c */

/* May the work that lands be another after such a change of info/attributes? */
bool trust_attributes_matter(const char *before, const char *now, const json_t *record);

/* ------------------------------------------------------- trust_compare.c */

/* Names and values may be any bytes; in JSON those that are no text are hexadecimal. */
json_t *trust_value(const char *bytes, size_t len) NODISCARD;
char *trust_name(const char *kind, const char *bytes) NODISCARD;
/* The bytes of what trust_value or trust_name made of them. */
void trust_bytes(const char *text, struct buf *out);

/* Lists of texts. */
bool trust_has(const json_t *list, const char *text);
void trust_add(json_t *list, const char *text);
/* Facts of a kind, out of a map of them. */
void trust_drop(json_t *map, const char *kind);
/* A directory of the list `name` that is no more is no part of the record; `kind_of` has the
 * kind that its facts are of (the caller of it frees that). */
void trust_prune(json_t *record, const char *name, char *kind_of(const char *dir));

/* The value of every key of a file that is there and cannot be read: whatever is found in it
 * later, agents may have written it. */
#define TRUST_UNREADABLE "(the file cannot be read)"
bool trust_is_unreadable(const json_t *value);

/* What the record says of a fact; NULL: not there.  As it was agreed to, and as it was seen. */
json_t *trust_agreed(const json_t *record, const char *name);
json_t *trust_seen(const json_t *record, const char *name);
/* Brings the record up to date with the facts of one kind.  agents: what differs from what was
 * seen came from them; otherwise from a person. */
void trust_compare(json_t *record, json_t *now, const char *kind, bool agents);
/* Was it lost, and nobody knows what it said? */
bool trust_is_unseen(const json_t *record);
/* Has a person agreed to a filter of that name? */
bool trust_has_filter(const json_t *record, const char *name);

/* --------------------------------------------------------- trust_facts.c */

/* The settings of git at dir that name commands, "KEY\nVALUE" each as of git's list; and the
 * files they come from or might come from. */
struct trust_settings {
	char **list;
	char **files;
};

void trust_settings_release(struct trust_settings *s);
int trust_settings_read(const char *dir, struct trust_settings *s, struct err *err) NODISCARD;

/* The same as facts, {NAME: VALUE}. */
int trust_settings_map(const char *dir, json_t *now, struct err *err) NODISCARD;

/* What a file looks like from outside; "" when it was changed so lately that another change
 * might look the same.  The caller frees it. */
char *trust_stamp(const char *path) NODISCARD;
/* Before the file is read: what is written later looks different. */
void trust_stamp_put(json_t *stamps, const char *path);
/* Do all files look as the record has them? */
bool trust_is_fresh(const json_t *record);
/* Reads everything and brings the record up to date. */
int trust_scan(json_t *record, bool agents, struct err *err) NODISCARD;
/* The place that the record is about. */
char *trust_where(const json_t *record) NODISCARD;
/* The main work tree of a repository; of a bare one, itself. */
char *trust_top(const char *place) NODISCARD;
/* The directory of hooks that a person agreed to, for a work tree; NULL: there is none. */
char *trust_hooks_dir(const json_t *record, const char *top) NODISCARD;
/* Its files as facts; their stamps too when there is room for them. */
void trust_hooks_read(const char *dir, json_t *now, json_t *stamps);

/* ------------------------------------------------------- trust_project.c */

/* The facts of all projects of a record. */
void trust_projects_read(const json_t *record, json_t *now, json_t *stamps);
/* A loop begins at dir: that is a project from now on, and what is gone is none. */
void trust_projects_see(json_t *record, const char *dir);

/* --------------------------------------------------------- trust_apart.c */

/* Has a git directory settings of its own?  recorded: place, its repository, has a record. */
bool trust_is_apart(const char *own, const char *place, bool recorded);
/* The settings at a work tree whose git directory that is, as facts of git's. */
int trust_apart_read(const char *dir, const char *own, json_t *now, struct err *err) NODISCARD;
/* Brings the record up to date with them. */
void trust_apart_note(json_t *record, const char *own, json_t *now, bool agents);
/* A record of what counts there. */
json_t *trust_apart_view(const json_t *record, const char *own) NODISCARD;
/* A loop begins or ends at dir: looks at its work tree and at the repositories within. */
void trust_aparts_see(json_t *record, const char *dir, bool agents);

/* --------------------------------------------------------- trust_place.c */

/* The common directory of the repository around dir, without git; dir itself where there is
 * none.  *git: which. */
char *trust_place(const char *dir, bool *git) NODISCARD;
/* The git directory of the work tree around dir, and that tree; NULL: none. */
char *trust_git_dir(const char *dir) NODISCARD;
char *trust_tree(const char *dir) NODISCARD;
bool trust_is_git_dir(const char *dir);

/* ---------------------------------------------------------- trust_kept.c */

/* Has the repository whose common git directory `place` is a record in that home? */
bool trust_witness(const char *home, const char *place);
void trust_witness_make(const char *home, const char *place);

/* From now on this process remembers the record of `place`, in which `loop` is open. */
void trust_kept_begin(const char *place, const char *loop);
void trust_kept_end(void);
bool trust_kept_is(const char *place, const char *loop);
/* As it stands on the disk; of other places nothing is kept. */
void trust_kept_put(const char *place, const char *text);
/* As it was; NULL: not known. */
json_t *trust_kept(const char *place) NODISCARD;
/* Could the record be the one that is remembered, as others changed it?  They leave the loop
 * open. */
bool trust_is_ours(const json_t *record, const char *place);

/* --------------------------------------------------------------- trust.c */

/* The record of the repository around the work tree `top`.  NULL without a code: there is none.
 */
json_t *trust_record_around(const char *top, struct err *err) NODISCARD;
/* A git directory of its own has settings that are new: those of agents `ralph trust` is to
 * show, and those of a person count. */
void trust_apart_tell(const json_t *record, const char *own, json_t *now);
/* The record of that place, up to date.  NULL without a code: there is none. */
json_t *trust_record(const char *place, struct err *err) NODISCARD;
/* Does this process run only what is recorded? */
bool trust_is_strict(void);
/* A directory of ours for that place, for copies of hooks. */
char *trust_copies(const char *place) NODISCARD;

/* --------------------------------------------------------- trust_guard.c */

/* What makes one run of git mind the record. */
struct guard {
	char **env;	/* "K=V" */
	char **filters; /* that are not to run: git refuses what they apply to */
};

#define GUARD_INIT         \
	{                  \
		NULL, NULL \
	}

void guard_release(struct guard *g);
/* within: dir is the top of a repository within another's work tree.  -1: git must not be run
 * there at all. */
int guard_open(const char *dir, bool within, struct guard *g, struct err *err) NODISCARD;
/* Does the sentence come from such a filter?  Then it says what to do. */
void guard_explain(const struct guard *g, struct err *err);
/* Is there a file among those that differ between two commits which such a filter is for, by
 * the attributes in a work tree?  Its content went through another one, or none.  -1: there is.
 */
int guard_commits(const char *dir, const char *from, const char *to, struct err *err) NODISCARD;
/* The directory of hooks to run in a work tree; NULL: as git finds it.  *others: those in place
 * are not they.  -1 with code EPERM: they cannot be had any more. */
int guard_hooks(const char *top, char **dir, bool *others, struct err *err) NODISCARD;

#endif
