/*
 * trust.h - the commands that git and our own configuration may run, as a person agreed to
 * them.
 *
 * Agents can write .git/config, hooks and .tf/ralph/config.json; we run the commands in these
 * files later, with our environment.  So everything that names a command is a fact, with a name
 * and a value:
 *
 *   git KEY          a setting of git's that names a command or changes what lands
 *                    (git/trust/trust_keys.c), from any file
 *   in DIR git KEY   the same, of a linked work tree or a repository within alone
 *   hook FILE        a file of the directory of hooks: its mode and its content
 *   file PATH KEY    a key of a project's config.json that names a command or changes a verdict
 *
 * A record per repository, in the state home, has the value that each of them had when a person
 * last agreed, and those that agents have changed since.  Rules:
 *
 * - What is there when a repository is seen for the first time is agreed to.
 * - What changes while no loop runs in the repository is a person's, and agreed to.
 * - What changes while one runs (an agent cannot be told from a person then) is not, and stays
 *   without effect, in later loops too, until `ralph trust`.
 * - A record that an agent removes or spoils is written again by the loop that lives.  When
 *   none does, a witness in the repository (git/trust/trust_kept.c) tells a record that is
 *   lost from one that never was, and nothing at all is agreed to then.
 *
 * The record says which loops run, and is on the disk before an agent starts: a crash in
 * between makes nothing look agreed to.  Files are read again only when their stamps (inode,
 * size, times) differ, so as a rule no process is needed.  Between that look and git's own
 * reading there is a moment in which an agent that still runs could write; only a sandbox
 * closes it.
 *
 * Nothing is recorded, and git runs as it finds things, until trust_home was called.
 */
#ifndef GIT_TRUST_TRUST_H
#define GIT_TRUST_TRUST_H

#include "base/buf.h"
#include "base/err.h"
#include "base/json.h"

/* Sets the directory of the records: an absolute path; the directory is made when it is
 * needed. */
void trust_home(const char *dir);

/* Call before the first agent of a loop that works at dir.  `lives` tells whether another loop
 * that called this before still runs.  From now on this process runs nothing that a repository
 * without a record names. */
int trust_begin(const char *dir, const char *loop, bool (*lives)(const char *loop),
    struct err *err) NODISCARD;
/* Call after the last agent of the loop.  -1: later changes still count as the loop's
 * agents'. */
int trust_end(const char *dir, const char *loop, struct err *err) NODISCARD;
/* The names of what is not trusted and was not reported by this process yet, the worst kinds
 * first; NULL: nothing new.  Looks at the record alone.  Free with strlist_free. */
char **trust_news(const char *dir) NODISCARD;

/* A sentence when trust_news or trust_list found that the record was lost, once; NULL: it was
 * not. */
const char *trust_loss(void);

/* Kinds of names, the worst first: what git runs by itself, what every file that lands goes
 * through, other commands, and what only changes verdicts and what lands. */
enum trust_kind { TRUST_IS_HOOK, TRUST_IS_FILTER, TRUST_IS_COMMAND, TRUST_IS_SETTING };
#define TRUST_KINDS (TRUST_IS_SETTING + 1)
enum trust_kind trust_kind(const char *name);

/* Lists what is not trusted at dir, as {NAME: {"trusted": VALUE|null, "now": VALUE|null}}; NULL
 * + err.  The object is empty when everything is trusted, or nothing is recorded. */
json_t *trust_list(const char *dir, struct err *err) NODISCARD;
/* Agrees to exactly what the list says. */
int trust_agree(const char *dir, json_t *list, struct err *err) NODISCARD;

/* `text` has the content of root/.tf/ralph/config.json, or nothing when the file is missing; it
 * becomes the content that counts. */
int trust_project(const char *root, struct buf *text, struct err *err) NODISCARD;

#endif
