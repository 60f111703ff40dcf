/*
 * profile.h - what is known of an agent's program, as data.
 *
 * One file of data/agents for each program, named after it (claude.json), built into the
 * binary; default.json holds for all.  A directory named by RALPH_AGENTS is looked at
 * first.  All members are optional:
 *
 *   about            a remark
 *   not_interactive  arguments: with one of them nobody can talk to the program, and nothing
 *                    else of the file holds
 *   terminal         true: unless the user says otherwise, the program gets a terminal, where
 *                    its prompt is pasted; false or missing: pipes.  Where a file of the
 *                    directory lacks this member, it and not_interactive are taken from the
 *                    file built in
 *   ready            Python regexes: the program takes text when a row of its screen matches
 *                    one
 *   not_ready        the same: but not while a row matches one of these, since the program
 *                    asks something else first
 *   exit             what to type to make the program leave
 *   clear            what to type to make the program forget its conversation
 *   commands         directories of files NAME.md, each of which is a command /NAME: those
 *                    below the directory where the agent works, and the first whose variable
 *                    is set ("$HOME/...")
 *   transcript       the file to which the program writes its conversation while it goes on:
 *     flag             the option that gives the conversation an id
 *     unless           arguments: with one of them the id is not ours to choose
 *     paths            where the file is: the first whose variable is set.  {id}, and {cwd}
 *                      with a '-' for whatever is neither letter nor digit
 *   says             what the program says when a limit, its login or the bill stops it
 *                    (watch/limit.h); holds with not_interactive, too
 */
#ifndef SESSION_PROFILE_H
#define SESSION_PROFILE_H

#include "base/compiler.h"
#include "base/err.h"
#include "base/json.h"

struct profile {
	char **ready, **not_ready;
	bool known;	 /* the profile has `ready` patterns, so readiness can be waited for */
	char *exit;	 /* NULL: nothing is known */
	char *clear;	 /* NULL: nothing is known */
	char **commands; /* NULL: no places of commands are known */
	char *transcript_flag; /* NULL: no transcript, or none that we could find */
	char **transcript_paths;
};

/* How a command is connected when the user does not say. */
enum profile_use {
	PROFILE_UNKNOWN,  /* nothing is known of the program */
	PROFILE_TERMINAL, /* an interactive program: people talk to it at a terminal */
	PROFILE_HEADLESS, /* an interactive program, with arguments that make it read a pipe */
};
enum profile_use profile_use(char *const *command);
/* Loads the profile for a command; a program without a file of its own has the default's.  For
 * a command that begins with env the transcript is left out: env may set the variables that
 * tell where the transcript is. */
int profile_load(struct profile *p, char *const *command, struct err *err) NODISCARD;
void profile_release(struct profile *p);

/* Sets `out` to the member `says` of the command's profile and of the default's: at most two
 * objects, then NULL.  The caller gives the references back with profile_says_free. */
#define PROFILE_SAYS 3
int profile_says(
    char *const *command, const json_t *out[PROFILE_SAYS], struct err *err) NODISCARD;
void profile_says_free(const json_t *says[PROFILE_SAYS]);

/* The path that the transcript of a conversation will have, for an agent with that environment
 * in that directory; NULL when nothing tells. */
char *profile_transcript_path(
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
