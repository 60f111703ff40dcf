/* Which tags has a worker said since it was given its task? */
#include "watch/tally.h"

#include "watch/life.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define DONE "<promise>DONE</promise>"

static struct buf told = BUF_INIT;

static void
note(void *ctx UNUSED, const struct promise *p)
{
	static const char *const names[] = {"done", "stuck", "blocked", "progress"};

	buf_addf(&told, "%s=%s;", names[p->kind], p->text);
}

static struct tally *
watching(const char *prompt)
{
	struct tally *t = tally_new(note, NULL);

	buf_clear(&told);
	tally_task(t, "T001", prompt, strlen(prompt));
	return t;
}

/* What has been told since the last call. */
static const char *
news(void)
{
	static char copy[2000];

	snprintf(copy, sizeof(copy), "%s", told.data);
	buf_clear(&told);
	return copy;
}

static void
line(struct tally *t, const char *text)
{
	tally_line(t, text, strlen(text));
}

static void
row(struct tally *t, const char *text)
{
	tally_row(t, text, strlen(text), false);
}

/* As in test_done.c: rows end in \n, those that the terminal wrapped in \r\n. */
static bool
print_row(void *ctx, int n, struct buf *out)
{
	const char *at = ctx, *end;

	while (n-- > 0)
		at = strchr(at, '\n') + 1;
	end = strchr(at, '\n');
	if (end > at && end[-1] == '\r') {
		buf_add(out, at, (size_t)(end - at) - 1);
		return true;
	}
	buf_add(out, at, (size_t)(end - at));
	return false;
}

static int
rows_of(const char *text)
{
	int rows = 0;

	for (; *text; text++)
		rows += *text == '\n';
	return rows;
}

static void
screen(struct tally *t, int width, const char *text)
{
	char copy[4096];

	snprintf(copy, sizeof(copy), "%s", text);
	tally_screen(t, rows_of(text), width, print_row, copy);
}

static void
rows_leave(struct tally *t, const char *text)
{
	for (const char *end; (end = strchr(text, '\n')) != NULL; text = end + 1)
		tally_row(t, text, (size_t)(end - text), false);
}

/* ---- lines --------------------------------------------------------------------------- */

static void
lines_of_a_pipe(void **state UNUSED)
{
	struct tally *t = watching("Do it.\n");

	line(t, "I think that " DONE " would be too early");
	line(t, "Print `" DONE "` when done.");
	assert_string_equal(news(), "");
	line(t, "<promise>progress:40%</promise>");
	line(t, "  - <promise>STUCK:which file?</promise>");
	line(t, "\342\217\272 <promise>STUCK:which file?</promise>");
	line(t, "<promise>DONE:T002</promise>");
	line(t, "<promise>DONE:T001</promise>");
	line(t, DONE);
	assert_string_equal(
	    news(), "progress=40;stuck=which file?;stuck=which file?;done=T001;done=;");
	/* A question of several lines. */
	line(t, "<promise>STUCK:There are two:");
	line(t, "a.c and b.c.");
	line(t, "Which one?</promise>");
	assert_string_equal(news(), "stuck=There are two: a.c and b.c. Which one?;");
	line(t, "<promise>STUCK:never ended");
	line(t, "");
	line(t, "and this is something else</promise>");
	assert_string_equal(news(), "");
	tally_free(t);
}

static void
what_is_only_shown(void **state UNUSED)
{
	static const char guide[] = "> <promise>BLOCKED:a quotation</promise>\n"
				    "| > <promise>STUCK:in a frame</promise>\n"
				    "```text\n"
				    "<promise>STUCK:an example</promise>\n"
				    "```\n"
				    "~~~\n"
				    "<promise>BLOCKED:an example</promise>\n"
				    "~~~\n"
				    "```inline``` is no block\n";
	struct tally *t = watching("Do it.\n");
	AUTO_BUF all = BUF_INIT;

	for (const char *s = guide, *end; (end = strchr(s, '\n')) != NULL; s = end + 1)
		tally_line(t, s, (size_t)(end - s));
	assert_string_equal(news(), "");
	line(t, "<promise>STUCK:mine</promise>");
	line(t, "```");
	line(t, DONE); /* counts in a block, too: a file has to confirm it */
	assert_string_equal(news(), "stuck=mine;done=;");
	/* A block that never ends is none in the end. */
	for (int i = 0; i < 250; i++)
		line(t, "more");
	line(t, "<promise>BLOCKED:mine</promise>");
	assert_string_equal(news(), "blocked=mine;");
	tally_free(t);

	/* On a screen, also when the block's beginning is out of sight. */
	t = watching("Do it.\n");
	buf_addf(&all, "%s\n<promise>STUCK:mine</promise>\n", guide);
	screen(t, 80, all.data);
	assert_string_equal(news(), "stuck=mine;");
	row(t, "```");
	for (int i = 0; i < 100; i++)
		row(t, "more");
	screen(t, 80, "more\n<promise>BLOCKED:an example</promise>\n```\n");
	assert_string_equal(news(), "");
	screen(t, 80, "```\n<promise>BLOCKED:mine</promise>\n\n");
	assert_string_equal(news(), "blocked=mine;");
	tally_free(t);
}

static void
the_prompt_on_a_pipe(void **state UNUSED)
{
	struct tally *t =
	    watching("Do the work. When it is done, print:\n" DONE "\nor ask with\n"
		     "<promise>STUCK:question</promise>\n");

	line(t, "> Do the work. When it is done, print:");
	line(t, DONE);
	line(t, "or ask with");
	line(t, "<promise>STUCK:question</promise>");
	assert_string_equal(news(), "");
	line(t, "All right.");
	line(t, DONE);
	assert_string_equal(news(), "done=;");
	tally_free(t);
}

/* ---- screens ------------------------------------------------------------------------- */

static void
once_for_each_time_it_is_said(void **state UNUSED)
{
	struct tally *t = watching("Do it.\n");

	screen(t, 80, "working\n\n\n");
	screen(t, 80, "working\n" DONE "\n\n");
	assert_string_equal(news(), "done=;");
	/* The tag is painted again, moved, scrolled out, hidden by a dialog, and back. */
	screen(t, 80, "working.\n" DONE "\n\n");
	screen(t, 80, DONE "\nmore\n> \n");
	screen(t, 80, "a dialog\n\n\n");
	screen(t, 80, DONE "\nmore\n> \n");
	row(t, DONE);
	screen(t, 80, "more\n> \nand more\n");
	assert_string_equal(news(), "");
	screen(t, 80, "more\n> \n" DONE "\n");
	assert_string_equal(news(), "done=;");
	screen(t, 80, "more\n" DONE "\n" DONE "\n");
	assert_string_equal(news(), "done=;");
	tally_free(t);
}

static void
what_was_said_before_the_task_is_past(void **state UNUSED)
{
	struct tally *t = watching("Do it.\n");

	screen(t, 80, "working\n" DONE "\n\n");
	assert_string_equal(news(), "done=;");
	tally_task(t, "T002", "Do more.\n", 9);
	tally_past(t);
	screen(t, 80, "working\n" DONE "\n> Do more.\n");
	row(t, "working");
	screen(t, 80, DONE "\n> Do more.\n\n");
	assert_string_equal(news(), "");
	row(t, DONE);
	screen(t, 80, "> Do more.\n\n" DONE "\n");
	assert_string_equal(news(), "done=;");
	/* After a clear nothing is left of the first; the same words count again. */
	tally_past(t);
	screen(t, 80, "\n\n\n");
	screen(t, 80, "a\n\n\n");
	tally_past(t);
	screen(t, 80, "a\n" DONE "\n\n");
	assert_string_equal(news(), "done=;");
	tally_free(t);
}

static void
in_and_out_between_two_looks(void **state UNUSED)
{
	struct tally *t = watching("Do it.\n");

	screen(t, 80, "working\n\n\n");
	row(t, "working");
	row(t, "<promise>PROGRESS:50</promise>");
	row(t, DONE);
	row(t, "a flood");
	screen(t, 80, "a flood\na flood\na flood\n");
	assert_string_equal(news(), "progress=50;done=;");
	screen(t, 80,
	    "a flood\n" DONE "\n<promise>STUCK:a</promise>\n<promise>PROGRESS:50</promise>\n");
	assert_string_equal(news(), "done=;stuck=a;progress=50;");
	tally_free(t);
}

static void
a_screen_that_is_painted_anew(void **state UNUSED)
{
	struct tally *t = watching("Do it.\n");

	screen(t, 80, "one\ntwo\nI ask:\n<promise>STUCK:why?</promise>\n>\n");
	assert_string_equal(news(), "stuck=why?;");
	/* All rows leave, as the screen is cleared, and are printed again with more behind. */
	rows_leave(t, "one\ntwo\nI ask:\n<promise>STUCK:why?</promise>\n>\n");
	screen(t, 80, "one\ntwo\nI ask:\n<promise>STUCK:why?</promise>\n> because\n");
	assert_string_equal(news(), "");
	/* The same with a part that scrolls out at once. */
	rows_leave(t, "one\ntwo\nI ask:\n<promise>STUCK:why?</promise>\n> because\n");
	rows_leave(t, "one\ntwo\nI ask:\n<promise>STUCK:why?</promise>\n");
	screen(t, 80, "> because\nI see.\nBut:\n<promise>STUCK:why?</promise>\n");
	assert_string_equal(news(), "stuck=why?;");
	tally_free(t);
}

static void
a_clear_screen_with_the_same_words(void **state UNUSED)
{
	struct tally *t = watching("Do it.\n");

	screen(t, 80, DONE "\n\n");
	assert_string_equal(news(), "done=;");
	tally_past(t);
	row(t, DONE);
	row(t, "");
	screen(t, 80, DONE "\n\n");
	assert_string_equal(news(), "done=;");
	tally_free(t);
}

/* ---- wrapped ------------------------------------------------------------------------- */

static void
wrapped_by_the_terminal(void **state UNUSED)
{
	struct tally *t = watching("Do it.\n");

	screen(t, 20, "ok\n<promise>STUCK:which\r\n file of the two?</p\r\nromise>\n");
	assert_string_equal(news(), "stuck=which file of the two?;");
	/* A tag at the end of a sentence is none. */
	screen(t, 20, "when done, I'll say\r\n" DONE "\n");
	screen(t, 24, DONE "\r\nand more\n");
	assert_string_equal(news(), "");
	/* The rows of a tag leave the screen one by one. */
	tally_row(t, "<promise>BLOCKED:no c", 21, true);
	screen(t, 21, "redentials</promise>\n\n");
	assert_string_equal(news(), "blocked=no credentials;");
	row(t, "redentials</promise>");
	screen(t, 21, "\n\n");
	assert_string_equal(news(), "");
	tally_free(t);
}

static void
wrapped_by_a_program(void **state UNUSED)
{
	struct tally *t = watching("Do it.\n");

	screen(t, 100,
	    "\342\217\272 <promise>STUCK:which of the two files\n"
	    "  do you mean, src/a.c or the\n"
	    "  other one?</promise>\n");
	assert_string_equal(news(), "stuck=which of the two files do you mean, src/a.c or the "
				    "other one?;");
	screen(t, 40,
	    "\342\225\255\342\224\200\342\224\200\342\225\256\n"
	    "\342\224\202 <promise>BLOCKED:there is   \342\224\202\n"
	    "\342\224\202 no network              \342\224\202\n"
	    "\342\224\202 </promise>              \342\224\202\n");
	assert_string_equal(news(), "blocked=there is no network;");
	/* Nor is one at the end of prose, on a row of its own. */
	screen(t, 60, "When all of it is finished and has been checked, then say\n" DONE "\n");
	assert_string_equal(news(), "");
	screen(t, 60, "All of it is finished and everything has been checked now.\n" DONE "\n");
	assert_string_equal(news(), "done=;");
	tally_free(t);
}

/* ---- echo ---------------------------------------------------------------------------- */

static void
the_prompt_on_a_screen(void **state UNUSED)
{
	struct tally *t = watching("Do the work. When it is done, print:\n" DONE "\n");

	screen(t, 80, "> Do the work. When it is done, print:\n  " DONE "\n\n\n");
	screen(t, 80, "  " DONE "\nthinking\n\n\n");
	assert_string_equal(news(), "");
	screen(t, 80, "  " DONE "\nthinking\n" DONE "\n\n");
	assert_string_equal(news(), "done=;");
	/* A reply of ours with the tag in it, while an answer is on the screen. */
	tally_typed(t, "Please remember to say at last:\n" DONE "\n", 56);
	screen(t, 80, "thinking\n" DONE "\n> Please remember to say at last:\n  " DONE "\n");
	assert_string_equal(news(), "");
	tally_typed(t, DONE "\n", strlen(DONE) + 1);
	screen(t, 80, "thinking\n" DONE "\n\n> " DONE "\n");
	assert_string_equal(news(), "");
	tally_free(t);
}

/* A person typed the tag in an earlier task; now the worker says it. */
static void
what_was_typed_for_an_earlier_task(void **state UNUSED)
{
	struct tally *t = watching("Do it.\n");

	tally_typed(t, DONE "\n", strlen(DONE) + 1);
	screen(t, 80, "> " DONE "\nworking\n\n");
	assert_string_equal(news(), "");
	tally_task(t, "T002", "And that.\n", 10);
	screen(t, 80, "> " DONE "\nworking\n\n");
	tally_past(t);
	screen(t, 80, "> " DONE "\nworking\n> \n");
	assert_string_equal(news(), "");
	screen(t, 80, "> " DONE "\nworking\n" DONE "\n");
	assert_string_equal(news(), "done=;");
	tally_free(t);
}

/* A command said the promise already; its tag is for people. */
static void
what_was_said_by_another_way(void **state UNUSED)
{
	struct tally *t = watching("Do it.\n");
	struct promise seventy;

	assert_true(promise_fill(&seventy, PROMISE_PROGRESS, "70", 2));
	tally_said(t, &seventy);
	screen(t, 80, "<promise>PROGRESS:60</promise>\n<promise>PROGRESS:70</promise>\n\n");
	assert_string_equal(news(), "progress=60;");
	screen(t, 80,
	    "<promise>PROGRESS:60</promise>\n<promise>PROGRESS:70</promise>\n"
	    "<promise>PROGRESS:70</promise>\n");
	assert_string_equal(news(), "progress=70;");
	tally_free(t);
}

/* ---- hostile ------------------------------------------------------------------------- */

static void
a_flood_of_tags(void **state UNUSED)
{
	struct tally *t = watching("Do it.\n");
	char text[100];

	for (int i = 0; i < 10000; i++)
		row(t, "<promise>STUCK:help</promise>");
	screen(t, 80, "\n");
	assert_string_equal(news(), "stuck=help;");
	for (int i = 0; i < 10000; i++) {
		snprintf(text, sizeof(text), "<promise>STUCK:help %d</promise>", i);
		row(t, text);
	}
	row(t, DONE);
	screen(t, 80, "\n");
	assert_true(told.len < TALLY_MAX * 20);
	assert_non_null(strstr(told.data, "done=;"));
	tally_free(t);
}

static void
a_screen_full_of_brackets(void **state UNUSED)
{
	struct tally *t = watching("Do it.\n");
	AUTO_BUF text = BUF_INIT;

	for (int i = 0; i < 200; i++)
		buf_adds(&text, "<promise>STUCK:<<<>>>\n");
	tally_screen(t, 200, 80, print_row, text.data);
	tally_row(t, "\303", 1, true);
	tally_row(t, "<promise>STUCK:\303\302</promise>", 26, false);
	tally_screen(t, 0, 0, print_row, text.data);
	assert_string_equal(news(), "");
	tally_free(t);
}

/* ---- life ---------------------------------------------------------------------------- */

static bool
lives(const struct life *l, const char *text)
{
	char copy[500];

	snprintf(copy, sizeof(copy), "%s", text);
	return life_shows(l, rows_of(text), print_row, copy);
}

static void
what_we_type_is_no_life(void **state UNUSED)
{
	char still[] = "working on it\n> \n";
	struct life l;

	life_init(&l);
	life_still(&l, 2, print_row, still);
	assert_false(lives(&l, "working on it\n> \n"));
	assert_false(lives(&l, "/ working on it 13s\n\342\235\257 \n"));
	life_given(&l, "Are you still there?\nPlease answer in 5 minutes.", 48);
	assert_false(lives(&l, "working on it\n> Are you still there?\n"));
	assert_false(lives(&l, "  Please answer\n  in 5 minutes.\n"));
	assert_true(lives(&l, "> Are you still there?\nYes.\n"));
	life_release(&l);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(lines_of_a_pipe),
	    cmocka_unit_test(what_is_only_shown),
	    cmocka_unit_test(the_prompt_on_a_pipe),
	    cmocka_unit_test(once_for_each_time_it_is_said),
	    cmocka_unit_test(what_was_said_before_the_task_is_past),
	    cmocka_unit_test(in_and_out_between_two_looks),
	    cmocka_unit_test(a_screen_that_is_painted_anew),
	    cmocka_unit_test(a_clear_screen_with_the_same_words),
	    cmocka_unit_test(wrapped_by_the_terminal),
	    cmocka_unit_test(wrapped_by_a_program),
	    cmocka_unit_test(the_prompt_on_a_screen),
	    cmocka_unit_test(what_was_typed_for_an_earlier_task),
	    cmocka_unit_test(what_was_said_by_another_way),
	    cmocka_unit_test(a_flood_of_tags),
	    cmocka_unit_test(a_screen_full_of_brackets),
	    cmocka_unit_test(what_we_type_is_no_life),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	buf_release(&told);
	return failed;
}
