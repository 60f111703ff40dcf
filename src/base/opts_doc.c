/* Texts about options for people: the help text and the manual page. */
#include "base/opts.h"
#include <ctype.h>

#define HELP_WIDTH 80
#define HELP_COLUMN_MAX 32

static const struct opt help_opt = {
    .name = "help", .letter = 'h', .type = OPT_FLAG, .help = "Show this help"};

static const char *
arg_name(const struct opt *opt)
{
	if (opt->arg != NULL || opt->type == OPT_FLAG)
		return opt->arg;
	return opt->choices != NULL ? opt->choices : "VALUE";
}

static const char *
shown_default(const struct opt *opt)
{
	return opt->usual != NULL ? opt->usual : opt->dflt;
}

/* "  -p, --prompt-file FILE" */
static void
add_label(struct buf *out, const struct opt *opt)
{
	const char *arg = arg_name(opt);

	if (opt->letter)
		buf_addf(out, "  -%c, --", opt->letter);
	else
		buf_adds(out, "      --");
	buf_addf(out, "%s%s", opt->flags & OPT_NEGATABLE ? "[no-]" : "", opt->name);
	if (arg != NULL)
		buf_addf(out, " %s", arg);
}

static size_t
label_len(const struct opt *opt)
{
	AUTO_BUF label = BUF_INIT;

	add_label(&label, opt);
	return label.len;
}

/* Appends words from `column` on; the line before it is filled up to there. */
static void
opts_doc_add_wrapped(struct buf *out, const char *text, size_t column)
{
	size_t used = column;

	while (*text) {
		size_t len = strcspn(text, " ");
		bool first = used == column;

		if (!first && used + 1 + len > HELP_WIDTH) {
			buf_addf(out, "\n%*s", (int)column, "");
			used = column;
			first = true;
		}
		buf_addf(out, "%s%.*s", first ? "" : " ", (int)len, text);
		used += len + !first;
		text += len;
		text += strspn(text, " ");
	}
	buf_addc(out, '\n');
}

static void
add_help_row(struct buf *out, const struct opt *opt, size_t column)
{
	AUTO_BUF text = BUF_INIT;
	size_t start = out->len, len;

	add_label(out, opt);
	len = out->len - start;
	if (len + 2 > column) {
		buf_addc(out, '\n');
		len = 0;
	}
	buf_addf(out, "%*s", (int)(column - len), "");
	buf_adds(&text, opt->help != NULL ? opt->help : "");
	if (opt->flags & OPT_REQUIRED)
		buf_adds(&text, " (required)");
	else if (shown_default(opt) != NULL)
		buf_addf(&text, " (default: %s)", shown_default(opt));
	opts_doc_add_wrapped(out, text.data, column);
}

void
opts_help(const struct opt *opts, size_t nopts, struct buf *out)
{
	size_t column = label_len(&help_opt) + 2;

	for (size_t i = 0; i < nopts; i++) {
		size_t need = label_len(&opts[i]) + 2;

		/* A label too long for the column gets a line of its own. */
		if (!(opts[i].flags & OPT_HIDDEN) && need <= HELP_COLUMN_MAX && need > column)
			column = need;
	}
	buf_adds(out, "Options:\n");
	for (size_t i = 0; i < nopts; i++)
		if (!(opts[i].flags & OPT_HIDDEN))
			add_help_row(out, &opts[i], column);
	add_help_row(out, &help_opt, column);
}

/* Text that roff shall not read as its own: escapes, and control lines. */
static void
add_roff(struct buf *out, const char *s)
{
	if (*s == '.' || *s == '\'')
		buf_adds(out, "\\&");
	for (; *s; s++) {
		if (*s == '\\')
			buf_adds(out, "\\e");
		else if (*s == '"')
			buf_adds(out, "\\(dq");
		else if (*s == '\n')
			buf_addc(out, ' ');
		else
			buf_addc(out, *s);
	}
}

static void
add_man_arg(struct buf *out, const char *arg)
{
	if (arg == NULL)
		return;
	buf_adds(out, " Ar ");
	/* A name such as "Pa" would be taken for a macro. */
	if (strlen(arg) == 2 && isupper((unsigned char)arg[0]) &&
	    !isupper((unsigned char)arg[1]))
		buf_adds(out, "\\&");
	add_roff(out, arg);
}

static void
add_man_row(struct buf *out, const struct opt *opt)
{
	buf_adds(out, ".It ");
	if (opt->letter)
		buf_addf(out, "Fl %c , ", opt->letter);
	buf_addf(out, "Fl -%s", opt->name);
	add_man_arg(out, arg_name(opt));
	if (opt->flags & OPT_NEGATABLE)
		buf_addf(out, " , Fl -no-%s", opt->name);
	buf_addc(out, '\n');
	add_roff(out, opt->help != NULL ? opt->help : "");
	buf_adds(out, ".\n");
	if (opt->flags & OPT_REQUIRED)
		buf_adds(out, "This option is required.\n");
	if (shown_default(opt) != NULL) {
		buf_adds(out, "The default is ");
		add_roff(out, shown_default(opt));
		buf_adds(out, ".\n");
	}
}

void
opts_man(const struct opt *opts, size_t nopts, struct buf *out)
{
	for (size_t i = 0; i < nopts; i++)
		if (!(opts[i].flags & OPT_HIDDEN))
			add_man_row(out, &opts[i]);
	add_man_row(out, &help_opt);
}
