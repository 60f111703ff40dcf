/*
 * todo_file.h - todo.md: the tasks in it, in order, and what is odd about it.
 *
 * Read like this:
 *   - A section is a heading of any level and all below it up to the next of its level or
 *     above.  Names are compared without case; Active = In progress, Delayed = Blocked =
 *     Waiting, Done = Complete = Completed.
 *   - The tasks that count are those of the section that is asked for, "Claude Tasks" when
 *     none is; where there is no such section, those of the whole file.
 *   - Work is what is open, and what is in progress ([~], **WIP**): of a run that was
 *     interrupted.  What is skipped, deferred or blocked by its word waits, and so does what is
 *     below Delayed, unless that section was asked for by its name.  A ticked box is done
 *     wherever it stands; so is **DONE** beside an open box, which is told.
 *   - Order: "Claude Tasks" by number, since its writers put the newest on top; everything
 *     else as it stands in the file.
 *   - No tasks are: lines without an id, or whose box is none, such as "- []" or "-[ ]" (told;
 *     nobody works on them, but a list that has an open one is not complete), in fenced code,
 *     in HTML comments, below "Change History".  A fence or comment that is never closed is
 *     none (told): it must not swallow tasks.
 *   - Two lines of one number are refused, with both lines: what is done and committed is
 *     known by its id.  Two that are both done are only told.
 */
#ifndef WORK_TODO_TODO_FILE_H
#define WORK_TODO_TODO_FILE_H

#include "base/err.h"
#include "work/todo/todo_line.h"

#define TODO_MAX ((size_t)64 << 20)
#define TODO_SECTION "Claude Tasks"

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
	bool counts; /* it is in the section that was asked for */
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
	struct todo_lines nameless; /* that count and are open, but have no id */
	struct todo_lines boxless;  /* the same, but have no box */
	struct buf notes;	    /* what the user should know, a line each */
};

/* Points into `data`, any bytes, which must stay.  `section`: NULL or "" for the default. */
void todo_file_parse(struct todo_file *out, const char *data, size_t len, const char *section);
/* -1 + err, code EEXIST: an id that two lines have. */
int todo_file_check(struct todo_file *f, struct err *err) NODISCARD;
void todo_file_release(struct todo_file *f);
/* By number, so that T7 is T007; NULL. */
const struct todo_task *todo_file_find(const struct todo_file *f, const char *id);
/* Appends what is left though it is no work, and why: "T003 is blocked (no key), ..., line 7 is
 * open and has no id ..., line 9 looks like a task, ..."; returns how many there are.  *aside
 * of them somebody has deferred or skipped. */
size_t todo_file_left(const struct todo_file *f, struct buf *out, size_t *aside);

#endif
