/*
 * The table of settings as commands and config.json have it: no row is without a use, no name
 * is there twice, and what is shown as the default is the default.
 */
#include "base/alloc.h"
#include "cmd/cmd.h"
#include "work/tickets/keys.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* Calls `check` for every command with all of its options. */
static void
for_commands(void (*check)(const struct cmd *cmd, const struct opt *opts, size_t n))
{
	const struct cmd *const *const tables[] = {ralph_commands, swarm_commands};

	for (size_t i = 0; i < ARRAY_LEN(tables); i++)
		for (const struct cmd *const *c = tables[i]; *c != NULL; c++) {
			size_t n;
			AUTO_FREE struct opt *opts = cmd_options(*c, &n);

			check(*c, opts, n);
		}
}

static void
check_names(const struct cmd *cmd, const struct opt *opts, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < i; k++)
			if (strcmp(opts[i].name, opts[k].name) == 0)
				fail_msg("%s has --%s twice", cmd->name, opts[i].name);
}

static void
no_command_has_an_option_twice(void **unused UNUSED)
{
	for_commands(check_names);
}

static unsigned seen;

static void
look_at(const struct cmd *cmd, const struct opt *opts UNUSED, size_t n UNUSED)
{
	seen |= cmd->of;
	/* One command, one bit: what differs by command is told for just one. */
	assert_int_equal(cmd->of & (cmd->of - 1), 0);
}

static void
every_option_is_one_of_a_command(void **unused UNUSED)
{
	for_commands(look_at);
	assert_int_equal(seen, OF_ALL);
	for (size_t i = 0; i < SETTINGS_COUNT; i++) {
		const struct setting *row = &settings_table[i];

		assert_int_equal(row->name != NULL, row->of != 0);
		for (size_t k = 0; k < ARRAY_LEN(row->but); k++)
			if (row->but[k].of & ~row->of)
				fail_msg("%s differs where it is no option", row->help);
	}
}

/* SETTINGS_COUNT rows are there: so none is there twice, and none is left out. */
static void
every_setting_has_a_row(void **unused UNUSED)
{
	for (size_t i = 0; i < SETTINGS_COUNT; i++) {
		assert_non_null(settings_table[i].help);
		for (size_t k = 0; k < i; k++)
			assert_true(settings_table[i].offset != settings_table[k].offset);
	}
}

static void
no_key_is_there_twice(void **unused UNUSED)
{
	AUTO_BUF text = BUF_INIT;

	keys_describe(&text);
	for (size_t i = 0; i < SETTINGS_COUNT; i++) {
		const char *key = settings_table[i].key;
		AUTO_FREE char *line = key == NULL ? NULL : xasprintf("  %s: ", key);
		const char *at = line == NULL ? NULL : strstr(text.data, line);

		if (key == NULL)
			continue;
		assert_non_null(at);
		assert_null(strstr(at + 1, line));
	}
}

/* What the help of `ralph loop` shows as the default of an option is that of its key. */
static void
an_option_and_its_key_have_one_default(void **unused UNUSED)
{
	struct loop_config c = {.base = NULL}, said = {.base = NULL};
	size_t compared = 0;

	keys_defaults(&c);
	for (size_t i = 0; i < SETTINGS_COUNT; i++) {
		const struct setting *row = &settings_table[i];
		struct opt o = settings_option(row, OF_LOOP);
		struct operands operands;
		struct err err = ERR_INIT;

		if (o.name == NULL || row->key_dflt == NULL)
			continue;
		o.usual = o.usual != NULL ? o.usual : o.dflt;
		assert_non_null(o.usual);
		assert_int_equal(
		    opts_parse(&o, 1, 0, NULL, OPTS_PLAIN, &said, &operands, &err), 0);
		assert_memory_equal((char *)&c + o.offset, (char *)&said + o.offset, 8);
		operands_release(&operands);
		compared++;
	}
	assert_int_equal(compared, 4);
	keys_release(&c);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(no_command_has_an_option_twice),
	    cmocka_unit_test(every_option_is_one_of_a_command),
	    cmocka_unit_test(every_setting_has_a_row),
	    cmocka_unit_test(no_key_is_there_twice),
	    cmocka_unit_test(an_option_and_its_key_have_one_default),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
