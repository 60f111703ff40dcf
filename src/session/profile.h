/*
 * profile.h - what is known of an agent's program, as data.
 *
 * One file of data/agents for each program, named after it (claude.json), built into the
 * binary; default.json holds for all.  A directory named by RALPH_AGENTS is looked at
 * first.  All members are optional:
 *
 *   about            a remark
 *   not_interactive  with one of these arguments it is no program to talk to, and
 *                    nothing else of the file holds
 *   terminal         true: unless the user says otherwise it gets a terminal, where its prompt
 *                    is pasted; false or missing: pipes.  A file of the directory that has no
 *                    such member leaves this, and not_interactive for it, to the one built in
 *   ready            it takes text when a row of its screen matches one (Python regex)
 *   not_ready        but not while a row matches one of these: it asks something else first
 *   exit             what to type to make it leave
 *   clear            what to type to make it forget its conversation
 *   commands         directories of files NAME.md, each of which is its command /NAME: below
 *                    where it works, and the first whose variable is set ("$HOME/...")
 *   transcript       the file to which it writes its conversation, line by line as it goes:
 *     flag             names the conversation's id in its arguments
 *     unless           not with one of these arguments: then the id is not ours to choose
 *     paths            where it is: the first whose variable is set.  {id}, and {cwd} with
 *                      a '-' for whatever is neither letter nor digit
 *   says             what it says when a limit, its login or the bill stops it (watch/limit.h);
 *                    holds with not_interactive, too
 */
#ifndef SESSION_PROFILE_H
#define SESSION_PROFILE_H

#include "base/compiler.h"
#include "base/err.h"
#include "base/json.h"

struct profile {
	char **ready, **not_ready;
	bool known;	       /* by a file of its own: what shows that it is ready will show */
	char *exit;	       /* NULL: nothing is known */
	char *clear;	       /* the same */
	char **commands;       /* NULL: it has none that we know of */
	char *transcript_flag; /* NULL: there is none, or none we could find */
	char **transcript_paths;
};

/* How a command is connected when the user does not say. */
enum profile_use {
	PROFILE_UNKNOWN,  /* nothing is known of its program */
	PROFILE_TERMINAL, /* somebody talks to it, at a terminal */
	PROFILE_HEADLESS, /* such a program, with arguments that make it read a pipe */
};
enum profile_use profile_use(char *const *command);
/* Loads the profile for a command; a program without a file of its own has the default's.
 * Behind env, the profile's transcript does not hold: other variables may tell where the
 * transcript is. */
int profile_load(struct profile *p, char *const *command, struct err *err) NODISCARD;
void profile_release(struct profile *p);

/* Sets `out` to the "says" of the command's agent and of every agent, by which they tell that
 * something stops them: two objects, or fewer, and NULL.  The caller gives the references back
 * with profile_says_free. */
#define PROFILE_SAYS 3
int profile_says(
    char *const *command, const json_t *out[PROFILE_SAYS], struct err *err) NODISCARD;
void profile_says_free(const json_t *says[PROFILE_SAYS]);

/* The path that the transcript of a conversation will have, for an agent with that environment
 * in that directory; NULL when nothing tells. */
char *profile_transcript(
    const struct profile *p, char *const *env, const char *cwd, const char *id) NODISCARD;

/* Does an agent with that environment in that directory have a command of the user's, /NAME? */
bool profile_has_command(
    const struct profile *p, char *const *env, const char *cwd, const char *name);

/* The files built in; the last has no name. */
struct profile_file {
	const char *name; /* without ".json" */
	const char *text;
};
extern const struct profile_file profile_files[];

#endif
