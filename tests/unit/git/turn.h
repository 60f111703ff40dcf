/*
 * turn.h - a repository, and one task that changes something in it.
 */
#ifndef TURN_H
#define TURN_H

#include "git/turn/turn.h"
#include "repo.h"

static struct turn_spec turn;
static struct turn_words words;
static struct turn_result result;
static char turn_root[512], turn_file[512];

static inline int
turn_setup(void **state)
{
	static char state_dir[] = "ai/ralph/", meta[] = "ai/task-meta.json",
		    todo[] = "ai/todo.md";
	static char *except[] = {state_dir, meta, todo, NULL};

	/* Nobody pulls the plug, and the disk would take most of the time. */
	setenv("GIT_TEST_FSYNC", "0", 1);
	if (repo_setup(state) < 0)
		return -1;
	snprintf(turn_root, sizeof(turn_root), "%s/repo", scratch.path);
	snprintf(turn_file, sizeof(turn_file), "%s/T001.json", scratch.path);
	turn = (struct turn_spec){
	    .root = turn_root, .task = "T001", .file = turn_file, .except = except};
	words = (struct turn_words){"Add the thing. Test it too.", "Please add the thing"};
	result = (struct turn_result){.outcome = TURN_NOTHING};
	return 0;
}

static inline int
turn_teardown(void **state)
{
	turn_result_release(&result);
	return repo_teardown(state);
}

#define turn_test(fn) cmocka_unit_test_setup_teardown(fn, turn_setup, turn_teardown)

static inline void
begin(void)
{
	if (turn_begin(&turn, &err) < 0)
		fail_msg("%s", err.text);
}

static inline void
commit_ends(enum turn_outcome expected)
{
	turn_result_release(&result);
	if (turn_commit(&turn, &words, &result, &err) < 0)
		fail_msg("%s", err.text);
	if (result.outcome != expected)
		fail_msg("outcome %d: %s", (int)result.outcome, result.text ? result.text : "");
}

#define commit() commit_ends(TURN_COMMITTED)

/* The paths of the commit, one a line. */
static inline char *
paths_of(void)
{
	return shell("git -C '%s' diff-tree --root -r -z --no-commit-id --name-only "
		     "--no-renames %s | tr '\\0' '\\n'",
	    turn.root, result.commit);
}

#define assert_paths(expected)                         \
	do {                                           \
		AUTO_FREE char *paths_ = paths_of();   \
		assert_string_equal(paths_, expected); \
	} while (0)

static inline void
assert_left(const char *path, const char *why)
{
	for (size_t i = 0; i < result.nleft; i++)
		if (strcmp(result.left[i].path, path) == 0) {
			if (!strstr(result.left[i].why, why))
				fail_msg("%s: %s", path, result.left[i].why);
			return;
		}
	fail_msg("%s was not left", path);
}

static inline void
assert_text(const char *text)
{
	if (!result.text || !strstr(result.text, text))
		fail_msg(
		    "\"%s\" does not say \"%s\"", result.text ? result.text : "(null)", text);
}

/* Nothing of ours lies about. */
static inline void
assert_tidy(void)
{
	assert_shell("", "find . -name 'ralph-turn*' -o -name 'index.lock' -o -name HEAD.lock");
	assert_shell("", "git -C repo fsck --no-dangling 2>&1");
}

#endif
