/*
 * trusted.c - a loop and what is trusted where it works: who runs, and what has changed.
 */
#include "cmd/running.h"

#include "base/alloc.h"
#include "base/log.h"
#include "base/text.h"
#include "cmd/loops.h"
#include "land/trust.h"

#define NAMED 6

static const char *
place_of(const struct running *r)
{
	if (r->settings.root != NULL)
		return r->settings.root;
	return r->settings.cwd != NULL ? r->settings.cwd : ".";
}

static bool
lives(const char *loop)
{
	struct loop_view v;
	bool yes;

	if (loop_view_open(&v, loop, NULL) < 0)
		return false;
	yes = v.supervised || loop_view_agent_lives(&v);
	loop_view_close(&v);
	return yes;
}

static void
list(char *const *names, struct buf *out)
{
	size_t n = strlist_len(names);

	for (size_t i = 0; i < n && i < NAMED; i++) {
		buf_adds(out, i == 0 ? "" : ", ");
		text_show(out, names[i], strlen(names[i]), false);
	}
	if (n > NAMED)
		buf_addf(out, " and %zu more", n - NAMED);
}

int
running_trust_begin(struct running *r, struct err *err)
{
	AUTO_BUF names = BUF_INIT;
	char **old;

	/* Who only came to end it starts no agent. */
	if (trust_begin(place_of(r), r->spec->name, lives, err) < 0 && !r->spec->stop)
		return err_prefix(err, "cannot remember which commands are trusted");
	old = trust_news(place_of(r));
	list(old, &names);
	if (old != NULL)
		warning("%s: not trusted since an agent changed it, and without effect: %s; "
			"'ralph trust' shows it",
		    r->spec->name, names.data);
	strlist_free(old);
	return 0;
}

void
running_trust_look(struct running *r)
{
	char **news = trust_news(place_of(r));
	AUTO_BUF text = BUF_INIT;

	if (news == NULL)
		return;
	buf_adds(
	    &text, "changed while an agent worked, and without effect until 'ralph trust': ");
	list(news, &text);
	running_input(r, &(struct loop_input){.kind = IN_ALERT, .text = text.data});
	strlist_free(news);
}

void
running_trust_end(struct running *r, bool agents)
{
	AUTO_BUF names = BUF_INIT;
	struct err err = ERR_INIT;
	char **news;

	if (!agents && trust_end(place_of(r), r->spec->name, &err) < 0)
		warning(
		    "%s: cannot write down that its agents are gone: %s; what changes from now "
		    "on may need 'ralph trust'",
		    r->spec->name, err.text);
	news = trust_news(place_of(r));
	list(news, &names);
	if (news != NULL)
		warning("%s: changed while an agent worked, and without effect until 'ralph "
			"trust': %s",
		    r->spec->name, names.data);
	strlist_free(news);
}
