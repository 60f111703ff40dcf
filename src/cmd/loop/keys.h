/*
 * keys.h - the keys of .tf/ralph/config.json, one row each.
 *
 * A row gives the member, the key, its environment variable, the words it may be, the least
 * number, the default (as JSON, or NULL: not set) and what it means.  Reading, checking,
 * environment and help are made from the rows; what they do to a loop is in config.c.
 *
 * T text, L list of texts, C count, M milliseconds (kept as ns), E one of some words (true and
 * false are words, too), F flag.
 *      K(type, member, key, environment, choices, least, default, help)
 */
#ifndef CMD_LOOP_KEYS_H
#define CMD_LOOP_KEYS_H

#include "base/buf.h"
#include "base/err.h"

#define CONFIG_FILE ".tf/ralph/config.json"
/* What these mean is done in this process; only other texts are run. */
#define DEFAULT_TICKET_QUERY "tk ready | head -1 | awk '{print $1}'"
#define DEFAULT_COMPLETION_CHECK "tk ready | grep -q ."

/* The keys that the original has. */
#define ORIGINAL_KEYS(K)                                                                       \
	K(C, max_iterations, "maxIterations", NULL, NULL, 1, "50", "tickets to start at most") \
	K(C, attempts, "maxIterationsPerTicket", NULL, NULL, 1, "1",                           \
	    "attempts at one ticket in a run, the first included")                             \
	K(T, ticket_query, "ticketQuery", NULL, NULL, 0,                                       \
	    "\"tk ready | head -1 | awk '{print $1}'\"",                                       \
	    "prints ready tickets, first word of a line each; the default is answered "        \
	    "without running it")                                                              \
	K(T, completion_check, "completionCheck", NULL, NULL, 0, "\"tk ready | grep -q .\"",   \
	    "succeeds while there is work; the default is answered without running it")        \
	K(M, sleep_tickets, "sleepBetweenTickets", NULL, NULL, 0, "0",                         \
	    "wait after a ticket before the next one starts in its place")                     \
	K(M, sleep_retries, "sleepBetweenRetries", NULL, NULL, 0, "10000",                     \
	    "wait before asking again when the query printed nothing though there is work")    \
	K(T, workflow, "workflow", NULL, NULL, 0, "\"/tf\"",                                   \
	    "what pi is asked to do with a ticket")                                            \
	K(T, workflow_flags, "workflowFlags", NULL, NULL, 0, "\"--auto\"",                     \
	    "what follows the ticket there")                                                   \
	K(F, include_knowledge, "includeKnowledgeBase", NULL, NULL, 0, "true",                 \
	    "prompts of other workers than pi name the knowledge directory, if it is there")   \
	K(F, include_planning, "includePlanningDocs", NULL, NULL, 0, "true",                   \
	    "they name the planning documents in it, if there are any")                        \
	K(E, promise, "promiseOnComplete", NULL, "false|true|always", 0, "true",               \
	    "print <promise>COMPLETE</promise> when all is done (exit code 0); \"always\": "   \
	    "whenever the run is over, and progress.md says COMPLETE then")                    \
	K(C, lessons_max, "lessonsMaxCount", NULL, NULL, 1, "50",                              \
	    "lessons that AGENTS.md keeps, the newest")                                        \
	K(T, session_dir, "sessionDir", NULL, NULL, 0, NULL,                                   \
	    "where pi keeps its own sessions (pi --session-dir)")                              \
	K(F, session_per_ticket, "sessionPerTicket", NULL, NULL, 0, "true",                    \
	    "always true: every ticket has a session of its own")                              \
	K(C, parallel, "parallelWorkers", NULL, NULL, 1, "1", "sessions at once, at most 64")  \
	K(F, use_worktrees, "useWorktrees", NULL, NULL, 0, "true",                             \
	    "each ticket in a git worktree of its own, where there is git")                    \
	K(T, worktrees_dir, "parallelWorktreesDir", NULL, NULL, 0, "\".tf/ralph/worktrees\"",  \
	    "where those are made")                                                            \
	K(F, allow_untagged, "parallelAllowUntagged", NULL, NULL, 0, "false",                  \
	    "true: one ticket without components at a time, beside others; see untagged")      \
	K(F, serial_worktree, "serialUseWorktree", NULL, NULL, 0, "true",                      \
	    "false: no worktrees while parallelWorkers is 1")                                  \
	K(T, component_prefix, "componentTagPrefix", NULL, NULL, 0, "\"component:\"",          \
	    "tags that begin with it name components")                                         \
	K(F, keep_worktrees, "parallelKeepWorktrees", NULL, NULL, 0, "false",                  \
	    "do not remove the worktrees of tickets that are done")                            \
	K(F, auto_merge, "parallelAutoMerge", NULL, NULL, 0, "true",                           \
	    "false: work is committed to its branch and stays in its worktree, unmerged")      \
	K(M, dispatch_timeout, "parallelDispatchTimeoutMs",                                    \
	    "RALPH_PARALLEL_DISPATCH_TIMEOUT_MS", NULL, 0, NULL,                               \
	    "another name of attemptTimeoutMs, which wins")                                    \
	K(M, attempt_timeout, "attemptTimeoutMs", "RALPH_ATTEMPT_TIMEOUT_MS", NULL, 0,         \
	    "1800000", "end an agent that works longer on a ticket; 0: never")                 \
	K(C, max_restarts, "maxRestarts", "RALPH_MAX_RESTARTS", NULL, 0, NULL,                 \
	    "attempts after a timeout, at most maxIterationsPerTicket in all where that is "   \
	    "set")                                                                             \
	K(F, backoff, "timeoutBackoffEnabled", NULL, NULL, 0, "false",                         \
	    "give every further attempt at a ticket more time")                                \
	K(M, backoff_step, "timeoutBackoffIncrementMs", NULL, NULL, 0, "150000",               \
	    "so much more each")                                                               \
	K(M, backoff_max, "timeoutBackoffMaxMs", NULL, NULL, 0, "0",                           \
	    "but no more than this in all; 0: no limit")                                       \
	K(E, backend, "executionBackend", NULL, "dispatch|subprocess|interactive", 0, NULL,    \
	    "interactive: agents get a terminal; the other two both mean pipes")               \
	K(F, shell_enabled, "interactiveShell.enabled", NULL, NULL, 0, "true",                 \
	    "false: pipes, whatever its mode")                                                 \
	K(E, shell_mode, "interactiveShell.mode", NULL, "dispatch|interactive", 0, NULL,       \
	    "as executionBackend, which wins")                                                 \
	K(M, session_ttl, "sessionTtlMs", NULL, NULL, 1, "604800000",                          \
	    "how long dispatch-sessions.json remembers sessions that are over")                \
	K(E, log_level, "logLevel", "RALPH_LOG_LEVEL", "quiet|normal|verbose|debug", 0,        \
	    "\"normal\"", "how much is said on stderr; pi is told the same")                   \
	K(F, capture_json, "captureJson", "RALPH_CAPTURE_JSON", NULL, 0, "false",              \
	    "pi writes JSON events (pi --mode json)")

/* Ours. */
#define OWN_KEYS(K)                                                                            \
	K(E, worktree, "worktree", NULL, "auto|always|never", 0, NULL,                         \
	    "always: refuse to run without git; useWorktrees gives auto or never")             \
	K(E, untagged, "untagged", NULL, "free|one|exclusive", 0, NULL,                        \
	    "what a ticket without components may run beside: anything, tagged ones, "         \
	    "nothing; free in worktrees and exclusive without unless set")                     \
	K(E, success, "success", NULL, "evidence|closed|exit", 0, "\"evidence\"",              \
	    "what exit status 0 needs besides: closed or promised, closed, nothing")           \
	K(L, retry_on, "retryOn", NULL, NULL, 0, NULL,                                         \
	    "the causes that get another attempt: exit, timeout, not-closed, verify, "         \
	    "conflict; all unless set")                                                        \
	K(F, fail_fast, "failFast", NULL, NULL, 0, "false",                                    \
	    "start nothing more once a ticket has failed")                                     \
	K(L, worker, "worker", NULL, NULL, 0, NULL,                                            \
	    "the agent's program and arguments, {ticket} {title} {file} {worktree} {attempt} " \
	    "filled in; pi unless set")                                                        \
	K(T, prompt, "prompt", NULL, NULL, 0, NULL,                                            \
	    "a file with the prompt, filled in the same way; the ticket's text unless set")    \
	K(L, env, "env", NULL, NULL, 0, NULL, "K=V for the agents' environment")               \
	K(M, idle_timeout, "idleTimeoutMs", NULL, NULL, 0, "0",                                \
	    "end an agent whose screen stands still for so long; 0: never")                    \
	K(M, grace, "graceMs", NULL, NULL, 1, "10000",                                         \
	    "between SIGTERM and SIGKILL of an agent")                                         \
	K(M, max_runtime, "maxRuntimeMs", NULL, NULL, 0, "0",                                  \
	    "end the whole run after so long; 0: never")                                       \
	K(T, tickets_dir, "ticketsDir", NULL, NULL, 0, NULL,                                   \
	    "the directory of the tickets; as tk finds it unless set")                         \
	K(T, base, "base", NULL, NULL, 0, NULL,                                                \
	    "the branch that work starts from and lands on; the one that is checked out "      \
	    "unless set")                                                                      \
	K(T, setup, "setup", NULL, NULL, 0, NULL, "a shell command for every new worktree")    \
	K(M, setup_timeout, "setupTimeoutMs", NULL, NULL, 1, "1800000",                        \
	    "how long setup may take; the ticket has failed then")                             \
	K(L, copy, "copy", NULL, NULL, 0, "[\".env\"]",                                        \
	    "untracked files that every new worktree gets a copy of")                          \
	K(L, drop, "drop", NULL, NULL, 0, "[\".tf/ralph\"]", "paths whose changes never land") \
	K(T, verify, "verify", NULL, NULL, 0, NULL,                                            \
	    "a shell command that must succeed on the merged result before it lands")          \
	K(M, verify_timeout, "verifyTimeoutMs", NULL, NULL, 1, "1800000",                      \
	    "how long verify may take; the ticket has failed then")                            \
	K(T, merge_message, "mergeMessage", NULL, NULL, 0, "\"Merge ralph/{ticket}\"",         \
	    "of a landing, {ticket} and {title} filled in")                                    \
	K(F, commit_leftovers, "commitLeftovers", NULL, NULL, 0, "true",                       \
	    "commit what an agent left uncommitted")                                           \
	K(F, keep_branches, "keepBranches", NULL, NULL, 0, "false",                            \
	    "do not delete branches that were merged")                                         \
	K(E, progress_format, "progressFormat", NULL, "blocks|list", 0, "\"blocks\"",          \
	    "how progress.md tells what was done")                                             \
	K(T, on_alert, "onAlert", NULL, NULL, 0, NULL, "a shell command for every alert")

#define KEYS(K) ORIGINAL_KEYS(K) OWN_KEYS(K)

enum key {
#define K(type, member, name, env, choices, least, dflt, help) KEY_##member,
	KEYS(K)
#undef K
	    KEY_COUNT
};

/* Who said it last; the later ones win. */
enum key_origin { FROM_NOWHERE, FROM_DEFAULT, FROM_FILE, FROM_ENVIRONMENT };

/* The words of promiseOnComplete. */
enum promise_when { PROMISE_NEVER, PROMISE_COMPLETE, PROMISE_ALWAYS };

struct key_values {
#define KEY_TYPE_T char *
#define KEY_TYPE_L char **
#define KEY_TYPE_C int64_t
#define KEY_TYPE_M int64_t
#define KEY_TYPE_E int
#define KEY_TYPE_F bool
#define K(type, member, name, env, choices, least, dflt, help) KEY_TYPE_##type member;
	KEYS(K)
#undef K
	unsigned char origin[KEY_COUNT];
};

void keys_release(struct key_values *v);
void keys_defaults(struct key_values *v);
/* The content of the file.  Errors name the file and the key. */
int keys_read(const char *text, size_t len, struct key_values *v, struct err *err) NODISCARD;
/* The environment.  Errors name the variable and the key. */
int keys_environment(struct key_values *v, struct err *err) NODISCARD;
/* A list of all keys: name, default, meaning. */
void keys_describe(struct buf *out);
/* Did the project or its user say something about it? */
static inline bool
key_given(const struct key_values *v, enum key k)
{
	return v->origin[k] >= FROM_FILE;
}

#endif
