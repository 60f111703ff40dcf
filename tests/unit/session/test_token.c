/* The token of a turn: the same each time it is asked for, in every version. */
#include "session/token.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void
derived_as_ever(void **state)
{
	char token[TOKEN_LEN + 1];

	(void)state;
	token_make("0123456789abcdef", "0123456789abcdef-1", 1, token);
	assert_string_equal(token, "px2qbnm9");
}

static void
another_for_each_turn(void **state)
{
	static char seen[2000][TOKEN_LEN + 1];
	size_t n = 0;

	(void)state;
	for (int turn = 1; turn <= 1000; turn++)
		for (int session = 0; session < 2; session++, n++) {
			token_make("uid", session ? "uid-1" : "uid-2", turn, seen[n]);
			assert_int_equal(strlen(seen[n]), TOKEN_LEN);
			assert_int_equal(
			    strspn(seen[n], "bcdfghjkmnpqrstvwxz23456789"), TOKEN_LEN);
			for (size_t i = 0; i < n; i++)
				assert_string_not_equal(seen[i], seen[n]);
		}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(derived_as_ever),
	    cmocka_unit_test(another_for_each_turn),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
