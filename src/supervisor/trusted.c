/*
 * trusted.c - a loop and what is trusted where it works: who runs, and what has changed.
 */
#include "supervisor/inside.h"

#include "base/alloc.h"
#include "base/log.h"
#include "base/text.h"
#include "git/trust/trust.h"
#include "loops/loop_view.h"

#define NAMED 6
#define NAME_HEAD 30
#define NAME_TAIL 40
#define CHANGED "changed while an agent worked, and without effect until 'ralph trust': "
#define LIST_MAX (TEXT_MAX - sizeof(CHANGED))

static const char *
trusted_place_of(const struct running *r)
{
	if (r->settings.root != NULL)
		return r->settings.root;
	return r->settings.cwd != NULL ? r->settings.cwd : ".";
}

static bool
trusted_lives(const char *loop)
{
	struct loop_view v;
	bool yes;

	if (loop_view_open(&v, loop, NULL) < 0)
		return false;
	yes = v.supervised || loop_view_agent_lives(&v);
	loop_view_close(&v);
	return yes;
}

static bool
trusted_is_inside(char c) /* a character of several bytes, and not its first */
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

/* A name keeps its beginning, which says what it is, and its end, which is the key. */
static void
trusted_add_name(const char *name, struct buf *out)
{
	AUTO_BUF shown = BUF_INIT;
	size_t head = NAME_HEAD, tail;

	text_show(&shown, name, strlen(name), false);
	if (shown.len <= NAME_HEAD + NAME_TAIL) {
		buf_add(out, shown.data, shown.len);
		return;
	}
	tail = shown.len - NAME_TAIL;
	while (trusted_is_inside(shown.data[head]))
		head--;
	while (trusted_is_inside(shown.data[tail]))
		tail++;
	buf_add(out, shown.data, head);
	buf_adds(out, "...");
	buf_add(out, shown.data + tail, shown.len - tail);
}

/* Appends how many names are not shown, by their kinds. */
static void
trusted_add_others(char *const *names, size_t n, struct buf *out)
{
	static const char *const words[TRUST_KINDS] = {
	    [TRUST_IS_HOOK] = "hook",
	    [TRUST_IS_FILTER] = "filter",
	    [TRUST_IS_COMMAND] = "command",
	    [TRUST_IS_SETTING] = "setting",
	};
	size_t count[TRUST_KINDS] = {0};
	const char *between = "";

	if (n == 0)
		return;
	for (size_t i = 0; i < n; i++)
		count[trust_kind(names[i])]++;
	buf_addf(out, " and %zu more (", n);
	for (size_t k = 0; k < TRUST_KINDS; k++) {
		if (count[k] == 0)
			continue;
		buf_addf(
		    out, "%s%zu %s%s", between, count[k], words[k], count[k] == 1 ? "" : "s");
		between = ", ";
	}
	buf_addc(out, ')');
}

/* Lists as many names as there is room for, since an alert is cut where it is too long. */
static void
trusted_list(char *const *names, struct buf *out)
{
	size_t n = strlist_len(names);
	AUTO_BUF shown = BUF_INIT;
	AUTO_BUF fits = BUF_INIT;

	for (size_t i = 0; i < n && i < NAMED; i++) {
		size_t end;

		buf_adds(&shown, i == 0 ? "" : ", ");
		trusted_add_name(names[i], &shown);
		end = shown.len;
		trusted_add_others(names + i + 1, n - i - 1, &shown);
		if (i == 0 || shown.len <= LIST_MAX) {
			buf_clear(&fits);
			buf_add(&fits, shown.data, shown.len);
		}
		buf_truncate(&shown, end);
	}
	buf_add(out, fits.data, fits.len);
}

int
running_trust_begin(struct running *r, struct err *err)
{
	AUTO_BUF names = BUF_INIT;
	AUTO_STRLIST old = NULL;

	/* A supervisor that only came to end the loop starts no agent: a failure is no
	 * obstacle. */
	if (trust_begin(trusted_place_of(r), r->spec->name, trusted_lives, err) < 0 &&
	    !r->spec->stop)
		return err_prefix(err, "cannot remember which commands are trusted");
	old = trust_news(trusted_place_of(r));
	trusted_list(old, &names);
	if (old != NULL)
		warning("%s: not trusted since an agent changed it, and without effect: %s; "
			"'ralph trust' shows it",
		    r->spec->name, names.data);
	return 0;
}

void
running_trust_look(struct running *r)
{
	char **news = trust_news(trusted_place_of(r));
	const char *loss = trust_loss();
	AUTO_BUF text = BUF_INIT;

	if (loss != NULL)
		running_input(r, &(struct loop_input){.kind = IN_ALERT, .text = loss});
	if (news == NULL)
		return;
	buf_adds(&text, CHANGED);
	trusted_list(news, &text);
	running_input(r, &(struct loop_input){.kind = IN_ALERT, .text = text.data});
	strlist_free(news);
}

void
running_trust_end(struct running *r, bool agents)
{
	AUTO_BUF names = BUF_INIT;
	struct err err = ERR_INIT;
	const char *loss;
	AUTO_STRLIST news = NULL;

	if (!agents && trust_end(trusted_place_of(r), r->spec->name, &err) < 0)
		warning(
		    "%s: cannot write down that its agents are gone: %s; what changes from now "
		    "on may need 'ralph trust'",
		    r->spec->name, err.text);
	news = trust_news(trusted_place_of(r));
	loss = trust_loss();
	if (loss != NULL)
		warning("%s: %s", r->spec->name, loss);
	trusted_list(news, &names);
	if (news != NULL)
		warning("%s: " CHANGED "%s", r->spec->name, names.data);
}
