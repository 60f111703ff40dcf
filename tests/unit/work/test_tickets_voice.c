/* How a loop over tickets speaks. */
#include "work/tickets/dispatch.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h> /* needs those above */

/* A landing is told by what became of the work; what older journals have is told as it is. */
static void
landings_are_told_by_their_fate(void **state UNUSED)
{
	static const struct {
		enum fate fate;
		const char *text, *told;
	} rows[] = {
	    {FATE_MERGED, "merged as 123", "\nMerging worktree... done\n"},
	    {FATE_WAITING, "1 merge waits", "\nMerging worktree... waits: 1 merge waits\n"},
	    {FATE_COPIED, "a copy is in r",
		"\nCleaning up worktree... done (a copy is in r)\n"},
	    {FATE_CLEARED, "there was nothing to keep", "\nCleaning up worktree... done\n"},
	    {FATE_KEPT, "conflict in f", "\nconflict in f\n"},
	    {FATE_NONE, "merged as 123, but it waits", "\nmerged as 123, but it waits\n"},
	    {FATE_NONE, "", ")\nProgress"},
	};
	struct loop_state s = {.phase = PHASE_OPEN, .wanted = WANT_RUN, .iteration = 5};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct fact f = {.kind = FACT_LANDED, .iteration = 5, .fate = rows[i].fate};
		AUTO_BUF out = BUF_INIT;

		(void)snprintf(f.task, sizeof(f.task), "pt-1");
		(void)snprintf(f.text, sizeof(f.text), "%s", rows[i].text);
		assert_true(tickets_voice_line(
		    &(struct decided){.loop = "x", .facts = &f, .n = 1, .state = &s}, &f,
		    &out));
		if (strstr(out.data, rows[i].told) == NULL)
			fail_msg("%s does not tell %s", out.data, rows[i].told);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(landings_are_told_by_their_fate),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
