/*
 * todo_file.h - todo.md: the tasks in it, in order, and what is odd about it.
 *
 * The parser reads the file like this:
 *   - A section is a heading of any level and all below it up to the next of its level or
 *     above.  Names are compared without case; Active = In progress, Delayed = Blocked =
 *     Waiting, Done = Complete = Completed.
 *   - The tasks that count are those of the section that is asked for, "Claude Tasks" when
 *     none is; where there is no such section, those of the whole file.
 *   - Work is every open task, and every task in progress ([~], **WIP**), which an interrupted
 *     run left.  Tasks that a word skips, defers or blocks wait, and so do tasks below Delayed,
 *     unless that section was asked for by its name.  A ticked task is done in any section; so
 *     is **DONE** beside an open box, which is told.
 *   - Order: "Claude Tasks" by number, since its writers put the newest on top; everything
 *     else as it stands in the file.
 *   - These lines are no tasks: lines without an id, or with a box that is none, such as "- []"
 *     or "-[ ]" (told; nobody works on them, but a list with an open one is not complete), and
 *     lines in fenced code, in HTML comments, below "Change History".  A fence or comment that
 *     is never closed does not count as one (told): it must not swallow tasks.
 *   - Two lines of one number are refused, and the error names both: done and committed tasks
 *     are known by their ids.  Two lines that are both done are only told.
 */
#ifndef WORK_TODO_TODO_FILE_H
#define WORK_TODO_TODO_FILE_H

#include "base/err.h"
#include "work/todo/todo_line.h"

#define TODO_MAX ((size_t)64 << 20)

enum todo_section {
	TODO_SECTION_OTHER,
	TODO_SECTION_BACKLOG,
	TODO_SECTION_ACTIVE,
	TODO_SECTION_DELAYED,
	TODO_SECTION_DONE,
	TODO_SECTION_CLAUDE,
	TODO_SECTION_HISTORY,
};

/* Small, since there may be very many. */
struct todo_task {
	struct todo_line line;
	uint32_t lineno; /* from 1 */
	enum todo_section section : 8;
	enum todo_state state : 8;
	bool counts; /* the task is in the section that was asked for */
};

/* Some lines: the first few by number. */
#define TODO_LINES_TOLD 5
struct todo_lines {
	size_t n;
	size_t first[TODO_LINES_TOLD];
};

struct todo_file {
	struct todo_task *tasks; /* all of them, as they stand in the file */
	size_t n;
	size_t *work; /* the candidates: indexes of tasks, first to do first */
	size_t nwork;
	bool whole;		    /* the section is not there: all tasks count */
	struct todo_lines nameless; /* lines that count and are open, but have no id */
	struct todo_lines boxless;  /* lines that count and are open, but have no box */
	struct buf notes;	    /* remarks for the user, a line each */
};

/* Parses any bytes.  The result points into `data`, which must stay.  `section`: NULL or "" for
 * the default. */
void todo_file_parse(struct todo_file *out, const char *data, size_t len, const char *section);
/* -1 + err, code EEXIST: an id that two lines have. */
int todo_file_check(struct todo_file *f, struct err *err) NODISCARD;
void todo_file_release(struct todo_file *f);
/* Finds a task by number, so that T7 is T007; NULL. */
const struct todo_task *todo_file_find(const struct todo_file *f, const char *id);
/* Appends what is left though it is no work, and why: "T003 is blocked (no key), ..., line 7 is
 * open and has no id ..., line 9 looks like a task, ..."; returns how many there are.  *aside
 * of them somebody has deferred or skipped. */
size_t todo_file_left(const struct todo_file *f, struct buf *out, size_t *aside);

#endif
