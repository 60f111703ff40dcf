/*
 * help.h - an answer for a worker that is stuck.
 *
 * ralph gathers what the project itself knows, by the kind of the question: names of files and
 * a short tree; lines of code and of the documents that steer (README, CONTRIBUTING, AGENTS.md
 * ...) with file and line; the screen and the places it names; the task's own words; manifests;
 * routes.  Or a command of the user answers: the command runs in root, gets the question as
 * JSON on stdin (task, line, description, question, kind, screen, root) and RALPH_TASK,
 * RALPH_QUESTION and RALPH_KIND in its environment, and its output is the answer.  When the
 * command fails, ralph gathers and says so.
 *
 * The repository is hostile until read: only regular files that git does not ignore (where
 * there is no git: a bounded walk without hidden files), never through links, the first 256 KiB
 * of each, nothing binary, all of it within 16 MiB and 10 s.  Never quoted: what we write
 * ourselves (ai/ralph, ai/logs, ai/task-meta.json), files that hold secrets by their name
 * (.env, keys, credentials ...), and lines that look like one.
 *
 * The reply is meant to be pasted: at most HELP_MAX bytes of printable UTF-8 without control
 * characters but newline and tab, and without anything that could be taken for a promise tag.
 *
 * help_gather waits for git and the command: it belongs into a job (base/process/job.h), which
 * also ends what a command leaves running.
 */
#ifndef WORK_TODO_HELP_HELP_H
#define WORK_TODO_HELP_HELP_H

#include "base/json.h"
#include "work/todo/question.h"

#define HELP_MAX ((size_t)16 * 1024)

/* Any text; NULL as "".  Strings are the caller's. */
struct help_question {
	const char *root; /* absolute: the project */
	const char *task; /* the task's id */
	const char *line; /* as it stands in the todo file */
	const char *description;
	const char *question;
	const char *screen; /* the screen of the worker's terminal */
	enum question_kind kind;
	const char *command;	 /* for /bin/sh; NULL: we gather */
	int64_t command_timeout; /* ns; 0: 10 min */
};

/* There is always an answer, with these texts: "reply"; "context", one line for a log: what the
 * reply is made of; "recommendation", one line for a log; and "failure", why the command did
 * not answer, when it did not.  A new reference. */
json_t *help_gather(const struct help_question *q) NODISCARD;

#endif
