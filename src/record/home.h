/*
 * home.h - the state home and what is where in it.
 *
 *   ~/.swarm                      RALPH_HOME, else SWARM_DIR, override
 *     loops/NAME/                 the truth of one loop
 *       lock                      held by its supervisor
 *       sock                      its control socket (loops/control.h)
 *       spec.json                 what was asked for (settings)
 *       journal.jsonl             what happened
 *       snapshot.json             the fold of the journal up to some line
 *       console.log               what a detached supervisor printed
 *       sessions/ID/              session/session.h
 *     names.lock                  held while a loop that nobody named gets a name
 *     turns/LIST/TASK             how the work tree was when a task began, until it is done
 *     trust/                      which commands of git's configuration a person agreed to
 *     archive/NAME.STAMP/         loops that were started over; their views in ralph/
 *     ralph/NAME/                 the seed's files (views): state.json, iterations.log
 */
#ifndef RECORD_HOME_H
#define RECORD_HOME_H

#include "base/err.h"

/* Commands in the home are run with the rights of its user.  So the home, loops, archive and
 * the directories in them are refused (EPERM) when they belong to another user, and so are a
 * loop's spec.json, journal.jsonl and snapshot.json (owner.h). */

/* Descriptor of the state home, made if missing (0700; but not $HOME itself).  Every
 * error names the path, and home_path() tells it. */
int home_open(struct err *err) NODISCARD;
/* Like home_open, but makes nothing: -1 with code ENOENT when there is no state home. */
int home_open_existing(struct err *err) NODISCARD;
const char *home_path(void);
/* The path where the state home is or would be, whether the home can be opened or not; NULL:
 * there is no such place. */
const char *home_locate(void);

/* loops/NAME: made if missing / must exist (code ENOENT: "no loop named 'x'"). */
int home_loop_create(int home, const char *name, struct err *err) NODISCARD;
int home_loop_open(int home, const char *name, struct err *err) NODISCARD;
/* Names of all loops, sorted; free with strlist_free. */
int home_loops(int home, char ***names, struct err *err) NODISCARD;
/* Moves loops/NAME (nobody runs it: the caller holds its lock) and ralph/NAME to the
 * archive.  Code ENOENT when there is no such loop. */
int home_archive(int home, const char *name, struct err *err) NODISCARD;
/* Archives the loop as home_archive does, then removes the archived files for good. */
int home_remove(int home, const char *name, struct err *err) NODISCARD;
/* Was home_archive killed when it had moved only the views?  The loop is still there. */
bool home_is_half_archived(int home, const char *name);
/* Moves the views of a half archived loop back; the caller holds the loop's lock. */
int home_unarchive_views(int home, const char *name, struct err *err) NODISCARD;
/* The bytes that loops/NAME and ralph/NAME take on disk. */
int64_t home_loop_bytes(int home, const char *name);

/* The earlier runs of that name in the archive, or with NULL of every name: entries like
 * "NAME.20240115T103000Z", oldest first for each name; free with strlist_free. */
int home_archived(int home, const char *name, char ***entries, struct err *err) NODISCARD;
/* The time when the entry was archived (wall clock); 0 when the entry does not say. */
int64_t home_archived_at(const char *entry);
/* Open the entry's directory; tell its size on disk; remove it for good. */
int home_archived_open(int home, const char *entry, struct err *err) NODISCARD;
int64_t home_archived_bytes(int home, const char *entry);
int home_archived_remove(int home, const char *entry, struct err *err) NODISCARD;
/* Takes the loop that was archived last under this name back; there is no such loop now.  Code
 * ENOENT when the archive has none. */
int home_restore(int home, const char *name, struct err *err) NODISCARD;

#endif
