#include "base/alloc.h"
#include "base/clock.h"
#include "base/opts.h"
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

struct settings {
	bool quiet, colour, secret;
	char *prompt;
	char **env;
	int64_t iterations, workers, retries, timeout;
	int mode;
};

#define OPTIONS struct settings
static const struct opt table[] = {
    ROW_TEXT("prompt-file", prompt, "FILE", "Read the prompt from FILE", .letter = 'p',
	.flags = OPT_REQUIRED),
    ROW_COUNT("max-iterations", iterations, "N", "Stop after N iterations", .letter = 'n',
	.flags = OPT_UNLIMITED, .usual = "50"),
    ROW_COUNT("max-workers", workers, "N",
	"Run at most N workers at the same time, each of them in a worktree of its own, so "
	"that they do not disturb each other",
	.max = 64, .dflt = "4"),
    ROW_COUNT("retries", retries, "N", "Try again N times", .flags = OPT_ZERO, .dflt = "3"),
    ROW_SPAN("timeout", timeout, "DURATION", "End an iteration after DURATION", .letter = 't',
	.flags = OPT_UNLIMITED, .dflt = "30m"),
    ROW_LIST("env", env, "NAME=VALUE", "Set a variable", .letter = 'e', .flags = OPT_SECRET),
    ROW_CHOICE("mode", mode, NULL, "pty|pipe|none", "How to talk to the agent", .dflt = "pty"),
    ROW_FLAG("pipe", mode, "Short for --mode pipe", .flags = OPT_SETS, .min = 1),
    ROW_FLAG("quiet", quiet, "Say less", .letter = 'q'),
    ROW_FLAG("colour", colour, "Use colours", .flags = OPT_NEGATABLE, .dflt = "if a terminal"),
    ROW_FLAG("secret-flag", secret, "Hidden", .flags = OPT_HIDDEN),
};

#define ARGV_MAX 16

struct run {
	struct settings set;
	struct operands operands;
	struct err err;
	int rc;
};

/* Splits line at spaces ("~" stands for an empty argument) and parses it. */
static void
parse(struct run *r, const char *line, enum opts_text text)
{
	static char words[512];
	static char *argv[ARGV_MAX + 1];
	int argc = 0;

	*r = (struct run){.set = {.colour = true}, .err = ERR_INIT};
	snprintf(words, sizeof(words), "%s", line);
	for (char *at = words; *at;) {
		char *end = at + strcspn(at, " ");
		bool last = *end == '\0';

		*end = '\0';
		assert_true(argc < ARGV_MAX);
		argv[argc++] = strcmp(at, "~") == 0 ? end : at;
		at = last ? end : end + 1;
	}
	argv[argc] = NULL;
	r->rc = opts_parse(
	    table, ARRAY_LEN(table), argc, argv, text, &r->set, &r->operands, &r->err);
}

static void
run(struct run *r, const char *line)
{
	parse(r, line, OPTS_PLAIN);
}

static void
finish(struct run *r)
{
	opts_release(table, ARRAY_LEN(table), &r->set);
	assert_null(r->set.prompt);
	operands_release(&r->operands);
}

static void
assert_refused(const char *line, const char *sentence)
{
	struct run r;

	run(&r, line);
	assert_string_equal(r.err.text, sentence);
	assert_int_equal(r.rc, -1);
	finish(&r);
}

static void
test_every_type_is_stored(void **state)
{
	struct run r;

	(void)state;
	run(&r,
	    "--prompt-file a.md -n 7 --max-workers=64 --retries 0 -t 1h30m -e A=1 --env=B=2 "
	    "--mode pipe -q --no-colour");
	assert_int_equal(r.rc, 0);
	assert_string_equal(r.set.prompt, "a.md");
	assert_int_equal(r.set.iterations, 7);
	assert_int_equal(r.set.workers, 64);
	assert_int_equal(r.set.retries, 0);
	assert_int_equal(r.set.timeout, 5400 * NSEC_PER_SEC);
	assert_int_equal(strlist_len(r.set.env), 2);
	assert_string_equal(r.set.env[1], "B=2");
	assert_int_equal(r.set.mode, 1);
	assert_true(r.set.quiet);
	assert_false(r.set.colour);
	finish(&r);
}

/* A secret value must not show in ps. */
static void
test_a_secret_is_blanked_where_it_was_typed(void **state)
{
	char typed[] = "-e", value[] = "A=b=c", joined[] = "--env=B=2", bare[] = "C";
	char prompt[] = "--prompt-file=K=V";
	char *argv[] = {typed, value, joined, typed, bare, prompt, NULL};
	struct settings set = {0};
	struct operands operands;

	(void)state;
	assert_int_equal(
	    opts_parse(table, ARRAY_LEN(table), 6, argv, OPTS_PLAIN, &set, &operands, NULL), 0);
	assert_string_equal(set.env[0], "A=b=c");
	assert_string_equal(set.env[1], "B=2");
	assert_string_equal(value, "A=***");
	assert_string_equal(joined, "--env=B=*");
	assert_string_equal(bare, "C");
	assert_string_equal(prompt, "--prompt-file=K=V");
	opts_release(table, ARRAY_LEN(table), &set);
	operands_release(&operands);
}

static void
test_defaults_stay_and_the_last_one_wins(void **state)
{
	struct run r;

	(void)state;
	run(&r, "-p a -p b --mode none --pipe");
	assert_int_equal(r.rc, 0);
	assert_string_equal(r.set.prompt, "b");
	assert_int_equal(r.set.iterations, 50);
	assert_true(r.set.colour);
	assert_int_equal(r.set.mode, 1);
	finish(&r);
}

static void
test_unlimited(void **state)
{
	struct run r;

	(void)state;
	run(&r, "-p a -n unlimited --timeout=unlimited");
	assert_int_equal(r.rc, 0);
	assert_int_equal(r.set.iterations, -1);
	assert_int_equal(r.set.timeout, -1);
	finish(&r);
	assert_refused(
	    "-p a --retries unlimited", "--retries must be a whole number (got 'unlimited')");
}

static void
test_operands_and_command(void **state)
{
	struct run r;

	(void)state;
	run(&r, "one -p a - two -- agent -h --bogus");
	assert_int_equal(r.rc, 0);
	assert_int_equal(r.operands.nargs, 3);
	assert_string_equal(r.operands.args[0], "one");
	assert_string_equal(r.operands.args[1], "-");
	assert_string_equal(r.operands.args[2], "two");
	assert_null(r.operands.args[3]);
	assert_string_equal(r.operands.command[0], "agent");
	assert_string_equal(r.operands.command[2], "--bogus");
	assert_null(r.operands.command[3]);
	finish(&r);
	run(&r, "-p a --");
	assert_non_null(r.operands.command);
	assert_null(r.operands.command[0]);
	finish(&r);
	run(&r, "-p a");
	assert_null(r.operands.command);
	finish(&r);
}

static void
test_prefixes(void **state)
{
	struct run r;

	(void)state;
	run(&r, "--prom a --max-i 3 --no-c --q");
	assert_int_equal(r.rc, 0);
	assert_int_equal(r.set.iterations, 3);
	assert_false(r.set.colour);
	assert_true(r.set.quiet);
	finish(&r);
	assert_refused("--max 3",
	    "option '--max' is ambiguous; it could be '--max-iterations', '--max-workers'");
	assert_refused("--max=3",
	    "option '--max' is ambiguous; it could be '--max-iterations', '--max-workers'");
}

static void
test_unknown_options(void **state)
{
	(void)state;
	assert_refused("--qiet", "unknown option '--qiet'; did you mean '--quiet'?");
	assert_refused("--tmeout=3", "unknown option '--tmeout'; did you mean '--timeout'?");
	assert_refused("-timeout", "unknown option '-timeout'; did you mean '--timeout'?");
	assert_refused("--elephants", "unknown option '--elephants'");
	assert_refused("-z", "unknown option '-z'");
	assert_refused("--=x", "unknown option '--=x'");
	assert_refused("--\033[2J", "unknown option '--\\x1b[2J'");
}

static void
test_a_text_may_begin_with_a_dash(void **state)
{
	struct run r;

	(void)state;
	parse(&r, "-p x one -bullet --unknown=x --quiet -", OPTS_DASHES);
	assert_int_equal(r.rc, 0);
	assert_int_equal(r.operands.nargs, 4);
	assert_string_equal(r.operands.args[1], "-bullet");
	assert_string_equal(r.operands.args[2], "--unknown=x");
	assert_string_equal(r.operands.args[3], "-");
	assert_true(r.set.quiet);
	finish(&r);
	/* An option that is one, but used wrongly, is still a mistake. */
	parse(&r, "-p x --mode sideways", OPTS_DASHES);
	assert_int_equal(r.rc, -1);
	finish(&r);
	parse(&r, "-p x text --quiet=yes", OPTS_DASHES);
	assert_int_equal(r.rc, -1);
	finish(&r);
}

static void
test_words_of_a_text_ask_for_no_help(void **state)
{
	struct run r;

	(void)state;
	parse(&r, "-p x one -h --help --he --help=x --quiet", OPTS_WORDS);
	assert_int_equal(r.rc, 0);
	assert_int_equal(r.operands.nargs, 5);
	assert_string_equal(r.operands.args[1], "-h");
	assert_string_equal(r.operands.args[4], "--help=x");
	assert_true(r.set.quiet);
	finish(&r);
	parse(&r, "-p x -h one", OPTS_WORDS);
	assert_int_equal(r.rc, 1);
	finish(&r);
	parse(&r, "-p x one -h", OPTS_DASHES);
	assert_int_equal(r.rc, 1);
	finish(&r);
	/* A mistake behind a word is told, whatever the next words are. */
	parse(&r, "-p x one --quiet=yes --help", OPTS_WORDS);
	assert_int_equal(r.rc, -1);
	finish(&r);
}

static void
test_two_dashes_among_words_are_a_word(void **state)
{
	struct run r;

	(void)state;
	parse(&r, "-p x one -- --quiet", OPTS_WORDS);
	assert_int_equal(r.rc, 0);
	assert_int_equal(r.operands.nargs, 3);
	assert_string_equal(r.operands.args[1], "--");
	assert_string_equal(r.operands.args[2], "--quiet");
	assert_null(r.operands.command);
	assert_false(r.set.quiet);
	finish(&r);
	parse(&r, "-p x -- one", OPTS_WORDS);
	assert_int_equal(r.rc, 0);
	assert_int_equal(r.operands.nargs, 0);
	assert_string_equal(r.operands.command[0], "one");
	finish(&r);
}

static void
test_hidden_options_must_be_spelled_out(void **state)
{
	struct run r;

	(void)state;
	run(&r, "-p a --secret-flag");
	assert_int_equal(r.rc, 0);
	assert_true(r.set.secret);
	finish(&r);
	assert_refused("--secret-fla", "unknown option '--secret-fla'");
}

static void
test_numbers_out_of_range(void **state)
{
	(void)state;
	assert_refused("-n 0", "--max-iterations must be at least 1 or 'unlimited' (got '0')");
	assert_refused(
	    "-n -1", "--max-iterations must be at least 1 or 'unlimited' (got '-1')");
	assert_refused("--max-workers 0", "--max-workers must be at least 1 (got '0')");
	assert_refused("--max-workers 65", "--max-workers must be at most 64 (got '65')");
	assert_refused("--retries -1", "--retries must be at least 0 (got '-1')");
	assert_refused("--retries 99999999999999999999",
	    "--retries must be at most 9223372036854775807 (got '99999999999999999999')");
	assert_refused("--retries -99999999999999999999",
	    "--retries must be at least 0 (got '-99999999999999999999')");
	assert_refused("--retries 3x", "--retries must be a whole number (got '3x')");
	assert_refused("--retries 0x3", "--retries must be a whole number (got '0x3')");
	assert_refused("--retries +3", "--retries must be a whole number (got '+3')");
	assert_refused("--retries ~", "--retries must be a whole number (got '')");
	assert_refused("--retries 1.5", "--retries must be a whole number (got '1.5')");
	assert_refused("-t 0", "--timeout must be more than 0 or 'unlimited' (got '0')");
	assert_refused("-t -5s", "--timeout must be more than 0 or 'unlimited' (got '-5s')");
	assert_refused("-t soon",
	    "--timeout: 'soon' is not a duration (such as 90, 90s, 30m, 1h30m or 2d)");
	assert_refused(
	    "--mode tty", "--mode must be pty, pipe or none (invalid choice: 'tty')");
}

static void
test_values_missing_or_too_many(void **state)
{
	(void)state;
	assert_refused("--prompt-file", "--prompt-file needs a value: FILE");
	assert_refused("-p", "--prompt-file needs a value: FILE");
	assert_refused("-p -- x", "--prompt-file needs a value: FILE");
	assert_refused("--mode", "--mode needs a value");
	assert_refused("--quiet=yes", "--quiet takes no value (got 'yes')");
	assert_refused("--no-colour=", "--no-colour takes no value (got '')");
	assert_refused("--quiet", "--prompt-file is required");
}

static void
test_help_comes_before_mistakes(void **state)
{
	static const char *const asks[] = {"--help", "-h", "-q -h", "--hel", "--bogus --help",
	    "--max 3 x -h", "-n 0 --help -- x"};
	struct run r;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(asks); i++) {
		run(&r, asks[i]);
		assert_int_equal(r.rc, 1);
		assert_string_equal(r.err.text, "");
		finish(&r);
	}
	run(&r, "-p --help"); /* there it is a value */
	assert_int_equal(r.rc, 0);
	assert_string_equal(r.set.prompt, "--help");
	finish(&r);
	assert_refused("--bogus -- --help", "unknown option '--bogus'");
}

static void
test_given(void **state)
{
	struct run r;

	(void)state;
	run(&r, "--prom --quiet --no-colour -- -t");
	assert_true(opts_given(table, ARRAY_LEN(table), &r.operands, "prompt-file"));
	assert_true(opts_given(table, ARRAY_LEN(table), &r.operands, "colour"));
	assert_false(opts_given(table, ARRAY_LEN(table), &r.operands, "quiet"));
	assert_false(opts_given(table, ARRAY_LEN(table), &r.operands, "timeout"));
	finish(&r);
}

static void
test_what_was_given_goes_over_what_is_there(void **state)
{
	struct settings there = {.iterations = 3, .retries = 4, .quiet = true};
	struct run r;

	(void)state;
	there.prompt = xstrdup("old.md");
	there.env = strlist_add(NULL, "A=1");
	run(&r, "--prompt-file new.md --retries 0 --no-colour -e B=2");
	opts_overlay(table, ARRAY_LEN(table), &r.operands, &r.set, &there);
	assert_string_equal(there.prompt, "new.md");
	assert_null(r.set.prompt);
	assert_int_equal(there.iterations, 3);
	assert_int_equal(there.retries, 0);
	assert_true(there.quiet);
	assert_int_equal(strlist_len(there.env), 2);
	assert_string_equal(there.env[1], "B=2");
	opts_release(table, ARRAY_LEN(table), &there);
	finish(&r);
}

static void
test_help_text(void **state)
{
	AUTO_BUF out = BUF_INIT;

	(void)state;
	opts_help(table, ARRAY_LEN(table), &out);
	assert_string_equal(out.data,
	    "Options:\n"
	    "  -p, --prompt-file FILE    Read the prompt from FILE (required)\n"
	    "  -n, --max-iterations N    Stop after N iterations (default: 50)\n"
	    "      --max-workers N       Run at most N workers at the same time, each of them\n"
	    "                            in a worktree of its own, so that they do not\n"
	    "                            disturb each other (default: 4)\n"
	    "      --retries N           Try again N times (default: 3)\n"
	    "  -t, --timeout DURATION    End an iteration after DURATION (default: 30m)\n"
	    "  -e, --env NAME=VALUE      Set a variable\n"
	    "      --mode pty|pipe|none  How to talk to the agent (default: pty)\n"
	    "      --pipe                Short for --mode pipe\n"
	    "  -q, --quiet               Say less\n"
	    "      --[no-]colour         Use colours (default: if a terminal)\n"
	    "  -h, --help                Show this help\n");
}

static void
test_a_long_label_has_its_own_line(void **state)
{
	static const struct opt opts[] = {{.name = "an-option-of-quite-some-length",
	    .type = OPT_TEXT,
	    .arg = "ARGUMENT",
	    .help = "Do it"}};
	AUTO_BUF out = BUF_INIT;

	(void)state;
	opts_help(opts, 1, &out);
	assert_string_equal(out.data, "Options:\n"
				      "      --an-option-of-quite-some-length ARGUMENT\n"
				      "              Do it\n"
				      "  -h, --help  Show this help\n");
}

static void
test_manual_text(void **state)
{
	static const struct opt opts[] = {
	    {.name = "out",
		.letter = 'o',
		.type = OPT_TEXT,
		.arg = "FILE",
		.dflt = "a\\b",
		.help = ".dot and \"quotes\" with a \\ in it"},
	    {.name = "path",
		.type = OPT_TEXT,
		.arg = "Pa",
		.flags = OPT_REQUIRED,
		.help = "Go"},
	    {.name = "colour", .type = OPT_FLAG, .flags = OPT_NEGATABLE, .help = "Paint"},
	    {.name = "gone", .type = OPT_FLAG, .flags = OPT_HIDDEN, .help = "Hidden"},
	};
	AUTO_BUF out = BUF_INIT;

	(void)state;
	opts_man(opts, ARRAY_LEN(opts), &out);
	assert_string_equal(out.data, ".It Fl o , Fl -out Ar FILE\n"
				      "\\&.dot and \\(dqquotes\\(dq with a \\e in it.\n"
				      "The default is a\\eb.\n"
				      ".It Fl -path Ar \\&Pa\n"
				      "Go.\n"
				      "This option is required.\n"
				      ".It Fl -colour , Fl -no-colour\n"
				      "Paint.\n"
				      ".It Fl h , Fl -help\n"
				      "Show this help.\n");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_every_type_is_stored),
	    cmocka_unit_test(test_a_secret_is_blanked_where_it_was_typed),
	    cmocka_unit_test(test_defaults_stay_and_the_last_one_wins),
	    cmocka_unit_test(test_unlimited),
	    cmocka_unit_test(test_operands_and_command),
	    cmocka_unit_test(test_prefixes),
	    cmocka_unit_test(test_unknown_options),
	    cmocka_unit_test(test_a_text_may_begin_with_a_dash),
	    cmocka_unit_test(test_words_of_a_text_ask_for_no_help),
	    cmocka_unit_test(test_two_dashes_among_words_are_a_word),
	    cmocka_unit_test(test_hidden_options_must_be_spelled_out),
	    cmocka_unit_test(test_numbers_out_of_range),
	    cmocka_unit_test(test_values_missing_or_too_many),
	    cmocka_unit_test(test_help_comes_before_mistakes),
	    cmocka_unit_test(test_given),
	    cmocka_unit_test(test_what_was_given_goes_over_what_is_there),
	    cmocka_unit_test(test_help_text),
	    cmocka_unit_test(test_a_long_label_has_its_own_line),
	    cmocka_unit_test(test_manual_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
