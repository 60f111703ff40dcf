/*
 * The words of a command line, for the real commands with their real tables.  Words that are
 * taken are all stored, or are operands, in order; values are within what the table says, and
 * what was not given is untouched; written out in full they are read as the same; words that
 * are refused are refused with one printable sentence; and nothing is read beyond the words.
 *
 * One word a line; the first line is the program, the next ones name its command.
 */
#include "base/alloc.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/size.h"
#include "cmd/cmd.h"
#include <inttypes.h>

#define WORDS_MAX 64
#define YEARS_10 (INT64_C(10) * 366 * 86400 * NSEC_PER_SEC)

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The words of one parse, each in memory of just its size. */
struct words {
	char **v;
	int n;
};

static void
words_add(struct words *w, const char *text, size_t len)
{
	/* Not one element more: the list has no end but its number. */
	w->v = xreallocarray(w->v, (size_t)w->n + 1, sizeof(*w->v));
	w->v[w->n++] = xstrndup(text, len);
}

static void
words_release(struct words *w)
{
	for (int i = 0; i < w->n; i++)
		free(w->v[i]);
	free(w->v);
	*w = (struct words){0};
}

/* ---- a parse ----------------------------------------------------------------------- */

struct parsed {
	void *opts;
	struct operands operands;
	struct err err;
	int rc;
};

static void
parse(const struct cmd *cmd, const struct words *w, struct parsed *p)
{
	*p = (struct parsed){.opts = xcalloc(1, cmd->size > 0 ? cmd->size : 1)};
	if (cmd->init != NULL)
		cmd->init(p->opts);
	p->rc = opts_parse(cmd->opts, cmd->nopts, w->n, w->v,
	    cmd->dashes ? OPTS_DASHES : OPTS_PLAIN, p->opts, &p->operands, &p->err);
}

static void
parsed_release(const struct cmd *cmd, struct parsed *p)
{
	if (cmd->release != NULL)
		cmd->release(p->opts);
	opts_release(cmd->opts, cmd->nopts, p->opts);
	operands_release(&p->operands);
	free(p->opts);
}

/* ---- what is true of it ------------------------------------------------------------ */

static void
check_sentence(const struct err *err)
{
	size_t len = strlen(err->text);

	ENSURE(len > 0);
	for (size_t i = 0; i < len; i++)
		ENSURE(err->text[i] == '\t' ||
		       ((unsigned char)err->text[i] >= 0x20 && err->text[i] != 0x7f));
}

/* They are words that were given, in their order, and end before the "--". */
static void
check_operands(const struct operands *o, const struct words *w)
{
	int at = 0, end = o->command != NULL ? (int)(o->command - w->v) - 1 : w->n;

	ENSURE(end >= 0 && end <= w->n && (end == w->n || strcmp(w->v[end], "--") == 0));
	for (size_t i = 0; i < o->nargs; i++, at++) {
		while (at < end && w->v[at] != o->args[i])
			at++;
		ENSURE(at < end);
	}
	ENSURE(o->args[o->nargs] == NULL);
}

static size_t
count_choices(const char *choices)
{
	size_t n = 1;

	for (; *choices != '\0'; choices++)
		n += *choices == '|';
	return n;
}

static void
check_value(const struct opt *o, const void *slot)
{
	int64_t n = 0;

	if (o->type == OPT_COUNT || o->type == OPT_SPAN || o->type == OPT_SIZE)
		n = *(const int64_t *)slot;
	if ((o->flags & OPT_UNLIMITED) && n == -1)
		return;
	if (o->type == OPT_COUNT) {
		ENSURE(n >= (o->min > 1 ? o->min : 1) || (n == 0 && (o->flags & OPT_ZERO)));
		ENSURE(o->max <= 0 || n <= o->max);
	} else if (o->type == OPT_SPAN) {
		ENSURE(n > 0 || (n == 0 && (o->flags & OPT_ZERO)));
		ENSURE(n <= YEARS_10);
	} else if (o->type == OPT_SIZE) {
		ENSURE((n > 0 || (o->flags & OPT_ZERO)) && n <= SIZE_LIMIT);
	} else if (o->type == OPT_CHOICE) {
		ENSURE(*(const int *)slot >= 0 &&
		       (size_t) * (const int *)slot < count_choices(o->choices));
	} else if (o->type == OPT_TEXT) {
		ENSURE(*(char *const *)slot != NULL);
	} else if (o->type == OPT_LIST) {
		ENSURE(strlist_len(*(char **const *)slot) > 0);
	}
}

static bool
values_are_equal(const struct opt *o, const void *a, const void *b)
{
	switch (o->type) {
	case OPT_FLAG:
		return (o->flags & OPT_SETS) ? *(const int *)a == *(const int *)b
					     : *(const bool *)a == *(const bool *)b;
	case OPT_CHOICE:
		return *(const int *)a == *(const int *)b;
	case OPT_COUNT:
	case OPT_SIZE:
	case OPT_SPAN:
		return *(const int64_t *)a == *(const int64_t *)b;
	case OPT_TEXT: {
		const char *x = *(char *const *)a, *y = *(char *const *)b;

		return x == NULL || y == NULL ? x == y : strcmp(x, y) == 0;
	}
	case OPT_LIST: {
		char *const *x = *(char **const *)a, *const *y = *(char **const *)b;
		size_t n = strlist_len(x);

		for (size_t i = 0; i < n && i < strlist_len(y); i++)
			if (strcmp(x[i], y[i]) != 0)
				return false;
		return n == strlist_len(y);
	}
	}
	return false;
}

static const void *
slot_of(const struct opt *o, const void *opts)
{
	return (const char *)opts + o->offset;
}

/* ---- written out in full ----------------------------------------------------------- */

static void
add_text(struct words *w, const struct opt *o, const char *text)
{
	AUTO_FREE char *word = xasprintf("--%s=%s", o->name, text);

	words_add(w, word, strlen(word));
}

/* "pty" of "pipe|pty". */
static void
add_choice(struct words *w, const struct opt *o, int index)
{
	const char *at = o->choices;
	AUTO_FREE char *text = NULL;

	for (; index > 0; index--)
		at = strchr(at, '|') + 1;
	text = xstrndup(at, strcspn(at, "|"));
	add_text(w, o, text);
}

static void
add_number(struct words *w, const struct opt *o, int64_t n)
{
	AUTO_FREE char *text = NULL;

	if (n == -1 && (o->flags & OPT_UNLIMITED))
		text = xstrdup("unlimited");
	else if (o->type == OPT_COUNT || o->type == OPT_SIZE)
		text = xasprintf("%" PRId64, n);
	else
		text =
		    xasprintf("%" PRId64 ".%09" PRId64 "s", n / NSEC_PER_SEC, n % NSEC_PER_SEC);
	add_text(w, o, text);
}

static void
add_option(struct words *w, const struct opt *o, const void *slot)
{
	AUTO_FREE char *flag = NULL;

	switch (o->type) {
	case OPT_FLAG:
		flag = xasprintf("--%s%s",
		    (o->flags & OPT_SETS) || *(const bool *)slot ? "" : "no-", o->name);
		words_add(w, flag, strlen(flag));
		break;
	case OPT_TEXT:
		add_text(w, o, *(char *const *)slot);
		break;
	case OPT_LIST:
		for (char *const *s = *(char **const *)slot; s != NULL && *s != NULL; s++)
			add_text(w, o, *s);
		break;
	case OPT_COUNT:
	case OPT_SIZE:
	case OPT_SPAN:
		add_number(w, o, *(const int64_t *)slot);
		break;
	case OPT_CHOICE:
		add_choice(w, o, *(const int *)slot);
		break;
	}
}

/* A list that began with something of its own would have it twice; and of several flags for one
 * value, the one that has the last word says it. */
static bool
can_be_written(const struct opt *o, const struct parsed *p, const struct parsed *fresh)
{
	if (o->type == OPT_LIST)
		return strlist_len(*(char **const *)slot_of(o, fresh->opts)) == 0;
	return !(o->flags & OPT_SETS) || *(const int *)slot_of(o, p->opts) == (int)o->min;
}

static void
check_stored(const struct cmd *cmd, const struct parsed *p)
{
	struct words full = {0}, none = {0};
	struct parsed fresh, again;

	parse(cmd, &none, &fresh);
	for (size_t i = 0; i < cmd->nopts; i++) {
		const struct opt *o = &cmd->opts[i];
		bool given = false;

		for (size_t k = 0; k < cmd->nopts; k++)
			given = given || (cmd->opts[k].offset == o->offset &&
					     opts_given(cmd->opts, cmd->nopts, &p->operands,
						 cmd->opts[k].name));
		if (!given)
			ENSURE(
			    values_are_equal(o, slot_of(o, p->opts), slot_of(o, fresh.opts)));
		if (!given)
			continue;
		if (opts_given(cmd->opts, cmd->nopts, &p->operands, o->name))
			check_value(o, slot_of(o, p->opts));
		if (opts_given(cmd->opts, cmd->nopts, &p->operands, o->name) &&
		    can_be_written(o, p, &fresh))
			add_option(&full, o, slot_of(o, p->opts));
	}
	parse(cmd, &full, &again);
	if (!cmd->dashes) {
		ENSURE(again.rc == 0 && again.operands.nargs == 0);
		for (size_t i = 0; i < cmd->nopts; i++)
			ENSURE(cmd->opts[i].type == OPT_LIST ||
			       values_are_equal(&cmd->opts[i], slot_of(&cmd->opts[i], p->opts),
				   slot_of(&cmd->opts[i], again.opts)));
	}
	parsed_release(cmd, &again);
	parsed_release(cmd, &fresh);
	words_release(&full);
}

/* ---- the tables -------------------------------------------------------------------- */

/* A value that every option of its kind takes. */
static void
add_sample(struct words *w, const struct opt *o)
{
	if (o->type == OPT_CHOICE)
		add_choice(w, o, (int)count_choices(o->choices) - 1);
	else if (o->type == OPT_COUNT)
		add_number(w, o, o->max > 0 ? o->max : o->min > 1 ? o->min : 1);
	else if (o->type == OPT_SPAN)
		add_number(w, o, NSEC_PER_SEC);
	else if (o->type == OPT_SIZE)
		add_number(w, o, INT64_C(1) << 20);
	else
		add_text(w, o, "word");
}

/* Every word that the help names is taken, and says what it says there. */
static void
check_table(const struct cmd *cmd)
{
	AUTO_BUF help = BUF_INIT;

	opts_help(cmd->opts, cmd->nopts, &help);
	for (size_t i = 0; i < cmd->nopts; i++) {
		const struct opt *o = &cmd->opts[i];
		AUTO_FREE char *name = xasprintf("--%s", o->name);
		AUTO_FREE char *shown =
		    xasprintf("--%s%s", o->flags & OPT_NEGATABLE ? "[no-]" : "", o->name);
		struct words w = {0};
		struct parsed p;

		ENSURE((o->flags & OPT_HIDDEN) || strstr(help.data, shown) != NULL);
		ENSURE(o->offset < cmd->size);
		if (o->type == OPT_FLAG)
			words_add(&w, name, strlen(name));
		else
			add_sample(&w, o);
		parse(cmd, &w, &p);
		/* Others may be required. */
		ENSURE(p.rc == 0 || strstr(p.err.text, "is required") != NULL);
		ENSURE(opts_given(cmd->opts, cmd->nopts, &p.operands, o->name));
		check_value(o, slot_of(o, p.opts));
		parsed_release(cmd, &p);
		words_release(&w);
	}
}

/* The command with all of its options as its rows, which the caller frees. */
static struct cmd
whole(const struct cmd *row, struct opt **opts)
{
	struct cmd cmd = *row;

	cmd.opts = *opts = cmd_options(row, &cmd.nopts);
	return cmd;
}

static void
check_tables(const struct cmd *const *c)
{
	for (; *c != NULL; c++) {
		AUTO_FREE struct opt *opts = NULL;
		struct cmd cmd = whole(*c, &opts);

		check_table(&cmd);
	}
}

int
LLVMFuzzerInitialize(int *argc UNUSED, char ***argv UNUSED)
{
	check_tables(ralph_commands);
	check_tables(swarm_commands);
	return 0;
}

static void
split(const uint8_t *data, size_t size, struct words *w)
{
	const char *at = (const char *)data, *end = at + size;

	while (at < end && w->n < WORDS_MAX) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		size_t len = (size_t)((newline != NULL ? newline : end) - at);

		words_add(w, at, len);
		at += len + 1;
	}
}

/* The command that the words begin with; they go. */
static const struct cmd *
take_command(struct words *w)
{
	const struct cmd *cmd;
	char *names[3] = {0};
	int words;

	for (int i = 1; i < 3 && i < w->n; i++)
		names[i - 1] = w->v[i];
	log_set_name(strcmp(w->v[0], "swarm") == 0 ? "swarm" : "ralph");
	cmd = cmd_find(names, &words);
	for (int i = 0; cmd != NULL && i <= words; i++) {
		free(w->v[0]);
		memmove(&w->v[0], &w->v[1], (size_t)(--w->n) * sizeof(w->v[0]));
	}
	w->v = cmd == NULL ? w->v : xreallocarray(w->v, (size_t)w->n, sizeof(*w->v));
	return cmd;
}

static void
check_words(const struct cmd *row, const struct words *w)
{
	AUTO_FREE struct opt *opts = NULL;
	struct cmd cmd = whole(row, &opts);
	struct parsed p;

	parse(&cmd, w, &p);
	if (p.rc < 0)
		check_sentence(&p.err);
	else
		ENSURE(p.err.text[0] == '\0');
	if (p.rc == 0) {
		check_operands(&p.operands, w);
		check_stored(&cmd, &p);
	}
	parsed_release(&cmd, &p);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct words w = {0};
	const struct cmd *cmd;

	split(data, size, &w);
	cmd = w.n > 0 ? take_command(&w) : NULL;
	if (cmd != NULL)
		check_words(cmd, &w);
	words_release(&w);
	return 0;
}
