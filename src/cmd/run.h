/*
 * run.h - what `ralph run` and `ralph graph run` share: a loop with one agent at a time, under
 * a name that may be left out.
 */
#ifndef CMD_RUN_H
#define CMD_RUN_H

#include "cmd/cmd.h"
#include "loop/settings.h"

struct run_options {
	struct settings settings; /* first: cmd_release_settings frees it */
	char **env_files;
	bool pty, pipe;
	bool detach, json, quiet;
	bool failures_ok; /* graph run */
};

/* Checks the options that both have; `pipe`: the agent would be connected by pipes. */
int run_check(struct run_options *o, bool pipe, struct err *err) NODISCARD;
/* Runs the loop; one without a name gets one of this place and kind.  Returns the exit code. */
int run_loop(struct run_options *o, const char *place, const char *kind);
/* Releases options whose first member is a struct settings. */
void cmd_release_settings(void *opts);

#endif
