/*
 * trust_inside.h - what trust.h and trust_guard.h are made of (private to this room).
 */
#ifndef GIT_TRUST_TRUST_INSIDE_H
#define GIT_TRUST_TRUST_INSIDE_H

#include "git/trust/trust.h"
#include "git/trust/trust_guard.h"
#include "git/trust/trust_place.h"
#include <errno.h>

#define TRUST_GIT "git "
#define TRUST_HOOK "hook "
#define TRUST_FILE "file "
#define TRUST_PROJECT_FILE ".tf/ralph/config.json"
#define HOOKS_REST "(more)" /* a fact about all hooks beyond those that are read */
#define HOOKS_PATH "core.hookspath"
#define ATTRIBUTES "info/attributes" /* a file that is a fact; no key of git's */
/* The version of the records.  A fact that an older record could not have is seen for the first
 * time. */
#define TRUST_VERSION 2

/* ---- trust_keys.c -------------------------------------------------------------------- */

/* How to disarm a setting that is not trusted. */
struct trust_key {
	const char *pattern; /* "filter.*.clean": the star is a subsection */
	const char *instead; /* a value that does nothing, or git's default */
	enum { KEY_REPLACED, KEY_FILTER, KEY_REFUSED, KEY_SEEN, KEY_ATTRIBUTES } how;
	int since; /* the version of records that has it */
};

struct trust_project_key {
	const char *name;
	int since;
};

/* Finds a setting by its name as git prints it; NULL: the setting may have any value. */
const struct trust_key *trust_key_find(const char *key);
/* The keys of a project's config.json that are facts; ends with a NULL. */
extern const struct trust_project_key trust_project_keys[];
/* The version of records that has facts of that name. */
int trust_since(const char *name);
/* For qsort: the worst kinds first, then by name. */
int trust_by_danger(const void *a, const void *b);

/* ---- trust_attributes.c -------------------------------------------------------------- */

/* Can the change of info/attributes from `before` to `now` change the work that lands? */
bool trust_attributes_matter(const char *before, const char *now, const json_t *record);

/* ---- trust_compare.c ----------------------------------------------------------------- */

/* Names and values may be any bytes; in JSON those that are no text are hexadecimal. */
json_t *trust_value(const char *bytes, size_t len) NODISCARD;
char *trust_name(const char *kind, const char *bytes) NODISCARD;
/* Turns the text of trust_value or trust_name back into bytes. */
void trust_bytes(const char *text, struct buf *out);

/* Lists of texts: trust_has looks for a text, trust_add adds it unless it is there. */
bool trust_has(const json_t *list, const char *text);
void trust_add(json_t *list, const char *text);
/* Adds the facts of a kind in a map to another one. */
void trust_take(json_t *into, json_t *map, const char *kind);
/* Removes the directories of the list `name` that do not exist any more, and their facts, from
 * the record.  `kind_of` returns the kind of a directory's facts, which trust_prune frees. */
void trust_prune(json_t *record, const char *name, char *kind_of(const char *dir));

/* The value of every key of a file that is there and cannot be read: agents may have written
 * whatever is found in that file later. */
#define TRUST_UNREADABLE "(the file cannot be read)"
bool trust_is_unreadable(const json_t *value);

/* The value of a fact in the record, as a person agreed to it and as it was seen last; NULL:
 * not there. */
json_t *trust_agreed(const json_t *record, const char *name);
json_t *trust_seen(const json_t *record, const char *name);
/* Brings the record up to date with the facts of one kind. agents: differences from what was
 * seen came from agents; otherwise from a person. */
void trust_compare(json_t *record, json_t *now, const char *kind, bool agents);
/* Was the record lost, and does nobody know what it said? */
bool trust_is_unseen(const json_t *record);
/* Has a person agreed to a filter of that name? */
bool trust_has_filter(const json_t *record, const char *name);

/* ---- trust_facts.c ------------------------------------------------------------------- */

/* Reads the settings of git at dir that name commands as facts, {NAME: VALUE}; and stamps the
 * files that they come from or might come from, unless `stamps` is NULL. */
int trust_settings_read(
    const char *dir, json_t *now, json_t *stamps, struct err *err) NODISCARD;

/* Call before the file is read: a later write then has another stamp. */
void trust_stamp_put(json_t *stamps, const char *path);
/* Do all files look as the record has them? */
bool trust_is_fresh(const json_t *record);
/* Reads everything and brings the record up to date. */
int trust_scan(json_t *record, bool agents, struct err *err) NODISCARD;
/* The place that the record is about; the caller frees it. */
char *trust_where(const json_t *record) NODISCARD;
/* The main work tree of a repository; of a bare one, itself. */
char *trust_top(const char *place) NODISCARD;
/* The directory of hooks that a person agreed to, for a work tree; NULL: there is none. */
char *trust_hooks_dir(const json_t *record, const char *top) NODISCARD;
/* Reads the files of a directory of hooks as facts; their stamps, too, unless `stamps` is
 * NULL. */
void trust_hooks_read(const char *dir, json_t *now, json_t *stamps);

/* ---- trust_project.c ----------------------------------------------------------------- */

/* The facts of all projects of a record. */
void trust_projects_read(const json_t *record, json_t *now, json_t *stamps);
/* A loop begins at dir: makes dir a project of the record, and removes projects that are
 * gone. */
void trust_projects_see(json_t *record, const char *dir);

/* ---- trust_apart.c ------------------------------------------------------------------- */

/* Has a git directory settings of its own?  recorded: place, its repository, has a record. */
bool trust_is_apart(const char *own, const char *place, bool recorded);
/* Reads the settings that count in the work tree dir, whose git directory is `own`, as
 * facts. */
int trust_apart_read(const char *dir, const char *own, json_t *now, struct err *err) NODISCARD;
/* Brings the record up to date with the settings that trust_apart_read has read. */
void trust_apart_note(json_t *record, const char *own, json_t *now, bool agents);
/* Makes a record of what counts in that git directory. */
json_t *trust_apart_view(const json_t *record, const char *own) NODISCARD;
/* A loop begins or ends at dir: looks at its work tree and at the repositories within. */
void trust_aparts_see(json_t *record, const char *dir, bool agents);

/* ---- trust_kept.c -------------------------------------------------------------------- */

/* Has the repository whose common git directory `place` is a record in that home? */
bool trust_witness(const char *home, const char *place);
void trust_witness_make(const char *home, const char *place);

/* From now on this process remembers the record of `place`, in which `loop` is open. */
void trust_kept_begin(const char *place, const char *loop);
void trust_kept_end(void);
bool trust_kept_is(const char *place, const char *loop);
/* Remembers the record as it stands on the disk; ignores other places. */
void trust_kept_put(const char *place, const char *text);
/* The record as it is remembered; NULL: not known. */
json_t *trust_kept(const char *place) NODISCARD;
/* Could the record be the one that is remembered, as others changed it?  They leave the loop
 * open. */
bool trust_is_ours(const json_t *record, const char *place);

/* ---- trust_record.c ------------------------------------------------------------------ */

#define TRUST_LOST ENODATA /* the code of an error: a record is lost */

/* Does this process have a home with records? */
bool trust_records(void);
/* The place of the records that are about dir; NULL: nothing is recorded. */
char *trust_record_place(const char *dir) NODISCARD;
json_t *trust_record_new(const char *place, bool git) NODISCARD;
int trust_record_lock(const char *place, struct err *err) NODISCARD;
/* NULL with code 0: there is no record; with code TRUST_LOST: there should be one. */
json_t *trust_record_load(const char *place, struct err *err) NODISCARD;
/* Call these two under the lock.  As trust_record_load, but a record that is lost is made
 * anew. */
json_t *trust_record_have(const char *place, struct err *err) NODISCARD;
/* As trust_record_have, brought up to date. */
json_t *trust_record_update(const char *place, struct err *err) NODISCARD;
int trust_record_save(const json_t *record, struct err *err) NODISCARD;
/* Do changes count as the agents'?  Yes while a loop runs, and when nobody has looked since the
 * record was lost. */
bool trust_agents_run(const json_t *record);

/* The record of the repository around the work tree `top`.  NULL without a code: there is
 * none. */
json_t *trust_record_around(const char *top, struct err *err) NODISCARD;
/* Records new settings of a git directory of its own: `ralph trust` shows those of agents, and
 * those of a person count. */
void trust_apart_tell(const json_t *record, const char *own, json_t *now);
/* The record of a place, up to date.  NULL without a code: there is none. */
json_t *trust_record(const char *place, struct err *err) NODISCARD;
/* Our directory for copies of the hooks of a place; the caller frees it. */
char *trust_copies(const char *place) NODISCARD;

/* ---- trust.c ------------------------------------------------------------------------- */

/* Does this process run only what is recorded? */
bool trust_is_strict(void);

#endif
