/*
 * Claims: one place for all worktrees, owners that die, locks that are held, and many at once.
 */
#include "../base/scratch.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "base/lock.h"
#include "work/graph/graph_place.h"
#include <poll.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/wait.h>

static struct err err;

static void
put(const char *name, const char *text)
{
	AUTO_FREE char *path = xasprintf("%s/%s", scratch.path, name);
	AUTO_FREE char *dir = xstrdup(path);

	*strrchr(dir, '/') = '\0';
	assert_int_equal(fs_mkdirs(dir, &err), 0);
	assert_int_equal(fs_replace(AT_FDCWD, "x", text, strlen(text), FS_NOSYNC, &err), 0);
	assert_int_equal(rename("x", path), 0);
}

static char *
at(const char *name)
{
	return xasprintf("%s/%s", scratch.path, name);
}

/* A repository as git lays it out, with linked worktrees, without running git. */
static void
repository(int worktrees)
{
	put("main/.git/HEAD", "ref: refs/heads/main\n");
	for (int i = 1; i <= worktrees; i++) {
		AUTO_FREE char *link = xasprintf("w%d/.git", i);
		AUTO_FREE char *head = xasprintf("main/.git/worktrees/w%d/HEAD", i);
		AUTO_FREE char *common = xasprintf("main/.git/worktrees/w%d/commondir", i);
		AUTO_FREE char *target =
		    xasprintf("gitdir: %s/main/.git/worktrees/w%d\n", scratch.path, i);

		put(link, target);
		put(head, "ref: refs/heads/x\n");
		put(common, "../..\n");
	}
}

static struct claims *
opened(const char *name)
{
	AUTO_FREE char *root = at(name);
	struct claims *c = claims_open(root, CLAIMS_GRAPH, &err);

	if (c == NULL)
		fail_msg("%s", err.text);
	return c;
}

static void
locked(struct claims *c)
{
	if (claims_lock(c, NSEC_PER_SEC, &err) < 0)
		fail_msg("%s", err.text);
}

static int
enter(void **state)
{
	AUTO_FREE char *real = NULL;

	if (scratch_setup(state) < 0 || chdir(scratch.path) < 0)
		return -1;
	real = realpath(".", NULL);
	snprintf(scratch.path, sizeof(scratch.path), "%s", real);
	return 0;
}

/* Thousands of claims wait for the disk at every step; who gets them does not depend on it. */
static int
enter_memory(void **state)
{
	const char *tmp = getenv("TMPDIR");
	AUTO_FREE char *before = xstrdup(tmp != NULL ? tmp : "/tmp");
	int rc;

	if (access("/dev/shm", W_OK) == 0)
		setenv("TMPDIR", "/dev/shm", 1);
	rc = enter(state);
	setenv("TMPDIR", before, 1);
	return rc;
}

static int
leave(void **state)
{
	return chdir("/") < 0 ? -1 : scratch_teardown(state);
}

#define claims_test(fn) cmocka_unit_test_setup_teardown(fn, enter, leave)

/* ---- where they are ------------------------------------------------------------------ */

static void
assert_dir(const char *root, const char *dir, const char *top)
{
	struct claims *c = opened(root);
	AUTO_FREE char *below = xasprintf("%s/lock", dir);
	AUTO_FREE char *want_lock = at(below);
	AUTO_FREE char *want_top = at(top);

	assert_int_equal(access(want_lock, F_OK), -1);
	assert_int_equal(claims_lock(c, 0, NULL), 0);
	assert_int_equal(access(want_lock, F_OK), 0);
	claims_unlock(c);
	assert_int_equal(unlink(want_lock), 0);
	assert_string_equal(claims_worktree(c), want_top);
	claims_close(c);
}

static void
test_place(void **state UNUSED)
{
	repository(2);
	put("main/sub/task-graph.yaml", "nodes: []\n");
	put("w1/sub/x", "");
	put("plain/x", "");
	assert_dir("main", "main/.git/ralph/graph", "main");
	assert_dir("w1", "main/.git/ralph/graph", "w1");
	assert_dir("w2", "main/.git/ralph/graph", "w2");
	assert_dir("main/sub", "main/.git/ralph/graph-sub", "main");
	assert_dir("w1/sub", "main/.git/ralph/graph-sub", "w1");
	assert_dir("plain", "plain/.ralph/graph", "plain");
}

static void
test_odd_repositories(void **state UNUSED)
{
	/* Relative, as newer gits write it; a submodule, which has no commondir. */
	put("main/.git/HEAD", "x\n");
	put("main/.git/worktrees/r/HEAD", "x\n");
	put("main/.git/worktrees/r/commondir", "../..\r\n");
	put("r/.git", "gitdir: ../main/.git/worktrees/r\n");
	put("main/.git/modules/s/HEAD", "x\n");
	put("main/s/.git", "gitdir: ../.git/modules/s\n");
	/* No repository at all, which is then the one around it. */
	put("main/broken/.git", "what is this\n");
	put("main/empty/.git/x", "");
	assert_dir("r", "main/.git/ralph/graph", "r");
	assert_dir("main/s", "main/.git/modules/s/ralph/graph", "main/s");
	assert_dir("main/broken", "main/.git/ralph/graph-broken", "main");
	assert_dir("main/empty", "main/.git/ralph/graph-empty", "main");
}

/* ---- what they say ------------------------------------------------------------------- */

static void
test_life_of_a_claim(void **state UNUSED)
{
	struct claims *a, *b;

	repository(1);
	a = opened("main");
	b = opened("w1");
	assert_int_equal(claims_read(a, &err), 0);
	assert_int_equal(claims_count(a), 0);
	assert_int_equal(claims_claim(a, "T-1", getpid(), NULL, &err), CLAIM_CLAIMED);
	assert_int_equal(claims_claim(a, "T-2", getpid(), NULL, &err), CLAIM_CLAIMED);
	assert_int_equal(claims_beat(a, "T-2", 0, 0, &err), 0);

	locked(b);
	assert_int_equal(claims_count(b), 2);
	assert_true(claim_is_alive(claims_find(b, "T-1")));
	assert_false(claim_is_void(claims_find(b, "T-1")));
	assert_false(claim_is_alive(claims_find(b, "T-2")));
	assert_false(claim_is_void(claims_find(b, "T-2")));
	assert_string_equal(claims_find(b, "T-1")->worktree, claims_worktree(a));
	assert_int_equal(claims_done(b, "T-1", 0, CLAIM_FAILED, "it \"broke\"\n", &err), 0);
	assert_int_equal(claims_done(b, "T-2", 0, CLAIM_FREE, NULL, &err), 0);
	assert_int_equal(claims_done(b, "T-3", 0, CLAIM_FREE, NULL, &err), 0);
	assert_int_equal(claims_done(b, "T-3", 0, CLAIM_FAILED, "never began", &err), 0);
	claims_unlock(b);

	assert_int_equal(claims_read(a, &err), 0);
	assert_int_equal(claims_count(a), 1);
	assert_int_equal(claims_at(a, 0)->state, CLAIM_FAILED);
	assert_string_equal(claims_at(a, 0)->note, "it \"broke\"\n");
	assert_int_equal(claims_beat(a, "T-1", getpid(), 0, &err), 1);
	assert_int_equal(claims_done(a, "T-1", 0, CLAIM_COMPLETE, NULL, &err), 0);
	assert_int_equal(claims_at(a, 0)->state, CLAIM_COMPLETE);
	claims_close(a);
	claims_close(b);
}

static pid_t
somebody(void)
{
	pid_t pid = fork();

	if (pid == 0)
		for (;;)
			pause();
	return pid;
}

static void
gone(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static void
test_owners_that_died(void **state UNUSED)
{
	struct claims *c;
	pid_t pid = somebody();

	put("plain/x", "");
	c = opened("plain");
	assert_int_equal(claims_claim(c, "dead", pid, NULL, &err), CLAIM_CLAIMED);
	assert_int_equal(claims_claim(c, "failed", pid, NULL, &err), CLAIM_CLAIMED);
	assert_int_equal(claims_done(c, "failed", pid, CLAIM_FAILED, NULL, &err), 0);
	gone(pid);
	assert_int_equal(claims_read(c, &err), 0);
	assert_true(claim_is_void(claims_find(c, "dead")));
	assert_false(claim_is_void(claims_find(c, "failed")));
	claims_close(c);
}

/* Its number was given to another process: ours, which started at another time. */
static void
test_numbers_that_were_given_again(void **state UNUSED)
{
	AUTO_BUF line = BUF_INIT;
	char host[256] = "";
	struct proc_id self;
	struct claims *c;

	proc_id_self(&self);
	gethostname(host, sizeof(host) - 1);
	buf_addf(&line,
	    "{\"task\":\"t\",\"state\":\"claimed\",\"pid\":%d,\"start_time\":%llu,"
	    "\"boot_id\":\"%s\",\"host\":\"%s\",\"worktree\":\"/w\",\"since\":\"x\"}\n",
	    (int)self.pid, (unsigned long long)self.start_time - 1, self.boot_id, host);
	put("plain/.ralph/graph/claims.jsonl", line.data);
	c = opened("plain");
	assert_int_equal(claims_read(c, &err), 0);
	assert_true(claim_is_void(claims_at(c, 0)));
	claims_close(c);
}

/* One claim for a project in all worktrees, whoever asks second. */
static void
test_who_asks_second(void **state UNUSED)
{
	struct claims *a, *b, *other;
	pid_t owner = somebody(), agent = somebody();

	repository(2);
	put("main/sub/x", "");
	put("w1/sub/x", "");
	a = opened("main");
	b = opened("w1");
	other = opened("w1/sub");
	assert_int_equal(claims_claim(a, "T-1", owner, NULL, &err), CLAIM_CLAIMED);
	assert_int_equal(claims_claim(a, "T-1", owner, NULL, &err), CLAIM_CLAIMED);
	assert_int_equal(claims_claim(b, "T-1", getpid(), NULL, &err), CLAIM_REFUSED);
	assert_non_null(strstr(err.text, "T-1 is claimed: pid "));
	assert_non_null(strstr(err.text, claims_worktree(a)));
	assert_int_equal(claims_beat(b, "T-1", getpid(), 0, &err), 1);
	assert_int_equal(claims_done(b, "T-1", getpid(), CLAIM_FREE, NULL, &err), 0);
	assert_int_equal(claims_claim(b, "T-1", getpid(), NULL, &err), CLAIM_REFUSED);
	assert_int_equal(claims_claim(other, "T-1", getpid(), NULL, &err), CLAIM_CLAIMED);

	assert_int_equal(claims_beat(a, "T-1", owner, agent, &err), 0);
	gone(owner);
	assert_int_equal(claims_claim(b, "T-1", getpid(), NULL, &err), CLAIM_REFUSED);
	gone(agent);
	assert_int_equal(claims_claim(b, "T-1", getpid(), NULL, &err), CLAIM_CLAIMED);
	claims_close(a);
	claims_close(b);
	claims_close(other);
}

/* What its owner began before he died, and named to nobody, holds the lock. */
static void
test_who_holds_the_lock(void **state UNUSED)
{
	AUTO_FREE char *lock = at("session");
	pid_t owner = somebody(), agent;
	struct claims *c;
	int fd;

	repository(1);
	c = opened("main");
	assert_int_equal(claims_claim(c, "T-1", owner, lock, &err), CLAIM_CLAIMED);
	fd = lock_take(AT_FDCWD, lock, LOCK_INHERIT, "", &err);
	assert_true(fd >= 0);
	agent = somebody();
	close(fd);
	gone(owner);
	assert_int_equal(claims_claim(c, "T-1", getpid(), NULL, &err), CLAIM_REFUSED);
	/* Who comes back to it keeps that. */
	assert_int_equal(claims_beat(c, "T-1", getpid(), 0, &err), 0);
	assert_string_equal(claims_find(c, "T-1")->lock, lock);
	assert_int_equal(claims_done(c, "T-1", getpid(), CLAIM_FREE, NULL, &err), 0);
	owner = somebody();
	assert_int_equal(claims_claim(c, "T-1", owner, lock, &err), CLAIM_CLAIMED);
	gone(owner);
	assert_int_equal(claims_claim(c, "T-1", getpid(), NULL, &err), CLAIM_REFUSED);
	gone(agent);
	assert_int_equal(claims_claim(c, "T-1", getpid(), NULL, &err), CLAIM_CLAIMED);
	claims_close(c);
}

/* Nothing in it is absolute: the same where the repository lies elsewhere. */
static void
assert_key(const char *root, const char *list, const char *key)
{
	AUTO_FREE char *path = at(root);
	struct claims *c = claims_open(path, list, &err);

	assert_non_null(c);
	if (key != NULL)
		assert_string_equal(claims_key(c), key);
	else
		assert_null(claims_key(c));
	claims_close(c);
}

static void
test_keys(void **state UNUSED)
{
	repository(1);
	put("main/a/b/x", "");
	put("w1/a/b/x", "");
	put("plain/x", "");
	assert_key("main", CLAIMS_TICKETS, "tickets");
	assert_key("w1", CLAIMS_TICKETS, "tickets");
	assert_key("main/a", CLAIMS_TICKETS, "tickets-a");
	assert_key("w1/a", CLAIMS_TICKETS, "tickets-a");
	assert_key("w1/a/b", CLAIMS_TICKETS, "tickets-slug-48f71e94");
	assert_key("main/a", CLAIMS_GRAPH, "graph-a");
	assert_key("plain", CLAIMS_TICKETS, NULL);
}

static void
test_something_to_wait_on(void **state UNUSED)
{
	struct pollfd p = {.events = POLLIN};
	struct claims *a, *b;
	char events[4096];

	repository(1);
	a = opened("main");
	b = opened("w1");
	p.fd = claims_fd(b);
	assert_true(p.fd >= 0);
	assert_int_equal(poll(&p, 1, 0), 0);
	assert_int_equal(claims_claim(a, "T-1", getpid(), NULL, &err), CLAIM_CLAIMED);
	assert_int_equal(poll(&p, 1, 10000), 1);
	while (read(p.fd, events, sizeof(events)) > 0) {}
	assert_int_equal(claims_done(a, "T-1", getpid(), CLAIM_FREE, NULL, &err), 0);
	assert_int_equal(poll(&p, 1, 10000), 1);
	claims_close(a);
	claims_close(b);
}

/* Claims on tickets end with their processes, so nobody waits for the disk; a power cut may
 * make zeros of them. */
static void
test_zeros_after_a_power_cut(void **state UNUSED)
{
	AUTO_FREE char *root = NULL;
	struct claims *c;

	repository(1);
	put("main/.git/ralph/tickets/x", "");
	assert_int_equal(fs_replace(AT_FDCWD, "x", "\0\0\0\0", 4, FS_NOSYNC, &err), 0);
	assert_int_equal(rename("x", "main/.git/ralph/tickets/claims.jsonl"), 0);
	root = at("main");
	c = claims_open(root, CLAIMS_TICKETS, &err);
	assert_int_equal(claims_claim(c, "T-1", getpid(), NULL, &err), CLAIM_CLAIMED);
	assert_int_equal(claims_count(c), 1);
	claims_close(c);
}

/* A word on a ticket is for those who are at work, and for those who wait for them. */
static void
test_what_was_told(void **state UNUSED)
{
	AUTO_FREE char *root = NULL;
	struct claims *c;

	repository(1);
	put("main/.git/ralph/tickets/claims.jsonl",
	    "{\"task\":\"T-0\",\"state\":\"complete\",\"since\":\"2026-01-01T00:00:00.000Z\"}"
	    "\n");
	root = at("main");
	c = claims_open(root, CLAIMS_TICKETS, &err);
	assert_int_equal(claims_claim(c, "T-1", getpid(), NULL, &err), CLAIM_CLAIMED);
	assert_true(claims_any_held(c));
	assert_int_equal(claims_tell(c, "T-2", 0, "closed", &err), 0);
	assert_int_equal(claims_find(c, "T-2")->state, CLAIM_COMPLETE);
	assert_string_equal(claims_find(c, "T-2")->note, "closed");
	/* Of what somebody has, that one tells. */
	assert_int_equal(claims_tell(c, "T-1", 0, "closed", &err), 0);
	assert_int_equal(claims_find(c, "T-1")->state, CLAIM_HELD);
	assert_non_null(claims_find(c, "T-0"));
	assert_int_equal(claims_tell(c, "T-1", getpid(), "closed", &err), 0);
	assert_int_equal(claims_find(c, "T-1")->state, CLAIM_COMPLETE);
	assert_false(claims_any_held(c));
	assert_null(claims_find(c, "T-0"));
	assert_non_null(claims_find(c, "T-2"));
	claims_close(c);
}

static void
test_other_machines(void **state UNUSED)
{
	struct claims *c;

	put("plain/.ralph/graph/claims.jsonl", "{\"task\":\"t\",\"state\":\"claimed\",\"pid\":"
					       "1,\"start_time\":1,\"boot_id\":\"x\","
					       "\"host\":\"another.example\",\"worktree\":\"/"
					       "w\",\"since\":\"2026-01-01T00:00:00.000Z\"}\n");
	c = opened("plain");
	assert_int_equal(claims_read(c, &err), 0);
	assert_false(claim_is_void(claims_at(c, 0)));
	assert_true(claim_is_alive(claims_at(c, 0)));
	claims_close(c);
}

/* What cannot be read may be somebody's claim. */
static void
test_damage(void **state UNUSED)
{
	static const char *const texts[] = {"{\"task\":\"a\"", "7\n", "\n", "{}\n",
	    "{\"task\":\"a\",\"state\":\"dreaming\"}\n", "\xff\n"};

	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		struct claims *c;
		AUTO_BUF after = BUF_INIT;

		put("plain/.ralph/graph/claims.jsonl", texts[i]);
		c = opened("plain");
		assert_int_equal(claims_lock(c, 0, &err), -1);
		assert_int_equal(err.code, EBADMSG);
		assert_non_null(strstr(err.text, "claims.jsonl:1: this is no claim"));
		claims_close(c);
		assert_int_equal(
		    fs_read(scratch.fd, "plain/.ralph/graph/claims.jsonl", 100, &after, &err),
		    0);
		assert_string_equal(after.data, texts[i]);
	}
}

static void
test_the_lock(void **state UNUSED)
{
	struct claims *a, *b;

	repository(1);
	a = opened("main");
	b = opened("w1");
	locked(a);
	assert_int_equal(claims_lock(b, 10 * NSEC_PER_MSEC, &err), -1);
	assert_int_equal(err.code, EWOULDBLOCK);
	assert_non_null(strstr(err.text, "cannot lock the graph: lock is already held by"));
	claims_unlock(a);
	locked(b);
	claims_close(a);
	claims_close(b);
}

/* ---- races --------------------------------------------------------------------------- */

enum { ROUNDS = 20, TASKS = 50, TREES = 4, RACERS = 8 };

/* Takes tasks until none is left; a line each to `fd`. */
static int
race(int tree, int fd)
{
	AUTO_FREE char *name = xasprintf("%s/w%d", scratch.path, tree);
	const struct graph_request request = {.owner = getppid()};
	struct graph_place p;

	if (graph_place_open(&p, name, &err) < 0)
		return 1;
	p.wait = 120 * NSEC_PER_SEC;
	for (;;) {
		struct graph_offer offer;
		enum claim_result rc;

		graph_offer_init(&offer);
		rc = graph_claim(&p, &request, &offer, &err);
		if (rc == CLAIM_CLAIMED)
			dprintf(fd, "%s\n", offer.id);
		graph_offer_release(&offer);
		if (rc == CLAIM_CLAIMED)
			continue;
		graph_place_close(&p);
		return rc == CLAIM_BLOCKED ? 0 : 1;
	}
}

static void
race_together(int fd)
{
	AUTO_FREE char *gate = at("gate");
	pid_t pids[RACERS];
	int wall = open(gate, O_RDWR | O_CREAT | O_CLOEXEC, 0600), status;

	assert_int_equal(flock(wall, LOCK_EX), 0);
	for (int i = 0; i < RACERS; i++) {
		pids[i] = fork();
		if (pids[i] == 0) {
			int mine = open(gate, O_RDWR | O_CLOEXEC);

			flock(mine, LOCK_SH); /* until all are there */
			_exit(race(i % TREES + 1, fd));
		}
	}
	flock(wall, LOCK_UN);
	for (int i = 0; i < RACERS; i++) {
		assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
		assert_int_equal(status, 0);
	}
	close(wall);
}

static void
assert_each_once(const char *lines)
{
	int seen[TASKS] = {0};

	for (const char *p = lines; *p != '\0'; p += strcspn(p, "\n") + 1) {
		long i = strtol(p + 1, NULL, 10);

		assert_true(i >= 0 && i < TASKS);
		seen[i]++;
	}
	for (int i = 0; i < TASKS; i++)
		assert_int_equal(seen[i], 1);
}

static void
test_thousand_races(void **state UNUSED)
{
	AUTO_BUF graph = BUF_INIT;

	repository(TREES);
	buf_adds(&graph, "nodes:\n");
	for (int i = 0; i < TASKS; i++)
		buf_addf(&graph, "  - id: t%d\n    status: ready\n", i);
	for (int round = 0; round < ROUNDS; round++) {
		AUTO_BUF lines = BUF_INIT;
		AUTO_CLOSE int fd = -1;

		for (int i = 1; i <= TREES; i++) {
			AUTO_FREE char *file = xasprintf("w%d/task-graph.yaml", i);

			put(file, graph.data);
		}
		assert_int_equal(
		    fs_unlink(scratch.fd, "main/.git/ralph/graph/claims.jsonl", &err), 0);
		assert_int_equal(fs_unlink(scratch.fd, "lines", &err), 0);
		fd = fs_open_append(scratch.fd, "lines", &err);
		race_together(fd);
		assert_int_equal(fs_read(scratch.fd, "lines", 1 << 20, &lines, &err), 0);
		assert_each_once(lines.data);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    claims_test(test_place),
	    claims_test(test_odd_repositories),
	    claims_test(test_life_of_a_claim),
	    claims_test(test_owners_that_died),
	    claims_test(test_numbers_that_were_given_again),
	    claims_test(test_who_asks_second),
	    claims_test(test_who_holds_the_lock),
	    claims_test(test_keys),
	    claims_test(test_something_to_wait_on),
	    claims_test(test_zeros_after_a_power_cut),
	    claims_test(test_what_was_told),
	    claims_test(test_other_machines),
	    claims_test(test_damage),
	    claims_test(test_the_lock),
	    cmocka_unit_test_setup_teardown(test_thousand_races, enter_memory, leave),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
