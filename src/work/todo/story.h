/*
 * story.h - what happened to the tasks of a todo list so far: a fold of facts.
 *
 * The story is fed with every fact of the journal, those of earlier lives first (story_fact).
 * The views (views/todo.h) and the last words are made from it.  A story of zero bytes is
 * empty.
 */
#ifndef WORK_TODO_STORY_H
#define WORK_TODO_STORY_H

#include "loop/loop.h"

struct story_commit {
	char task[TASK_ID_MAX];
	char hash[32];
	int64_t at;
};

/* A task that could not be completed, and why. */
struct story_left {
	char task[TASK_ID_MAX];
	char why[TEXT_MAX];
};

struct story_question {
	char task[TASK_ID_MAX];
	char text[TEXT_MAX];
	char key[20];
	int64_t n;
	int64_t at; /* the last time, wall clock */
};

/* The lack of the last attempt at a task, in the words that the agent was told or would have
 * been told. */
struct story_lack {
	char task[TASK_ID_MAX];
	enum tell what; /* REMINDER or UNVERIFIED; NOTHING: none */
	char text[TEXT_MAX];
};

/* The turn that is under way, or was last. */
struct story_turn {
	char task[TASK_ID_MAX];
	char title[TITLE_MAX];
	char session[SESSION_ID_MAX];
	int64_t iteration;
	int64_t duration;
	char notes[TEXT_MAX];
	bool over;
};

struct story {
	int64_t started, last; /* wall clock */
	struct story_turn turn;
	char **completed, **stuck;
	struct story_commit *commits;
	size_t ncommits;
	struct story_left *left;
	size_t nleft;
	struct story_question *questions;
	size_t nquestions;
	struct story_lack lack;
};

void story_release(struct story *s); /* the story is empty then */
void story_fact(struct story *s, const struct fact *f);

/* Finds a question about a task; NULL: it was never asked. */
const struct story_question *story_question(
    const struct story *s, const char *task, const char *text);

#endif
