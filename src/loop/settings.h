/*
 * settings.h - everything a user can ask of a loop, written once.
 *
 * A row is one setting: its type, its member of struct settings, which is also its name in
 * spec.json, and its meaning.  The order of the rows is that of spec.json.  Each kind of loop
 * lists the options (ROW_* of base/opts.h) and the keys (work/tickets/keys.h) by which a user
 * sets a setting: those rows name the same members, and store into them.
 *
 *      X(type, member, meaning)
 *
 * T text, L list of texts, C count, S span, B size, E one of the words CHOICES_member, F flag.
 * Spans are ns and 0 is "off"; sizes are bytes; counts use -1 for "unlimited".  Texts and lists
 * belong to the struct (settings_release, in record/spec.c, frees them).
 */
#ifndef LOOP_SETTINGS_H
#define LOOP_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#define UNLIMITED (-1)

/* Settings of every kind of loop, and of those that have a prompt. */
#define PROMPT_SETTINGS(X)                                                              \
	X(T, prompt_file, "the file with the prompt, read anew for every iteration")    \
	X(C, max_iterations, "how many agents are started at most")                     \
	X(T, name, "the loop's name")                                                   \
	X(T, done_pattern, "the loop ends when what an agent writes matches")           \
	X(S, inactivity_timeout, "how long the screen of an agent may stand still")     \
	X(S, stall_timeout, "how long an agent may do nothing but blink")               \
	X(S, iteration_timeout, "how long one agent may run")                           \
	X(S, max_runtime, "how long the whole loop may run")                            \
	X(C, max_failures, "how many failures in a row end the loop")                   \
	X(S, delay, "the pause between iterations")                                     \
	X(S, grace, "how long an agent has between SIGTERM and SIGKILL")                \
	X(T, prompt_via, "how the agent gets the prompt: stdin, paste, arg, flag:NAME") \
	X(T, cwd, "the directory in which the agent works")                             \
	X(T, on_alert, "a shell command that is run for every alert")                   \
	X(C, keep_sessions, "how many sessions stay on disk (loop/retention.h)")        \
	X(B, keep_bytes, "how much disk all sessions together may take")                \
	X(C, keep_days, "how many days a session stays on disk")                        \
	X(B, keep_free, "old sessions go when less than this is free on the disk")      \
	X(B, keep_output, "how much of the output of one agent stays on disk")          \
	X(T, prompt_command, "a shell command that prints the prompt")                  \
	X(S, prompt_timeout, "how long the prompt command may take")                    \
	X(S, term_wait, "how long SIGTERM lets the agent finish")                       \
	X(T, source, "where the work comes from: a name of loop/source_row.h")          \
	X(F, judged, "how the iterations went decides how the loop ends")               \
	X(L, outside, "where links of the project led out of it when the loop began")   \
	X(F, links_known, "`outside` has all links of the project that led out of it")  \
	X(T, story, "only tasks of this story of a graph are done")                     \
	X(L, command, "the agent's command")                                            \
	X(L, env, "variables of the agent's environment, K=V each")                     \
	X(E, mode, "how the session is connected")                                      \
	X(C, parallel, "how many sessions run at once")                                 \
	X(L, tags, "words a worker is found by")                                        \
	X(L, ready_patterns, "the agent is ready when a row of its screen matches one") \
	X(F, tmux, "the session is shown in a tmux window")                             \
	X(T, tmux_session, "the tmux session in which the session's window is")         \
	X(T, tmux_socket, "the tmux server of the session's window (tmux -L)")          \
	X(T, worktree_path, "the worker's own git worktree")                            \
	X(T, worktree_branch, "the branch of the worker's worktree")                    \
	X(T, worktree_repo, "the repository of the worker's worktree")

/* Settings of a loop over tickets. */
#define TICKET_SETTINGS(X)                                                               \
	X(T, root, "the project: the directory that has .tf")                            \
	X(T, tickets, "the directory of the tickets")                                    \
	X(T, ticket_query, "a shell command that prints ready tickets; NULL: we look")   \
	X(T, completion_check, "a shell command that succeeds while there is work")      \
	X(T, component_prefix, "tags with this prefix name components")                  \
	X(E, untagged, "what tickets without components may run beside")                 \
	X(E, success, "what an agent that ends with 0 needs besides")                    \
	X(C, attempts, "how many attempts a ticket gets in a run")                       \
	X(L, retry_on, "the causes that get another attempt")                            \
	X(F, lands, "an ended session's work is judged and landed")                      \
	X(F, worktrees, "each ticket has a worktree of its own")                         \
	X(T, worktrees_dir, "the directory in which worktrees are made")                 \
	X(T, top, "the work tree of git that the project is in")                         \
	X(T, branch, "the branch that work lands on")                                    \
	X(L, copy, "files a new worktree gets a copy of")                                \
	X(L, drop, "paths whose changes never land")                                     \
	X(T, setup, "a shell command for a new worktree")                                \
	X(T, verify, "a shell command that must succeed on the merged result")           \
	X(S, setup_timeout, "how long setup may take; 0: 30m")                           \
	X(S, verify_timeout, "how long verify may take; 0: 30m")                         \
	X(T, postscript, "the text that every prompt ends with")                         \
	X(T, knowledge, "the directory in which agents leave close-summary.md")          \
	X(T, merge_message, "the message of a landing's commit")                         \
	X(F, leave_changes, "changes that an agent left uncommitted are not committed")  \
	X(F, keep_branches, "branches that were merged are kept")                        \
	X(F, keep_worktrees, "the worktrees of tickets that are done are kept")          \
	X(F, promise, "<promise>COMPLETE</promise> is printed when all is done")         \
	X(F, promise_always, "<promise>COMPLETE</promise> is printed whatever is done")  \
	X(S, timeout_step, "how much longer every further attempt at a ticket may take") \
	X(S, timeout_max, "how long an attempt may take at most; 0: no limit")           \
	X(C, lessons_max, "how many lessons AGENTS.md keeps")                            \
	X(E, progress, "the form of progress.md")                                        \
	X(S, look_again, "how long to wait when the query printed nothing despite work") \
	X(F, unmerged, "work stays in its worktree and branch")                          \
	X(T, run_id, "the id of the run of another program that this loop goes on with") \
	X(T, run_since, "when the run of another program began, as its state file says") \
	X(C, run_before, "how many tickets the run of another program had started")      \
	X(S, session_ttl, "how long dispatch-sessions.json remembers a session's end")

/* Settings of a loop that leads an agent through the tasks of todo.md in the project `root`. */
#define LEAD_SETTINGS(X)                                                                  \
	X(F, leads, "agents say how they are getting on, and are helped")                 \
	X(F, keeps, "one agent does one task after the other")                            \
	X(C, interventions, "how often the same question is answered")                    \
	X(C, nudges, "how often a silent agent is nudged")                                \
	X(T, todo_file, "the file with the tasks")                                        \
	X(T, section, "the section whose tasks are done")                                 \
	X(T, clear, "the text that clears the agent's context before a task; \"\": none") \
	X(E, commit, "whether the changes of a task are committed")                       \
	X(F, tracked, "the loop began in a git repository")                               \
	X(F, fresh, "each task is done by a new process")                                 \
	X(F, desktop, "screenshots are taken")                                            \
	X(T, help_command, "a shell command that answers the agent's questions")

#define SETTINGS(X)        \
	PROMPT_SETTINGS(X) \
	TICKET_SETTINGS(X) \
	LEAD_SETTINGS(X)

enum session_mode { MODE_PIPE, MODE_PTY };
#define CHOICES_mode "pipe|pty"
enum untagged { UNTAGGED_FREE, UNTAGGED_ONE, UNTAGGED_EXCLUSIVE };
#define CHOICES_untagged "free|one|exclusive"
enum success { SUCCESS_EVIDENCE, SUCCESS_CLOSED, SUCCESS_EXIT };
#define CHOICES_success "evidence|closed|exit"
enum progress_form { PROGRESS_BLOCKS, PROGRESS_LIST };
#define CHOICES_progress "blocks|list"
enum commit_when { COMMIT_AUTO, COMMIT_ASK, COMMIT_OFF };
#define CHOICES_commit "auto|ask|off"

/* How much of the sessions stays on disk where nobody says, in the words of the options. */
#define USUAL_keep_sessions "100"
#define USUAL_keep_bytes "10GiB"
#define USUAL_keep_days "unlimited"
#define USUAL_keep_free "512MiB"
#define USUAL_keep_output "1GiB"
#define KEEP_OUTPUT_LEAST (INT64_C(64) << 10)

/* --term-wait where nobody says. */
#define TERM_WAIT_USUAL (INT64_C(600) * 1000000000)

struct settings {
#define SETTING_TYPE_T char *
#define SETTING_TYPE_L char **
#define SETTING_TYPE_C int64_t
#define SETTING_TYPE_S int64_t
#define SETTING_TYPE_B int64_t
#define SETTING_TYPE_E int
#define SETTING_TYPE_F bool
#define X(type, member, meaning) SETTING_TYPE_##type member;
	SETTINGS(X)
#undef X
};

#endif
