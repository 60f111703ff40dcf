/*
 * landing.h - a repository, the plan of a run in it, and one ticket at a time.
 */
#ifndef LANDING_H
#define LANDING_H

#include "git/landing/landing.h"
#include "repo.h"

static struct land_plan plan;
static struct land_ticket ticket;
static struct land_result result;
static char plan_top[512], plan_dir[512];
static char place[512]; /* the worktree that was prepared last */

static inline int
landing_setup(void **state)
{
	static char progress[] = ".tf/ralph";
	static char *drop[] = {progress, NULL};

	if (repo_setup(state) < 0)
		return -1;
	snprintf(plan_top, sizeof(plan_top), "%s/repo", scratch.path);
	snprintf(plan_dir, sizeof(plan_dir), "%s/repo/.tf/ralph/worktrees", scratch.path);
	plan = (struct land_plan){
	    .top = plan_top, .branch = "main", .dir = plan_dir, .drop = drop};
	ticket = (struct land_ticket){
	    .id = "t-1", .title = "A title", .session = "wise-fox", .attempt = 1};
	result = (struct land_result){.outcome = LAND_NOTHING};
	return 0;
}

static inline int
landing_teardown(void **state)
{
	land_result_release(&result);
	return repo_teardown(state);
}

#define landing_test(fn) cmocka_unit_test_setup_teardown(fn, landing_setup, landing_teardown)

typedef int (*land_fn)(
    const struct land_plan *, const struct land_ticket *, struct land_result *, struct err *);

static inline void
step(land_fn fn, const char *id, enum land_outcome expected)
{
	ticket.id = id;
	land_result_release(&result);
	if (fn(&plan, &ticket, &result, &err) < 0)
		fail_msg("%s: %s", id, err.text);
	if (result.outcome != expected)
		fail_msg("%s is %s: %s", id, land_outcome_name(result.outcome),
		    result.text ? result.text : "");
	if (expected == LAND_PREPARED)
		snprintf(place, sizeof(place), "%s", result.path);
}

#define prepare(id) step(land_prepare, id, LAND_PREPARED)
#define merge(id) step(land_merge, id, LAND_MERGED)
#define save(id) step(land_save, id, LAND_SAVED)

static inline void
assert_fails(land_fn fn, const char *id, const char *text)
{
	ticket.id = id;
	land_result_release(&result);
	assert_int_equal(fn(&plan, &ticket, &result, &err), -1);
	if (!strstr(err.text, text))
		fail_msg("\"%s\" does not say \"%s\"", err.text, text);
}

static inline void
assert_says(const char *text)
{
	if (!result.text || !strstr(result.text, text))
		fail_msg(
		    "\"%s\" does not say \"%s\"", result.text ? result.text : "(null)", text);
}

static inline void
publish(enum land_outcome expected)
{
	land_result_release(&result);
	if (land_publish(&plan, &result, &err) < 0)
		fail_msg("%s", err.text);
	assert_int_equal(result.outcome, expected);
}

/* As an agent in its worktree. */
#define agent(script) sh("cd '%s'\n%s", place, script)

/* Nothing of any ticket is left but what has landed, and nobody's tree is disturbed. */
static inline void
assert_tidy(void)
{
	assert_shell("", "cd repo; git branch --list 'ralph/*'; git status --porcelain -uno; "
			 "git for-each-ref refs/ralph/land");
	assert_shell("1", "git -C repo worktree list | wc -l");
	assert_shell("", "grep -L '\"past\"' repo/.git/ralph/tickets/notes/* 2>/dev/null || :; "
			 "ls -d repo/.git/worktrees 2>/dev/null || :; "
			 "find . -name MERGE_HEAD -o -name '*.lock' -size +0 -o -name "
			 "'ralph-index*'");
	assert_shell("", "git -C repo fsck --no-dangling 2>&1");
}

#endif
