/*
 * The ledger: whose change of a ticket's status is believed, what is put back, what stays
 * doubtful, and what a former life leaves.
 */
#include "../base/scratch.h"
#include "base/alloc.h"
#include "work/tickets/ledger.h"
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#define REST "deps: []\ncreated: 2026-01-01T00:00:00Z\npriority: 2\n---\n# Title\n\nText.\n"

static struct err err;
static struct ledger *ledger;
static struct backlog *backlog;
static struct claims *claims;
static int tickets;

static char *
file_of(const char *id)
{
	return xasprintf("%s.md", id);
}

static void
ticket(const char *id, const char *status)
{
	AUTO_FREE char *name = file_of(id);
	AUTO_FREE char *text = xasprintf("---\nid: %s\nstatus: %s\n" REST, id, status);

	assert_int_equal(fs_replace(tickets, name, text, strlen(text), FS_NOSYNC, &err), 0);
}

static void
assert_ticket(const char *id, const char *status)
{
	AUTO_FREE char *name = file_of(id);
	AUTO_FREE char *text = xasprintf("---\nid: %s\nstatus: %s\n" REST, id, status);
	AUTO_BUF got = BUF_INIT;

	assert_int_equal(fs_read(tickets, name, 1 << 20, &got, &err), 0);
	assert_string_equal(got.data, text);
}

static void
assert_names(const struct buf *got, const char *expected)
{
	assert_string_equal(got->len == 0 ? "" : got->data, expected);
}

static void
assert_put_back(const char *all, const char *news)
{
	AUTO_BUF every = BUF_INIT;
	AUTO_BUF fresh = BUF_INIT;

	ledger_put_back(ledger, &every);
	ledger_put_back_news(ledger, &fresh);
	assert_names(&every, all);
	assert_names(&fresh, news);
}

static void
assert_others(const char *expected)
{
	AUTO_BUF got = BUF_INIT;

	ledger_others(ledger, backlog, &got);
	assert_names(&got, expected);
}

static void
look(void)
{
	if (backlog_refresh(backlog, &err) < 0 ||
	    ledger_look(ledger, backlog, claims, &err) < 0)
		fail_msg("%s", err.text);
}

static void
begin(const char *task)
{
	if (ledger_begin(ledger, task, &err) < 0)
		fail_msg("%s", err.text);
}

/* Ends a session as source.c does: after a look. */
static void
end(const char *task)
{
	look();
	ledger_end(ledger, task);
	look();
}

static int
enter(void **state)
{
	AUTO_FREE char *dir = NULL;

	if (scratch_setup(state) < 0)
		return -1;
	dir = xasprintf("%s/.tickets", scratch.path);
	if (fs_mkdirs(dir, &err) < 0)
		return -1;
	tickets = fs_open_dir(AT_FDCWD, dir, &err);
	ledger = ledger_new();
	claims = claims_open_tickets(scratch.path, dir, &err);
	backlog = backlog_open(dir, &err);
	return tickets < 0 || claims == NULL || backlog == NULL ? -1 : 0;
}

static int
leave(void **state)
{
	ledger_free(ledger);
	backlog_close(backlog);
	claims_close(claims);
	close(tickets);
	return scratch_teardown(state);
}

#define ledger_test(fn) cmocka_unit_test_setup_teardown(fn, enter, leave)

/* The supervisor is another process, whose directory is ours. */
static void
live_again(char *const *tasks, struct buf *notes)
{
	ledger_free(ledger);
	ledger = ledger_new();
	ledger_keep(ledger, scratch.fd, tasks, notes);
}

/* ---- whose change it is ---------------------------------------------------------------- */

static void
test_another_ticket_is_put_back(void **state UNUSED)
{
	ticket("a", "open");
	ticket("b", "open");
	ticket("c", "closed");
	look();
	begin("a");
	ticket("b", "closed");
	ticket("c", "in_progress");
	look();
	assert_ticket("b", "open");
	assert_ticket("c", "closed");
	assert_put_back("b, c", "b, c");
	assert_others("");
	assert_false(ledger_doubts(ledger));
	/* The agent does the same again: it is put back again, but not told again. */
	ticket("b", "closed");
	look();
	assert_ticket("b", "open");
	assert_put_back("b, c", "");
}

static void
test_the_backlog_is_as_the_files_are(void **state UNUSED)
{
	ticket("a", "open");
	ticket("b", "open");
	look();
	begin("a");
	ticket("b", "closed");
	look();
	assert_false(backlog_is_closed(backlog, "b"));
}

static void
test_a_sessions_own_ticket_is_believed(void **state UNUSED)
{
	ticket("a", "open");
	look();
	begin("a");
	assert_true(ledger_has(ledger, "a"));
	assert_false(ledger_has(ledger, "b"));
	ticket("a", "closed");
	end("a");
	assert_false(ledger_has(ledger, "a"));
	assert_ticket("a", "closed");
	assert_put_back("", "");
	assert_others("a");
}

static void
test_what_is_settled_is_believed(void **state UNUSED)
{
	ticket("a", "open");
	ticket("b", "open");
	look();
	begin("a");
	backlog_settle(backlog, "b");
	ticket("b", "closed");
	look();
	assert_ticket("b", "closed");
	assert_put_back("", "");
	assert_others("");
}

static void
test_without_sessions_it_was_a_person(void **state UNUSED)
{
	ticket("a", "open");
	ticket("b", "open");
	look();
	ticket("b", "closed");
	look();
	assert_ticket("b", "closed");
	assert_others("b");
	assert_false(ledger_doubts(ledger));
	/* The same holds after a session that is over, and was looked at. */
	begin("a");
	end("a");
	ticket("b", "open");
	look();
	assert_ticket("b", "open");
	assert_put_back("", "");
}

static void
test_a_persons_word_is_believed(void **state UNUSED)
{
	ticket("a", "open");
	ticket("b", "open");
	ticket("c", "open");
	look();
	begin("a");
	assert_int_equal(claims_tell(claims, "b", 0, "closed", &err), 0);
	assert_int_equal(claims_tell(claims, "c", 0, "in_progress", &err), 0);
	ticket("b", "closed");
	ticket("c", "closed");
	look();
	assert_ticket("b", "closed");
	/* Of c the claims tell another status. */
	assert_ticket("c", "open");
	assert_put_back("c", "c");
}

static void
test_new_tickets_are_as_they_are(void **state UNUSED)
{
	ticket("a", "open");
	look();
	begin("a");
	ticket("b", "closed");
	look();
	assert_ticket("b", "closed");
	assert_put_back("", "");
	assert_others("");
	ticket("b", "open");
	look();
	assert_ticket("b", "closed");
	assert_put_back("b", "b");
}

/* ---- other loops ----------------------------------------------------------------------- */

static pid_t
claimed_by_another(const char *task)
{
	pid_t pid = fork();

	if (pid == 0) {
		(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
		(void)pause();
		_exit(0);
	}
	assert_true(pid > 0);
	assert_int_equal(claims_claim(claims, task, pid, NULL, &err), CLAIM_CLAIMED);
	return pid;
}

static void
end_process(pid_t pid)
{
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

static void
test_what_another_loop_has_is_pending(void **state UNUSED)
{
	pid_t other = claimed_by_another("b");
	char **pending;

	ticket("a", "open");
	ticket("b", "open");
	look();
	begin("a");
	ticket("b", "closed");
	look();
	assert_ticket("b", "closed");
	pending = ledger_pending(ledger);
	assert_int_equal(strlist_len(pending), 1);
	assert_string_equal(pending[0], "b");
	strlist_free(pending);
	assert_false(ledger_doubts(ledger));
	/* The other loop gives the ticket up without a word, long after our session is over. */
	end("a");
	assert_int_equal(claims_done(claims, "b", other, CLAIM_FREE, NULL, &err), 0);
	look();
	assert_ticket("b", "open");
	assert_put_back("b", "b");
	assert_null(ledger_pending(ledger));
	end_process(other);
}

static void
test_what_another_loop_completes_is_believed(void **state UNUSED)
{
	pid_t other = claimed_by_another("b");

	ticket("a", "open");
	ticket("b", "open");
	look();
	begin("a");
	ticket("b", "closed");
	look();
	assert_int_equal(claims_tell(claims, "b", other, "closed", &err), 0);
	look();
	assert_ticket("b", "closed");
	assert_put_back("", "");
	assert_null(ledger_pending(ledger));
	assert_others("b");
	end_process(other);
}

static void
test_what_a_dead_loop_leaves_is_doubtful(void **state UNUSED)
{
	pid_t other = claimed_by_another("b");

	ticket("a", "open");
	ticket("b", "open");
	look();
	begin("a");
	ticket("b", "closed");
	end_process(other);
	look();
	assert_ticket("b", "closed");
	assert_true(ledger_doubts(ledger));
	assert_null(ledger_pending(ledger));
	assert_others("b");
}

/* ---- what cannot be put back ------------------------------------------------------------ */

static void
test_a_removed_ticket_is_doubtful_and_not_made_again(void **state UNUSED)
{
	ticket("a", "open");
	ticket("b", "open");
	look();
	begin("a");
	assert_int_equal(unlinkat(tickets, "b.md", 0), 0);
	look();
	assert_int_equal(faccessat(tickets, "b.md", F_OK, 0), -1);
	assert_true(ledger_doubts(ledger));
	assert_others("b");
	assert_put_back("", "");
	/* Whoever brings it back as it was leaves no doubt. */
	ticket("b", "open");
	look();
	assert_false(ledger_doubts(ledger));
	assert_others("");
}

static void
test_garbage_in_a_ticket_is_put_back_or_doubted(void **state UNUSED)
{
	ticket("a", "open");
	ticket("b", "open");
	ticket("c", "open");
	look();
	begin("a");
	ticket("b", "finished");
	assert_int_equal(fs_replace(tickets, "c.md", "\0\377\n", 3, FS_NOSYNC, &err), 0);
	look();
	assert_ticket("b", "open");
	assert_put_back("b", "b");
	assert_true(ledger_doubts(ledger));
	assert_others("c");
}

static void
test_a_checkout_of_others_is_not_written_to(void **state UNUSED)
{
	ledger_apart(ledger);
	ticket("a", "open");
	ticket("b", "open");
	look();
	begin("a");
	ticket("b", "closed");
	look();
	assert_ticket("b", "closed");
	assert_true(ledger_doubts(ledger));
	assert_others("b");
}

/* ---- former lives ----------------------------------------------------------------------- */

static void
test_it_outlives_a_crash(void **state UNUSED)
{
	AUTO_BUF notes = BUF_INIT;

	ticket("a", "open");
	ticket("b", "open");
	live_again(NULL, &notes);
	look();
	begin("a");
	ticket("a", "closed");
	ticket("b", "closed");
	live_again(NULL, &notes);
	assert_true(ledger_has(ledger, "a"));
	look();
	assert_ticket("a", "closed");
	assert_ticket("b", "open");
	assert_put_back("b", "b");
	/* That session is over with the first look. */
	assert_false(ledger_has(ledger, "a"));
	ticket("b", "closed");
	look();
	assert_ticket("b", "closed");
	live_again(NULL, &notes);
	look();
	assert_put_back("b", "");
	assert_names(&notes, "");
}

static void
test_sessions_that_go_on_are_still_ours(void **state UNUSED)
{
	char one[] = "a";
	char *tasks[] = {one, NULL};
	AUTO_BUF notes = BUF_INIT;

	ticket("a", "open");
	ticket("b", "open");
	live_again(NULL, &notes);
	look();
	begin("a");
	live_again(tasks, &notes);
	look();
	ticket("a", "closed");
	ticket("b", "closed");
	look();
	assert_true(ledger_has(ledger, "a"));
	assert_ticket("a", "closed");
	assert_ticket("b", "open");
}

static void
test_a_session_that_was_there_is_enough(void **state UNUSED)
{
	static const char text[] =
	    "{\"tickets\": {\"b\": {\"status\": \"open\"}}, \"busy\": [\"a\"]}";
	AUTO_BUF notes = BUF_INIT;

	ticket("b", "closed");
	assert_int_equal(
	    fs_replace(scratch.fd, LEDGER_FILE, text, strlen(text), FS_NOSYNC, &err), 0);
	live_again(NULL, &notes);
	look();
	assert_ticket("b", "open");
	assert_put_back("b", "b");
}

static void
test_doubts_outlive_a_crash(void **state UNUSED)
{
	AUTO_BUF notes = BUF_INIT;

	live_again(NULL, &notes);
	ticket("a", "open");
	ticket("b", "open");
	look();
	begin("a");
	assert_int_equal(unlinkat(tickets, "b.md", 0), 0);
	end("a");
	live_again(NULL, &notes);
	look();
	assert_true(ledger_doubts(ledger));
	assert_others("b");
}

static void
test_a_missing_ledger_is_an_empty_one(void **state UNUSED)
{
	AUTO_BUF notes = BUF_INIT;

	ticket("a", "closed");
	live_again(NULL, &notes);
	look();
	assert_names(&notes, "");
	assert_others("");
	assert_false(ledger_doubts(ledger));
}

static void
test_what_cannot_be_read_is_said(void **state UNUSED)
{
	static const char *const texts[] = {"", "{", "\377\376", "{\"tickets\": {\"a\":"};

	ticket("a", "open");
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		AUTO_BUF notes = BUF_INIT;

		assert_int_equal(fs_replace(scratch.fd, LEDGER_FILE, texts[i], strlen(texts[i]),
				     FS_NOSYNC, &err),
		    0);
		live_again(NULL, &notes);
		assert_non_null(
		    strstr(notes.data, "how the tickets stood before is not known"));
		begin("b");
		look();
		assert_ticket("a", "open");
		assert_put_back("", "");
	}
}

/* Members of other types than ours, names that are no names: nothing is written because of
 * them. */
static void
test_a_wrong_ledger_changes_no_ticket(void **state UNUSED)
{
	static const char *const texts[] = {
	    "[]",
	    "7",
	    "{\"tickets\": [1], \"busy\": {\"a\": 1}, \"put_back\": [1], \"worked\": \"yes\"}",
	    "{\"tickets\": {\"a\": 1, \"\": {}}, \"busy\": \"a\", \"worked\": true}",
	    "{\"tickets\": {\"a\": {\"status\": \"done\", \"doubt\": \"none\"}}, \"worked\": "
	    "true}",
	    "{\"tickets\": {\"a\": {\"status\": [], \"since\": "
	    "\"9999999999999999999999999999999"
	    "99999999999\"}}, \"busy\": [null], \"worked\": true}",
	    "{\"tickets\": {\"../a\": {\"status\": \"closed\"}}, \"worked\": true}",
	};

	ticket("a", "open");
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		AUTO_BUF notes = BUF_INIT;

		assert_int_equal(fs_replace(scratch.fd, LEDGER_FILE, texts[i], strlen(texts[i]),
				     FS_NOSYNC, &err),
		    0);
		live_again(NULL, &notes);
		look();
		assert_ticket("a", "open");
		assert_put_back("", "");
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    ledger_test(test_another_ticket_is_put_back),
	    ledger_test(test_the_backlog_is_as_the_files_are),
	    ledger_test(test_a_sessions_own_ticket_is_believed),
	    ledger_test(test_what_is_settled_is_believed),
	    ledger_test(test_without_sessions_it_was_a_person),
	    ledger_test(test_a_persons_word_is_believed),
	    ledger_test(test_new_tickets_are_as_they_are),
	    ledger_test(test_what_another_loop_has_is_pending),
	    ledger_test(test_what_another_loop_completes_is_believed),
	    ledger_test(test_what_a_dead_loop_leaves_is_doubtful),
	    ledger_test(test_a_removed_ticket_is_doubtful_and_not_made_again),
	    ledger_test(test_garbage_in_a_ticket_is_put_back_or_doubted),
	    ledger_test(test_a_checkout_of_others_is_not_written_to),
	    ledger_test(test_it_outlives_a_crash),
	    ledger_test(test_sessions_that_go_on_are_still_ours),
	    ledger_test(test_a_session_that_was_there_is_enough),
	    ledger_test(test_doubts_outlive_a_crash),
	    ledger_test(test_a_missing_ledger_is_an_empty_one),
	    ledger_test(test_what_cannot_be_read_is_said),
	    ledger_test(test_a_wrong_ledger_changes_no_ticket),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
