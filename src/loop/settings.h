/*
 * settings.h - everything a user can ask of a loop, written once.
 *
 * A row is one setting: its type, its member of struct settings, which is also its name in
 * spec.json, its meaning, which is the help of its option and key, and by name whatever columns
 * of struct setting (loops/settings.h) it has besides: its option and the commands that have
 * it, its key in config.json, defaults.  Members, spec.json, parsing, help, completion and the
 * manual follow.  A row without an option and a key is no wish of a user's; the program sets
 * it.
 *
 *      X(type, member, meaning, .column = ...)
 *
 * The order of the groups in SETTINGS is that of spec.json, the order within a group also that
 * of the help.
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

/* The iterations of every loop. */
#define ITERATION_SETTINGS(X)                                                                  \
	X(T, prompt_file, "the prompt; read anew for every iteration",                         \
	    OPTION(OF_RUN | OF_SPAWN, "prompt-file"), .arg = "FILE")                           \
	X(C, max_iterations, "how many agents to start at most, or \"unlimited\"",             \
	    OPTION(OF_ALL, "max-iterations"), .flags = OPT_UNLIMITED,                          \
	    KEY("maxIterations", "50"), .key_help = "tickets to start at most",                \
	    .but = {{OF_LOOP, .help = "how many tickets to start at most, or \"unlimited\"",   \
			.dflt = "50"},                                                         \
		{OF_TODO, .help = "how many tasks to start at most"},                          \
		{OF_GRAPH | OF_TODO, .usual = "unlimited"}})                                   \
	X(T, name, "the loop's name for status, pause, attach and the rest",                   \
	    OPTION(OF_ALL, "name"), .arg = "NAME",                                             \
	    .but = {{OF_ALL & ~OF_SPAWN, .dflt = "from the directory"}})                       \
	X(T, done_pattern, "stop when what the agent writes matches (Python regex syntax)",    \
	    OPTION(OF_RUN | OF_SPAWN, "done-pattern"), .arg = "REGEX")                         \
	X(S, inactivity_timeout, "end an agent whose screen has not changed for so long",      \
	    OPTION(OF_ALL & ~OF_LOOP, "inactivity-timeout"),                                   \
	    .dflt = "60s with a terminal, off with pipes", KEY("idleTimeoutMs", "0"),          \
	    .key_flags = KEY_OFF,                                                              \
	    .but = {{OF_TODO, .help = "nudge a worker that has been silent for so long",       \
		.dflt = "5m"}})                                                                \
	X(S, stall_timeout,                                                                    \
	    "end an agent that only blinks: spinner and clock move, nothing else",             \
	    OPTION(OF_RUN | OF_SPAWN | OF_GRAPH, "stall-timeout"), .dflt = "off")              \
	X(S, iteration_timeout,                                                                \
	    "end an agent that works longer than this; counts as a failure",                   \
	    OPTION(OF_ALL, "iteration-timeout"), .dflt = "off",                                \
	    KEY("attemptTimeoutMs", "1800000"), .env = "RALPH_ATTEMPT_TIMEOUT_MS",             \
	    .key_flags = KEY_OFF, .but = {{OF_LOOP, .name = "timeout", .dflt = "30m"}})        \
	X(S, max_runtime, "end the whole loop after so long",                                  \
	    OPTION(OF_ALL & ~OF_LOOP, "max-runtime"), .dflt = "off", KEY("maxRuntimeMs", "0"), \
	    .key_flags = KEY_OFF)                                                              \
	X(C, max_failures, "stop after so many failures in a row",                             \
	    OPTION(OF_ALL & ~OF_LOOP, "max-failures"), .usual = "5", .flags = OPT_UNLIMITED,   \
	    .but = {{OF_GRAPH, .usual = "unlimited"},                                          \
		{OF_TODO, .help = "stop after so many workers have died in a row",             \
		    .usual = "3"}})                                                            \
	X(S, delay, "pause between iterations", OPTION(OF_RUN | OF_SPAWN | OF_GRAPH, "delay"), \
	    .dflt = "0", .flags = OPT_ZERO, KEY("sleepBetweenTickets", "0"),                   \
	    .key_flags = KEY_ZERO,                                                             \
	    .key_help = "wait after a ticket before the next one starts in its place",         \
	    .but = {{OF_GRAPH, .usual = "2s"}})                                                \
	X(S, grace, "how long an agent has between SIGTERM and SIGKILL",                       \
	    OPTION(OF_ALL, "grace"), .usual = "10s", KEY("graceMs", "10000"))                  \
	X(T, prompt_via, "how the agent gets the prompt: stdin, paste, arg or flag:NAME",      \
	    OPTION(OF_RUN | OF_SPAWN | OF_GRAPH, "prompt-via"), .arg = "HOW",                  \
	    .dflt = "stdin; paste for interactive claude with a terminal")                     \
	X(T, cwd, "where the agent works", OPTION(OF_RUN | OF_SPAWN | OF_GRAPH, "cwd"),        \
	    .arg = "DIR", .dflt = "the current directory",                                     \
	    .but = {{OF_GRAPH, .dflt = "where the graph is"}})                                 \
	X(T, on_alert,                                                                         \
	    "a shell command to run for every alert, with the event as JSON on stdin",         \
	    OPTION(OF_ALL, "on-alert"), .arg = "CMD", KEY("onAlert", NULL))

/* How much of the sessions stays on disk (loop/retention.h). */
#define KEEP_SETTINGS(X)                                                                       \
	X(C, keep_sessions,                                                                    \
	    "how many sessions (what agents were told and wrote) stay on disk; the oldest go " \
	    "first, the last two never",                                                       \
	    OPTION(OF_ALL, "keep-sessions"), .usual = USUAL_keep_sessions,                     \
	    .flags = OPT_UNLIMITED)                                                            \
	X(B, keep_bytes, "keep at most so much of all sessions together",                      \
	    OPTION(OF_ALL, "keep-bytes"), .usual = USUAL_keep_bytes, .flags = OPT_UNLIMITED)   \
	X(C, keep_days, "remove sessions that are older than so many days",                    \
	    OPTION(OF_ALL, "keep-days"), .usual = USUAL_keep_days, .flags = OPT_UNLIMITED)     \
	X(B, keep_free,                                                                        \
	    "remove old sessions when less than this is free on the disk of the state home; "  \
	    "0: never",                                                                        \
	    OPTION(OF_ALL, "keep-free"), .usual = USUAL_keep_free, .flags = OPT_ZERO)          \
	X(B, keep_output,                                                                      \
	    "how much of what one agent writes stays: its beginning and its end; 64KiB at "    \
	    "least",                                                                           \
	    OPTION(OF_ALL, "keep-output"), .usual = USUAL_keep_output)

/* Where the prompts come from, and how the loop ends. */
#define SOURCE_SETTINGS(X)                                                                  \
	X(T, prompt_command,                                                                \
	    "a shell command that prints the prompt, such as 'just prompt'; run for every " \
	    "iteration",                                                                    \
	    OPTION(OF_RUN | OF_GRAPH, "prompt-command"), .arg = "CMD")                      \
	X(S, prompt_timeout, "how long the prompt command may take",                        \
	    OPTION(OF_RUN | OF_GRAPH, "prompt-timeout"), .dflt = "2m",                      \
	    .but = {{OF_GRAPH, .usual = "2m"}})                                             \
	X(S, term_wait, "how long SIGTERM lets the agent finish before it is ended",        \
	    OPTION(OF_RUN, "term-wait"), .usual = USUAL_term_wait)                          \
	X(T, source, "where the work comes from: a name of loop/source_row.h")              \
	X(F, judged, "how the iterations went decides how the loop ends")                   \
	X(L, outside, "where links of the project led out of it when the loop began")       \
	X(F, links_known, "`outside` has all links of the project that led out of it")      \
	X(T, story, "only tasks of this story", OPTION(OF_GRAPH, "story"), .arg = "ID",     \
	    .dflt = "WORKTREE_STORY")

/* The agents, and where they are seen. */
#define AGENT_SETTINGS(X)                                                                     \
	X(L, command, "the agent's command")                                                  \
	X(L, env,                                                                             \
	    "an environment variable for the agent; K alone has the value that it has here, " \
	    "and no command line shows it; may be repeated",                                  \
	    OPTION(OF_ALL, "env"), .arg = "K[=V]", .flags = OPT_SECRET, KEY("env", NULL),     \
	    .key_help = "K=V for the agents' environment",                                    \
	    .but = {{OF_SPAWN, .arg = "K=V",                                                  \
		.help = "an environment variable for the agent; may be repeated"}})           \
	X(E, mode, "how the session is connected")                                            \
	X(C, parallel, "how many agents at once, at most 64", OPTION(OF_LOOP, "parallel"),    \
	    .dflt = "1", .max = LOOP_MAX_SESSIONS, KEY("parallelWorkers", "1"))               \
	X(L, tags, "a word to find the worker by; may be repeated", OPTION(OF_SPAWN, "tag"),  \
	    .arg = "T")                                                                       \
	X(L, ready_patterns,                                                                  \
	    "the agent is ready when a row of its screen matches; may be repeated",           \
	    OPTION(OF_SPAWN, "ready-pattern"), .arg = "REGEX",                                \
	    .dflt = "those of known agents")                                                  \
	X(F, tmux, "show the worker in a tmux window", OPTION(OF_SPAWN | OF_TODO, "tmux"))    \
	X(T, tmux_session, "the tmux session of the worker's window; implies --tmux",         \
	    OPTION(OF_SPAWN | OF_TODO, "session"), .arg = "S", .dflt = "swarm")               \
	X(T, tmux_socket, "another tmux server (tmux -L NAME); implies --tmux",               \
	    OPTION(OF_SPAWN | OF_TODO, "tmux-socket"), .arg = "NAME")                         \
	X(T, worktree_path, "the worker's own git worktree")                                  \
	X(T, worktree_branch, "the branch of the worker's worktree")                          \
	X(T, worktree_repo, "the repository of the worker's worktree")

/* Tickets and their landing. */
#define TICKET_SETTINGS(X)                                                                     \
	X(T, root, "the project: the directory that has .tf")                                  \
	X(T, tickets, "the directory of the tickets; as tk finds it unless set",               \
	    KEY("ticketsDir", NULL))                                                           \
	X(T, ticket_query,                                                                     \
	    "a shell command that prints ready tickets, each the first word of a line; the "   \
	    "default is answered without running it",                                          \
	    KEY("ticketQuery", "\"" USUAL_ticket_query "\""))                                  \
	X(T, completion_check,                                                                 \
	    "a shell command that succeeds while there is work; the default is answered "      \
	    "without running it",                                                              \
	    KEY("completionCheck", "\"" USUAL_completion_check "\""))                          \
	X(T, component_prefix, "tags that begin with it name components",                      \
	    KEY("componentTagPrefix", "\"component:\""))                                       \
	X(E, untagged,                                                                         \
	    "what tickets without components may run beside: anything, tagged ones, nothing",  \
	    OPTION(OF_LOOP, "untagged"), .dflt = "free in worktrees, exclusive without",       \
	    KEY("untagged", NULL))                                                             \
	X(E, success, "what exit status 0 needs besides: closed or promised, closed, nothing", \
	    KEY("success", "\"evidence\""))                                                    \
	X(C, attempts, "attempts at one ticket in a run, the first included",                  \
	    KEY("maxIterationsPerTicket", "1"))                                                \
	X(L, retry_on,                                                                         \
	    "the causes that get another attempt: exit, timeout, not-closed, verify, "         \
	    "conflict; all unless set",                                                        \
	    KEY("retryOn", NULL))                                                              \
	X(F, lands, "an ended session's work is judged and landed")                            \
	X(F, worktrees, "each ticket has a worktree of its own")                               \
	X(T, worktrees_dir, "the directory in which the worktrees are made",                   \
	    KEY("parallelWorktreesDir", "\".tf/ralph/worktrees\""))                            \
	X(T, top, "the work tree of git that the project is in")                               \
	X(T, branch, "the branch that work lands on")                                          \
	X(L, copy, "untracked files that every new worktree gets a copy of",                   \
	    KEY("copy", "[\".env\"]"))                                                         \
	X(L, drop, "paths whose changes never land", KEY("drop", "[\".tf/ralph\"]"))           \
	X(T, setup, "a shell command for every new worktree", KEY("setup", NULL))              \
	X(T, verify,                                                                           \
	    "a shell command that must succeed before a task counts as done; for tickets on "  \
	    "the merged result, before it lands",                                              \
	    OPTION(OF_LOOP | OF_TODO, "verify"), .arg = "CMD", KEY("verify", NULL))            \
	X(S, setup_timeout, "how long setup may take; the ticket has failed then",             \
	    KEY("setupTimeoutMs", "1800000"))                                                  \
	X(S, verify_timeout, "how long verify may take; the ticket has failed then",           \
	    KEY("verifyTimeoutMs", "1800000"))                                                 \
	X(T, postscript, "the text that every prompt ends with")                               \
	X(T, knowledge, "the directory in which agents leave close-summary.md")                \
	X(T, merge_message,                                                                    \
	    "the message of a landing's commit, {ticket} and {title} filled in",               \
	    KEY("mergeMessage", "\"Merge ralph/{ticket}\""))                                   \
	X(F, leave_changes, "commit what an agent left uncommitted",                           \
	    KEY("commitLeftovers", "true"), .key_flags = KEY_NOT)                              \
	X(F, keep_branches, "do not delete branches that were merged",                         \
	    KEY("keepBranches", "false"))                                                      \
	X(F, keep_worktrees, "do not remove the worktrees of tickets that are done",           \
	    KEY("parallelKeepWorktrees", "false"))                                             \
	X(F, promise, "<promise>COMPLETE</promise> is printed when all is done")               \
	X(F, promise_always, "<promise>COMPLETE</promise> is printed whatever is done")        \
	X(S, timeout_step,                                                                     \
	    "how much more time each further attempt gets, with timeoutBackoffEnabled",        \
	    KEY("timeoutBackoffIncrementMs", "150000"), .key_flags = KEY_ZERO)                 \
	X(S, timeout_max,                                                                      \
	    "the most time that an attempt gets, with timeoutBackoffEnabled; 0: no limit",     \
	    KEY("timeoutBackoffMaxMs", "0"), .key_flags = KEY_ZERO)                            \
	X(C, lessons_max, "lessons that AGENTS.md keeps, the newest",                          \
	    KEY("lessonsMaxCount", "50"))                                                      \
	X(E, progress, "how progress.md tells what was done",                                  \
	    KEY("progressFormat", "\"blocks\""))                                               \
	X(S, look_again,                                                                       \
	    "wait before asking again when the query printed nothing though there is work",    \
	    KEY("sleepBetweenRetries", "10000"), .key_flags = KEY_ZERO)                        \
	X(F, unmerged,                                                                         \
	    "false: work is committed to its branch and stays in its worktree, unmerged",      \
	    KEY("parallelAutoMerge", "true"), .key_flags = KEY_NOT)                            \
	X(T, run_id, "the id of the run of another program that this loop goes on with")       \
	X(T, run_since, "when the run of another program began, as its state file says")       \
	X(C, run_before, "how many tickets the run of another program had started")            \
	X(S, session_ttl, "how long dispatch-sessions.json remembers sessions that are over",  \
	    KEY("sessionTtlMs", "604800000"))

/* An agent that is led through the tasks of todo.md in the project `root`. */
#define LEAD_SETTINGS(X)                                                                       \
	X(F, leads, "agents say how they are getting on, and are helped")                      \
	X(F, keeps, "one agent does one task after the other")                                 \
	X(C, interventions, "answers to the same question before a task is marked as blocked", \
	    OPTION(OF_TODO, "max-interventions"), .dflt = "3")                                 \
	X(C, nudges, "nudges for a silent worker before it is replaced",                       \
	    OPTION(OF_TODO, "max-nudges"), .dflt = "3")                                        \
	X(T, todo_file, "the file with the tasks")                                             \
	X(T, section,                                                                          \
	    "the heading whose tasks are done; where there is none, those of the whole file",  \
	    OPTION(OF_TODO, "section"), .arg = "NAME", .dflt = USUAL_section)                  \
	X(T, clear,                                                                            \
	    "what is typed to clear the worker's context between tasks; empty: nothing",       \
	    OPTION(OF_TODO, "clear"), .arg = "TEXT", .dflt = "/clear")                         \
	X(E, commit, "whether to commit what a task changed", OPTION(OF_TODO, "commit"),       \
	    .dflt = "auto")                                                                    \
	X(F, tracked, "the loop began in a git repository")                                    \
	X(F, fresh,                                                                            \
	    "start a new process for every task, instead of clearing the worker's context",    \
	    OPTION(OF_TODO, "fresh"))                                                          \
	X(F, desktop, "take screenshots, if there is a display", OPTION(OF_TODO, "desktop"))   \
	X(T, help_command,                                                                     \
	    "a shell command that answers a worker's questions; gets them as JSON on stdin",   \
	    OPTION(OF_TODO, "help-command"), .arg = "CMD")

#define SETTINGS(X)           \
	ITERATION_SETTINGS(X) \
	KEEP_SETTINGS(X)      \
	SOURCE_SETTINGS(X)    \
	AGENT_SETTINGS(X)     \
	TICKET_SETTINGS(X)    \
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

/* Values where nobody says, in the words of the options. */
#define USUAL_keep_sessions "100"
#define USUAL_keep_bytes "10GiB"
#define USUAL_keep_days "unlimited"
#define USUAL_keep_free "512MiB"
#define USUAL_keep_output "1GiB"
#define USUAL_term_wait "10m"
/* Ready tickets, and whether there is work: these two are answered without running them. */
#define USUAL_ticket_query "tk ready | head -1 | awk '{print $1}'"
#define USUAL_completion_check "tk ready | grep -q ."
/* The heading of a todo list. */
#define USUAL_section "Claude Tasks"

#define KEEP_OUTPUT_LEAST (INT64_C(64) << 10)

struct settings {
#define SETTING_TYPE_T char *
#define SETTING_TYPE_L char **
#define SETTING_TYPE_C int64_t
#define SETTING_TYPE_S int64_t
#define SETTING_TYPE_B int64_t
#define SETTING_TYPE_E int
#define SETTING_TYPE_F bool
#define X(type, member, ...) SETTING_TYPE_##type member;
	SETTINGS(X)
#undef X
};

#endif
