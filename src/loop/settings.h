/*
 * settings.h - everything a user can ask of a loop, written once.
 *
 * One row per setting gives the struct member, the command-line option, its
 * help, its default and its name in spec.json.  Spans are ns and 0 is "off";
 * counts use -1 for "unlimited".  Strings and lists belong to the struct
 * (settings_release, in record/spec.c, frees them).
 *
 * Sizes are bytes.
 *
 * The rows are grouped: T text, L list, C count, S span, B size, E choice, F flag.
 *      X(type, field, option, argument, choices, flags, default, help)
 */
#ifndef LOOP_SETTINGS_H
#define LOOP_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#define UNLIMITED (-1)

enum session_mode { MODE_PIPE, MODE_PTY };

/* Settings that have an option of `ralph run`. */
#define RUN_SETTINGS(X)                                                                       \
	X(T, prompt_file, "prompt-file", "FILE", NULL, 0, NULL,                               \
	    "the prompt; read anew for every iteration")                                      \
	X(C, max_iterations, "max-iterations", "N", NULL, OPT_UNLIMITED, NULL,                \
	    "how many agents to start at most; \"unlimited\" to spell it out")                \
	X(T, name, "name", "NAME", NULL, 0, "from the directory",                             \
	    "the loop's name for status, pause, attach and the rest")                         \
	X(T, done_pattern, "done-pattern", "REGEX", NULL, 0, NULL,                            \
	    "stop when what the agent writes matches (Python regex syntax)")                  \
	X(S, inactivity_timeout, "inactivity-timeout", "S", NULL, 0,                          \
	    "60s with a terminal, off with pipes",                                            \
	    "restart an agent whose screen has not changed for so long")                      \
	X(S, stall_timeout, "stall-timeout", "DURATION", NULL, 0, "off",                      \
	    "restart an agent that only blinks: spinner and clock move, nothing else")        \
	X(S, iteration_timeout, "iteration-timeout", "DURATION", NULL, 0, "off",              \
	    "end an agent that runs longer than this; counts as a failure")                   \
	X(S, max_runtime, "max-runtime", "DURATION", NULL, 0, "off",                          \
	    "end the whole loop after so long")                                               \
	X(C, max_failures, "max-failures", "N", NULL, OPT_UNLIMITED, "5",                     \
	    "stop after so many failures in a row")                                           \
	X(S, delay, "delay", "S", NULL, OPT_ZERO, "0", "pause between iterations")            \
	X(S, grace, "grace", "DURATION", NULL, 0, "10s",                                      \
	    "how long an agent has between SIGTERM and SIGKILL")                              \
	X(T, prompt_via, "prompt-via", "HOW", NULL, 0, "stdin; paste for interactive claude", \
	    "how the agent gets the prompt: stdin, paste, arg or flag:NAME")                  \
	X(T, cwd, "cwd", "DIR", NULL, 0, "the current directory", "where the agent works")    \
	X(T, on_alert, "on-alert", "CMD", NULL, 0, NULL,                                      \
	    "shell command to run for every alert, with the event as JSON on stdin")

/* How much of a loop's sessions stays on disk (loop/retention.h): options of every kind of
 * loop. */
#define KEEP_SETTINGS(X)                                                                       \
	X(C, keep_sessions, "keep-sessions", "N", NULL, OPT_UNLIMITED, "100",                  \
	    "how many sessions (what agents were told and wrote) stay on disk; the oldest go " \
	    "first, the last two never")                                                       \
	X(B, keep_bytes, "keep-bytes", "SIZE", NULL, OPT_UNLIMITED, "10GiB",                   \
	    "how much disk they may take together")                                            \
	X(C, keep_days, "keep-days", "N", NULL, OPT_UNLIMITED, "unlimited",                    \
	    "how many days they stay")                                                         \
	X(B, keep_free, "keep-free", "SIZE", NULL, OPT_ZERO, "512MiB",                         \
	    "old ones go when less than this is free on the disk of the state home; 0: never") \
	X(B, keep_output, "keep-output", "SIZE", NULL, 0, "1GiB",                              \
	    "how much of what one agent writes stays: its beginning and its end; 64KiB at "    \
	    "least")

/* Where nobody says. */
#define KEEP_SESSIONS_USUAL INT64_C(100)
#define KEEP_BYTES_USUAL (INT64_C(10) << 30)
#define KEEP_DAYS_USUAL UNLIMITED
#define KEEP_FREE_USUAL (INT64_C(512) << 20)
#define KEEP_OUTPUT_USUAL (INT64_C(1) << 30)
#define KEEP_OUTPUT_LEAST (INT64_C(64) << 10)

/* --term-wait where nobody says. */
#define TERM_WAIT_USUAL (INT64_C(600) * 1000000000)

/* And those that only `ralph run` has. */
#define COMMAND_SETTINGS(X)                                                             \
	X(T, prompt_command, "prompt-command", "CMD", NULL, 0, NULL,                    \
	    "a shell command that prints the prompt, instead of a file; run for every " \
	    "iteration")                                                                \
	X(S, prompt_timeout, "prompt-timeout", "DURATION", NULL, 0, "2m",               \
	    "how long the prompt command may take")                                     \
	X(S, term_wait, "term-wait", "DURATION", NULL, 0, "10m",                        \
	    "how long SIGTERM lets the agent finish before it is ended")

/* Settings that come from elsewhere. */
#define OTHER_SETTINGS(X)                                                                \
	X(T, source, NULL, NULL, NULL, 0, NULL, "where the work comes from: \"prompt\"") \
	X(F, judged, NULL, NULL, NULL, 0, NULL,                                          \
	    "how the iterations went decides how the loop ends")                         \
	X(L, outside, NULL, NULL, NULL, 0, NULL,                                         \
	    "where links of the project led out of it when the loop began")              \
	X(F, links_known, NULL, NULL, NULL, 0, NULL, "those are all")                    \
	X(T, story, NULL, NULL, NULL, 0, NULL, "only tasks of this story of a graph")    \
	X(L, command, NULL, NULL, NULL, 0, NULL, "the agent's command")                  \
	X(L, env, NULL, NULL, NULL, 0, NULL, "K=V, variables of the agent")              \
	X(E, mode, NULL, NULL, "pipe|pty", 0, NULL, "how the session is connected")      \
	X(C, parallel, NULL, NULL, NULL, 0, NULL, "sessions at once")                    \
	X(L, tags, NULL, NULL, NULL, 0, NULL, "words a worker is found by")              \
	X(L, ready_patterns, NULL, NULL, NULL, 0, NULL,                                  \
	    "the agent is ready when a row of its screen matches one")                   \
	X(F, tmux, NULL, NULL, NULL, 0, NULL, "shown in a tmux window")                  \
	X(T, tmux_session, NULL, NULL, NULL, 0, NULL, "the tmux session of that window") \
	X(T, tmux_socket, NULL, NULL, NULL, 0, NULL, "tmux -L")                          \
	X(T, worktree_path, NULL, NULL, NULL, 0, NULL, "the worker's own git worktree")  \
	X(T, worktree_branch, NULL, NULL, NULL, 0, NULL, "and its branch")               \
	X(T, worktree_repo, NULL, NULL, NULL, 0, NULL, "and the repository it belongs to")

/* Settings of a loop over tickets.  Their options are those of `ralph loop`; their names in
 * .tf/ralph/config.json are in cmd/loop/config.c. */
#define TICKET_SETTINGS(X)                                                                     \
	X(T, root, NULL, NULL, NULL, 0, NULL, "the project: where .tf is")                     \
	X(T, tickets, NULL, NULL, NULL, 0, NULL, "the directory of the tickets")               \
	X(T, ticket_query, NULL, NULL, NULL, 0, NULL,                                          \
	    "a shell command that prints ready tickets, instead of our own look")              \
	X(T, completion_check, NULL, NULL, NULL, 0, NULL,                                      \
	    "a shell command that succeeds while there is work")                               \
	X(T, component_prefix, NULL, NULL, NULL, 0, NULL, "tags with it name components")      \
	X(E, untagged, NULL, NULL, "free|one|exclusive", 0, NULL,                              \
	    "what tickets without components may run beside")                                  \
	X(E, success, NULL, NULL, "evidence|closed|exit", 0, NULL,                             \
	    "what an agent that ends with 0 needs besides")                                    \
	X(C, attempts, NULL, NULL, NULL, 0, NULL, "per ticket in a run")                       \
	X(L, retry_on, NULL, NULL, NULL, 0, NULL, "the causes that get another attempt")       \
	X(F, lands, NULL, NULL, NULL, 0, NULL, "an ended session's work is judged and landed") \
	X(F, worktrees, NULL, NULL, NULL, 0, NULL, "each ticket in a worktree of its own")     \
	X(T, worktrees_dir, NULL, NULL, NULL, 0, NULL, "where they are made")                  \
	X(T, top, NULL, NULL, NULL, 0, NULL, "the work tree of git that the project is in")    \
	X(T, branch, NULL, NULL, NULL, 0, NULL, "the branch that work lands on")               \
	X(L, copy, NULL, NULL, NULL, 0, NULL, "files a new worktree gets a copy of")           \
	X(L, drop, NULL, NULL, NULL, 0, NULL, "paths whose changes never land")                \
	X(T, setup, NULL, NULL, NULL, 0, NULL, "a shell command for a new worktree")           \
	X(T, verify, NULL, NULL, NULL, 0, NULL,                                                \
	    "a shell command that must succeed on the merged result")                          \
	X(S, setup_timeout, NULL, NULL, NULL, 0, NULL, "how long setup may take; 0: 30m")      \
	X(S, verify_timeout, NULL, NULL, NULL, 0, NULL, "how long verify may take; 0: 30m")    \
	X(T, postscript, NULL, NULL, NULL, 0, NULL, "what every prompt ends with")             \
	X(T, knowledge, NULL, NULL, NULL, 0, NULL, "where agents leave close-summary.md")      \
	X(T, merge_message, NULL, NULL, NULL, 0, NULL, "of a landing")                         \
	X(F, leave_changes, NULL, NULL, NULL, 0, NULL, "do not commit what agents left over")  \
	X(F, keep_branches, NULL, NULL, NULL, 0, NULL, "also those that were merged")          \
	X(F, keep_worktrees, NULL, NULL, NULL, 0, NULL, "also of tickets that are done")       \
	X(F, promise, NULL, NULL, NULL, 0, NULL,                                               \
	    "say <promise>COMPLETE</promise> when all is done")                                \
	X(F, promise_always, NULL, NULL, NULL, 0, NULL, "also when it is not")                 \
	X(S, timeout_step, NULL, NULL, NULL, 0, NULL, "longer with every attempt")             \
	X(S, timeout_max, NULL, NULL, NULL, 0, NULL, "but never longer than this")             \
	X(C, lessons_max, NULL, NULL, NULL, 0, NULL, "how many lessons AGENTS.md keeps")       \
	X(E, progress, NULL, NULL, "blocks|list", 0, NULL, "the form of progress.md")          \
	X(S, look_again, NULL, NULL, NULL, 0, NULL,                                            \
	    "when the query printed nothing though there is work")                             \
	X(F, unmerged, NULL, NULL, NULL, 0, NULL, "work stays in its worktree and branch")     \
	X(T, run_id, NULL, NULL, NULL, 0, NULL,                                                \
	    "of another program's run that is gone on with")                                   \
	X(T, run_since, NULL, NULL, NULL, 0, NULL, "when that began, as its state file says")  \
	X(C, run_before, NULL, NULL, NULL, 0, NULL, "how many tickets it had started")         \
	X(S, session_ttl, NULL, NULL, NULL, 0, NULL,                                           \
	    "how long dispatch-sessions.json remembers what is over")

/* Settings of a loop that leads an agent through its tasks.  Their options are those of
 * `ralph todo`. */
#define LEAD_SETTINGS(X)                                                                 \
	X(F, leads, NULL, NULL, NULL, 0, NULL,                                           \
	    "agents say how they are getting on, and are helped")                        \
	X(F, keeps, NULL, NULL, NULL, 0, NULL, "one agent for one task after the other") \
	X(C, interventions, NULL, NULL, NULL, 0, NULL, "answers to the same question")   \
	X(C, nudges, NULL, NULL, NULL, 0, NULL, "for an agent that is silent")

/* And where those tasks come from: todo.md, in the project `root`. */
#define TODO_SETTINGS(X)                                                                 \
	X(T, todo_file, NULL, NULL, NULL, 0, NULL, "the file")                           \
	X(T, section, NULL, NULL, NULL, 0, NULL, "the section whose tasks are done")     \
	X(T, clear, NULL, NULL, NULL, 0, NULL,                                           \
	    "what clears the agent's context before a task; \"\": nothing does")         \
	X(E, commit, NULL, NULL, "auto|ask|off", 0, NULL, "what becomes of its changes") \
	X(F, tracked, NULL, NULL, NULL, 0, NULL, "it began in a git repository")         \
	X(F, fresh, NULL, NULL, NULL, 0, NULL, "each task in a new process")             \
	X(F, desktop, NULL, NULL, NULL, 0, NULL, "screenshots are taken")                \
	X(T, help_command, NULL, NULL, NULL, 0, NULL,                                    \
	    "a shell command that answers the agent's questions")

enum untagged { UNTAGGED_FREE, UNTAGGED_ONE, UNTAGGED_EXCLUSIVE };
enum success { SUCCESS_EVIDENCE, SUCCESS_CLOSED, SUCCESS_EXIT };
enum progress_form { PROGRESS_BLOCKS, PROGRESS_LIST };
enum commit_when { COMMIT_AUTO, COMMIT_ASK, COMMIT_OFF };

#define SETTINGS(X)         \
	RUN_SETTINGS(X)     \
	KEEP_SETTINGS(X)    \
	COMMAND_SETTINGS(X) \
	OTHER_SETTINGS(X)   \
	TICKET_SETTINGS(X)  \
	LEAD_SETTINGS(X)    \
	TODO_SETTINGS(X)

struct settings {
#define SETTING_TYPE_T char *
#define SETTING_TYPE_L char **
#define SETTING_TYPE_C int64_t
#define SETTING_TYPE_S int64_t
#define SETTING_TYPE_B int64_t
#define SETTING_TYPE_E int
#define SETTING_TYPE_F bool
#define X(type, field, opt, arg, choices, flags, dflt, help) SETTING_TYPE_##type field;
	SETTINGS(X)
#undef X
};

#endif
