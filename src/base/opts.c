#include "base/opts.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "base/size.h"
#include "base/text.h"
#include <errno.h>
#include <inttypes.h>

#define UNLIMITED "unlimited"

/* Understood everywhere, without a row in the caller's table. */
static const struct opt help_opt = {.name = "help", .letter = 'h', .type = OPT_FLAG};

/* One way to spell an option; "no-name" is a word of its own. */
struct spelling {
	const struct opt *opt;
	bool negated;
	char *text;
};

struct opts_scan {
	int argc;
	char **argv;
	int at; /* the next argument to look at */
	struct spelling *spellings;
	size_t nspellings;
	enum opts_text text;
	bool begun; /* there was an operand */
	bool ended; /* a "--" among the words: no options follow */
};

struct token {
	enum { TOKEN_OPTION, TOKEN_OPERAND, TOKEN_HELP, TOKEN_END } kind;
	const struct opt *opt;
	bool negated;
	char *text; /* the option's value, or the operand */
};

static bool
takes_value(const struct opt *opt)
{
	return opt->type != OPT_FLAG;
}

static void
scan_add_spelling(struct opts_scan *scan, const struct opt *opt, bool negated)
{
	struct spelling *word = &scan->spellings[scan->nspellings++];

	word->opt = opt;
	word->negated = negated;
	word->text = xasprintf("%s%s", negated ? "no-" : "", opt->name);
}

static void
opts_scan_init(
    struct opts_scan *scan, const struct opt *opts, size_t nopts, int argc, char **argv)
{
	*scan = (struct opts_scan){.argc = argc, .argv = argv};
	scan->spellings = xcalloc(2 * nopts + 1, sizeof(*scan->spellings));
	scan_add_spelling(scan, &help_opt, false);
	for (size_t i = 0; i < nopts; i++) {
		scan_add_spelling(scan, &opts[i], false);
		if (opts[i].flags & OPT_NEGATABLE)
			scan_add_spelling(scan, &opts[i], true);
	}
}

static void
opts_scan_release(struct opts_scan *scan)
{
	for (size_t i = 0; i < scan->nspellings; i++)
		free(scan->spellings[i].text);
	free(scan->spellings);
}

static bool
spelling_is_shown(const struct spelling *word)
{
	return !(word->opt->flags & OPT_HIDDEN);
}

static int
unknown_option(const struct opts_scan *scan, const char *arg, const char *name, struct err *err)
{
	AUTO_FREE const char **names = xcalloc(scan->nspellings, sizeof(*names));
	AUTO_BUF quoted = BUF_INIT;
	const char *nearest;
	size_t n = 0;

	for (size_t i = 0; i < scan->nspellings; i++)
		if (spelling_is_shown(&scan->spellings[i]))
			names[n++] = scan->spellings[i].text;
	nearest = text_nearest(name, names, n);
	text_quote(&quoted, arg);
	if (nearest != NULL)
		buf_addf(&quoted, "; did you mean '--%s'?", nearest);
	return err_set(err, "unknown option %s", quoted.data);
}

static void
ambiguous_option(const struct opts_scan *scan, const char *name, size_t len, struct err *err)
{
	AUTO_BUF list = BUF_INIT;

	for (size_t i = 0; i < scan->nspellings; i++) {
		const struct spelling *word = &scan->spellings[i];

		if (spelling_is_shown(word) && strncmp(word->text, name, len) == 0)
			buf_addf(&list, "%s'--%s'", list.len > 0 ? ", " : "", word->text);
	}
	/* As a prefix of our own words the name is harmless. */
	err_set(err, "option '--%.*s' is ambiguous; it could be %s", (int)len, name, list.data);
}

/* Finds the word that arg spells or abbreviates with len bytes behind its dashes. */
static const struct spelling *
find_spelling(const struct opts_scan *scan, const char *arg, size_t len, struct err *err)
{
	const struct spelling *found = NULL;
	AUTO_FREE char *copy = NULL;
	size_t matches = 0;

	for (size_t i = 0; i < scan->nspellings; i++) {
		const struct spelling *word = &scan->spellings[i];

		if (strncmp(word->text, arg + 2, len) != 0)
			continue;
		if (strlen(word->text) == len)
			return word;
		if (spelling_is_shown(word) && matches++ == 0)
			found = word;
	}
	if (matches == 1)
		return found;
	if (matches > 1) {
		ambiguous_option(scan, arg + 2, len, err);
		return NULL;
	}
	copy = xstrndup(arg, len + 2);
	unknown_option(scan, copy, copy + 2, err);
	return NULL;
}

/* Gives an option its value: the rest behind '=', or the next argument. */
static int
scan_value(struct opts_scan *scan, struct token *token, char *attached, struct err *err)
{
	const struct opt *opt = token->opt;
	AUTO_BUF quoted = BUF_INIT;

	if (attached != NULL && !takes_value(opt)) {
		text_quote(&quoted, attached);
		return err_set(err, "--%s%s takes no value (got %s)",
		    token->negated ? "no-" : "", opt->name, quoted.data);
	}
	token->text = attached;
	if (attached != NULL || !takes_value(opt))
		return 0;
	if (scan->at >= scan->argc || strcmp(scan->argv[scan->at], "--") == 0)
		return err_set(err, "--%s needs a value%s%s", opt->name,
		    opt->arg != NULL ? ": " : "", opt->arg != NULL ? opt->arg : "");
	token->text = scan->argv[scan->at++];
	return 0;
}

static int
scan_long(struct opts_scan *scan, struct token *token, char *arg, struct err *err)
{
	const struct spelling *word;
	char *equals = strchr(arg, '=');
	size_t len = equals != NULL ? (size_t)(equals - arg) - 2 : strlen(arg) - 2;

	/* "--=x" would abbreviate everything. */
	if (len == 0)
		return unknown_option(scan, arg, "", err);
	word = find_spelling(scan, arg, len, err);
	if (word == NULL)
		return -1;
	token->opt = word->opt;
	token->negated = word->negated;
	return scan_value(scan, token, equals != NULL ? equals + 1 : NULL, err);
}

static int
scan_letter(struct opts_scan *scan, struct token *token, char *arg, struct err *err)
{
	for (size_t i = 0; i < scan->nspellings && arg[2] == '\0'; i++) {
		if (scan->spellings[i].opt->letter != arg[1])
			continue;
		token->opt = scan->spellings[i].opt;
		token->negated = false;
		return scan_value(scan, token, NULL, err);
	}
	/* The likeliest slip here is one dash instead of two. */
	return unknown_option(scan, arg, arg + 1, err);
}

static int
scan_operand(struct opts_scan *scan, struct token *token, char *arg)
{
	*token = (struct token){.kind = TOKEN_OPERAND, .text = arg};
	scan->begun = true;
	return 0;
}

static int
opts_scan_next(struct opts_scan *scan, struct token *token, struct err *err)
{
	char *arg = scan->at < scan->argc ? scan->argv[scan->at] : NULL;
	int rc;

	*token = (struct token){.kind = TOKEN_END};
	if (arg != NULL && strcmp(arg, "--") == 0 && scan->text == OPTS_WORDS && scan->begun)
		scan->ended = true;
	else if (arg == NULL || strcmp(arg, "--") == 0)
		return 0;
	scan->at++;
	if (arg[0] != '-' || arg[1] == '\0' || scan->ended)
		return scan_operand(scan, token, arg);
	token->kind = TOKEN_OPTION;
	rc = arg[1] == '-' ? scan_long(scan, token, arg, err)
			   : scan_letter(scan, token, arg, err);
	if (rc < 0 && scan->text != OPTS_PLAIN && token->opt == NULL)
		return scan_operand(scan, token, arg);
	if (scan->text == OPTS_WORDS && scan->begun && token->opt == &help_opt)
		return scan_operand(scan, token, arg);
	if (rc == 0 && token->opt == &help_opt)
		token->kind = TOKEN_HELP;
	return rc;
}

/* Does --help or -h follow?  A request for help wins over a mistake before it. */
static bool
help_follows(const struct opts_scan *scan)
{
	if (scan->text == OPTS_WORDS && scan->begun)
		return false;
	for (int i = scan->at; i < scan->argc && strcmp(scan->argv[i], "--") != 0; i++)
		if (strcmp(scan->argv[i], "--help") == 0 || strcmp(scan->argv[i], "-h") == 0)
			return true;
	return false;
}

/* The sentence for a value that is a number, but none that will do. */
static int
refuse_value(const struct opt *opt, const char *limit, const char *value, struct err *err)
{
	AUTO_BUF quoted = BUF_INIT;

	text_quote(&quoted, value);
	return err_set(err, "--%s must be %s%s (got %s)", opt->name, limit,
	    opt->flags & OPT_UNLIMITED ? " or '" UNLIMITED "'" : "", quoted.data);
}

static bool
opts_is_number(const char *s)
{
	const char *digits = *s == '-' ? s + 1 : s;

	return *digits && digits[strspn(digits, "0123456789")] == '\0';
}

static int
store_count(const struct opt *opt, int64_t *out, const char *value, struct err *err)
{
	int64_t min = opt->min > 1 ? opt->min : 1;
	int64_t max = opt->max > 0 ? opt->max : INT64_MAX;
	char limit[64];
	int64_t n;

	if (!opts_is_number(value))
		return refuse_value(opt, "a whole number", value, err);
	errno = 0;
	n = strtoll(value, NULL, 10);
	if (n > max || (n > 0 && errno == ERANGE)) {
		snprintf(limit, sizeof(limit), "at most %" PRId64, max);
		return refuse_value(opt, limit, value, err);
	}
	if (n < min && !(n == 0 && (opt->flags & OPT_ZERO))) {
		if (!(opt->flags & OPT_ZERO))
			snprintf(limit, sizeof(limit), "at least %" PRId64, min);
		else if (min == 1)
			snprintf(limit, sizeof(limit), "at least 0");
		else
			snprintf(limit, sizeof(limit), "0 or at least %" PRId64, min);
		return refuse_value(opt, limit, value, err);
	}
	*out = n;
	return 0;
}

static int
store_span(const struct opt *opt, int64_t *out, const char *value, struct err *err)
{
	const char *limit = opt->flags & OPT_ZERO ? "at least 0" : "more than 0";
	int64_t ns;

	if (value[0] == '-' && value[1] >= '0' && value[1] <= '9')
		return refuse_value(opt, limit, value, err);
	if (clock_parse_span(value, &ns, err) < 0)
		return err_prefix(err, "--%s", opt->name);
	if (ns == 0 && !(opt->flags & OPT_ZERO))
		return refuse_value(opt, limit, value, err);
	*out = ns;
	return 0;
}

static int
store_size(const struct opt *opt, int64_t *out, const char *value, struct err *err)
{
	int64_t bytes;

	if (size_parse(value, &bytes, err) < 0)
		return err_prefix(err, "--%s", opt->name);
	if (bytes == 0 && !(opt->flags & OPT_ZERO))
		return refuse_value(opt, "more than 0", value, err);
	*out = bytes;
	return 0;
}

/* "pty|pipe|none" as "pty, pipe or none". */
static void
add_choices(struct buf *out, const char *choices)
{
	for (const char *at = choices;;) {
		size_t len = strcspn(at, "|");

		buf_add(out, at, len);
		at += len;
		if (!*at++)
			return;
		buf_adds(out, strchr(at, '|') != NULL ? ", " : " or ");
	}
}

static int
store_choice(const struct opt *opt, int *out, const char *value, struct err *err)
{
	AUTO_BUF list = BUF_INIT, quoted = BUF_INIT;
	int index = text_choice(opt->choices, value);

	if (index >= 0) {
		*out = index;
		return 0;
	}
	add_choices(&list, opt->choices);
	text_quote(&quoted, value);
	return err_set(
	    err, "--%s must be %s (invalid choice: %s)", opt->name, list.data, quoted.data);
}

/* Every user may read the arguments of a process, as long as the process lives. */
static void
hide_value(char *arg)
{
	char *equals = strchr(arg, '=');

	if (equals != NULL)
		memset(equals + 1, '*', strlen(equals + 1));
}

static int
store(const struct token *token, void *target, struct err *err)
{
	const struct opt *opt = token->opt;
	void *slot = (char *)target + opt->offset;

	ENSURE(token->text != NULL || !takes_value(opt));
	if ((opt->flags & OPT_UNLIMITED) && token->text != NULL &&
	    strcmp(token->text, UNLIMITED) == 0) {
		*(int64_t *)slot = -1;
		return 0;
	}
	switch (opt->type) {
	case OPT_FLAG:
		if (opt->flags & OPT_SETS)
			*(int *)slot = (int)opt->min;
		else
			*(bool *)slot = !token->negated;
		return 0;
	case OPT_TEXT:
		free(*(char **)slot);
		*(char **)slot = xstrdup(token->text);
		return 0;
	case OPT_LIST:
		*(char ***)slot = strlist_add(*(char ***)slot, token->text);
		if (opt->flags & OPT_SECRET)
			hide_value(token->text);
		return 0;
	case OPT_COUNT:
		return store_count(opt, slot, token->text, err);
	case OPT_SPAN:
		return store_span(opt, slot, token->text, err);
	case OPT_SIZE:
		return store_size(opt, slot, token->text, err);
	case OPT_CHOICE:
		return store_choice(opt, slot, token->text, err);
	}
	BUG("option '%s' has no type", opt->name);
}

static int
check_required(const struct opt *opts, size_t nopts, const bool *given, struct err *err)
{
	for (size_t i = 0; i < nopts; i++)
		if ((opts[i].flags & OPT_REQUIRED) && !given[i])
			return err_set(err, "--%s is required", opts[i].name);
	return 0;
}

/* Stores every token up to the end; 1 when help was asked for. */
static int
parse_tokens(struct opts_scan *scan, const struct opt *opts, void *target,
    struct operands *operands, struct err *err)
{
	struct token token;

	for (;;) {
		if (opts_scan_next(scan, &token, err) < 0)
			return -1;
		switch (token.kind) {
		case TOKEN_END:
			return 0;
		case TOKEN_HELP:
			return 1;
		case TOKEN_OPERAND:
			operands->args[operands->nargs++] = token.text;
			break;
		case TOKEN_OPTION:
			if (store(&token, target, err) < 0)
				return -1;
			operands->given[token.opt - opts] = true;
			break;
		}
	}
}

static void
store_usual(const struct opt *opts, size_t nopts, void *target)
{
	struct err err = ERR_INIT;

	for (size_t i = 0; i < nopts; i++) {
		AUTO_FREE char *text = opts[i].usual != NULL ? xstrdup(opts[i].usual) : NULL;

		if (text != NULL &&
		    store(&(struct token){.opt = &opts[i], .text = text}, target, &err) < 0)
			BUG("%s", err.text);
	}
}

int
opts_parse(const struct opt *opts, size_t nopts, int argc, char **argv, enum opts_text text,
    void *target, struct operands *operands, struct err *err)
{
	struct err first = ERR_INIT;
	struct opts_scan scan;
	int rc;

	*operands = (struct operands){
	    .args = xcalloc((size_t)argc + 1, sizeof(char *)),
	    .given = xcalloc(nopts, sizeof(bool)),
	};
	store_usual(opts, nopts, target);
	opts_scan_init(&scan, opts, nopts, argc, argv);
	scan.text = text;
	rc = parse_tokens(&scan, opts, target, operands, &first);
	if (rc < 0 && help_follows(&scan))
		rc = 1;
	if (rc == 0 && scan.at < argc)
		operands->command = argv + scan.at + 1;
	if (rc == 0)
		rc = check_required(opts, nopts, operands->given, &first);
	if (rc < 0)
		err_set(err, "%s", first.text);
	opts_scan_release(&scan);
	return rc;
}

void
operands_release(struct operands *operands)
{
	free(operands->args);
	free(operands->given);
	*operands = (struct operands){.args = NULL};
}

bool
opts_given(
    const struct opt *opts, size_t nopts, const struct operands *operands, const char *name)
{
	for (size_t i = 0; i < nopts; i++)
		if (operands->given[i] && strcmp(opts[i].name, name) == 0)
			return true;
	return false;
}

static size_t
slot_size(const struct opt *opt)
{
	static const size_t sizes[] = {[OPT_FLAG] = sizeof(bool),
	    [OPT_TEXT] = sizeof(char *),
	    [OPT_LIST] = sizeof(char **),
	    [OPT_COUNT] = sizeof(int64_t),
	    [OPT_SPAN] = sizeof(int64_t),
	    [OPT_SIZE] = sizeof(int64_t),
	    [OPT_CHOICE] = sizeof(int)};

	return opt->flags & OPT_SETS ? sizeof(int) : sizes[opt->type];
}

void
opts_overlay(
    const struct opt *opts, size_t nopts, const struct operands *operands, void *from, void *to)
{
	for (size_t i = 0; i < nopts; i++) {
		void *source = (char *)from + opts[i].offset,
		     *slot = (char *)to + opts[i].offset;
		char **list = opts[i].type == OPT_LIST ? *(char ***)source : NULL;

		for (; list != NULL && *list != NULL; list++)
			*(char ***)slot = strlist_add(*(char ***)slot, *list);
		if (opts[i].type == OPT_LIST || !operands->given[i])
			continue;
		if (opts[i].type == OPT_TEXT)
			free(*(char **)slot);
		memcpy(slot, source, slot_size(&opts[i]));
		if (opts[i].type == OPT_TEXT)
			*(char **)source = NULL;
	}
}

void
opts_release(const struct opt *opts, size_t nopts, void *target)
{
	for (size_t i = 0; i < nopts; i++) {
		void *slot = (char *)target + opts[i].offset;

		if (opts[i].type == OPT_TEXT)
			free(take_ptr(*(char **)slot));
		else if (opts[i].type == OPT_LIST)
			strlist_free(take_ptr(*(char ***)slot));
	}
}
