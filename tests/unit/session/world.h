/*
 * world.h - sessions as the supervisor sees them, with real keepers and real processes.
 *
 * A test program plays all parts: a keeper executes /proc/self/exe, and some of the agents are
 * the program, too; so main asks world_is_another_part before it runs its tests.
 */
#ifndef UNIT_SESSION_WORLD_H
#define UNIT_SESSION_WORLD_H

#include "base/clock.h"
#include "session/session.h"
#include "session/wire.h"
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define PATIENCE (60 * NSEC_PER_SEC)
#define MB 1000000
#ifdef __SANITIZE_ADDRESS__
#define FLOOD (10 * MB)
#else
#define FLOOD (100 * MB)
#endif

/* One session, named s1, in a directory of its own. */
struct world {
	char path[64];
	int dirfd;
	struct ev *ev;
	struct session *s;
	struct settings set;
	struct buf prompt;
	const char *task, *token, *facts, *clear; /* of the spec */
	char *argv[8];
	/* what was called back */
	pid_t agent;
	int running, ended;
	struct exit_status status;
	char text[256];
	struct buf signals; /* "done=...;", with tasks "TURN:done=...;" */
	int64_t seq;
	bool free_in_ended;
	bool may_grumble; /* the keeper's log need not be empty */
};

#define WORLD_TEST(fn) cmocka_unit_test_setup_teardown(fn, world_setup, world_teardown)

bool world_is_another_part(int argc, char **argv);
int world_play(int argc, char **argv);
int world_setup(void **state);
int world_teardown(void **state); /* nobody is left, and nobody complained */

/*
 * This program as an agent: {world_self, "agent", WHAT...}
 *   spin                    prints a growing number in place, for ever
 *   dots                    shows dots that come and go, then waits for a line
 *   fds                     prints the descriptors it has
 *   raw FILE b|n BYTES      reads so many from its terminal into FILE; b: with brackets
 *   worker DIR              is talked to: each message goes to DIR/got.N, N from 1, and is
 *                           answered with DIR/say.N once that is there; knows /clear
 */
extern char world_self[PATH_MAX];

void world_start(struct world *w); /* w->argv */
void world_start_sh(struct world *w, const char *script);
enum session_probe world_adopt(struct world *w, int64_t seq);
struct session_callbacks world_callbacks(struct world *w);

void world_wait_ended(struct world *w);
void world_assert_exit(struct world *w, enum exit_how how, int value);
bool world_has_exited(struct world *w); /* as the session's files say */
int world_left_behind(struct world *w); /* processes of the session */

void world_read(
    struct world *w, const char *name, struct buf *out); /* a file of the session's directory */
bool world_output_has(struct world *w, const char *text);
off_t world_recorded(struct world *w);

int world_dial(struct world *w, enum wire_role role, int rows, int cols);
/* Reads frames until those of that type hold the text. */
void expect_frame(int fd, enum wire_type want, const char *text);
bool screen_has(int fd, const char *text);

#define WAIT_FOR(w, cond)                                    \
	do {                                                 \
		int64_t deadline_ = clock_boot() + PATIENCE; \
		while (!(cond) && clock_boot() < deadline_)  \
			ev_once((w)->ev, 2 * NSEC_PER_MSEC); \
		assert_true(cond);                           \
	} while (0)

#endif
