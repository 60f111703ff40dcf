/*
 * hint.c - an agent that failed since its prompt came to it the wrong way: what helps.
 *
 * Every further agent would fail the same, so it is an alert, once for each supervisor.
 */
#include "supervisor/inside.h"
#include "supervisor/kind.h"

#include "base/alloc.h"
#include "base/text.h"
#include "session/recording/recording.h"
#include <fcntl.h>
#include <string.h>
#include <strings.h>

/* Bytes that are searched: an agent with that complaint says little else. */
#define LAST_WORDS 1024

static bool
hint_has(const struct buf *text, const char *words)
{
	size_t len = strlen(words);

	for (size_t i = 0; i + len <= text->len; i++)
		if (strncasecmp(text->data + i, words, len) == 0)
			return true;
	return false;
}

/* Programs complain in these words, which follow their own names. */
static bool
wants_terminal(const struct buf *text)
{
	static const char *const words[] = {"stdin is not a terminal", "stdin is not a tty",
	    "input is not a terminal", "stdin must be a terminal"};

	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (hint_has(text, words[i]))
			return true;
	return false;
}

void
running_hint(struct running *r, const char *session, struct exit_status status)
{
	const struct settings *s = &r->settings;
	const char *typed = r->sup->kind->typed;
	AUTO_BUF words = BUF_INIT;
	AUTO_BUF text = BUF_INIT;
	AUTO_CLOSE int dir = -1;

	if (r->sup->hinted || status.how != EXIT_CODE || status.value == 0 || s->leads ||
	    s->prompt_via == NULL || strcmp(s->prompt_via, "stdin") != 0)
		return;
	dir = openat(r->sessions_dir, session, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0 || recording_tail(dir, LAST_WORDS, &words, NULL) < 0 ||
	    !wants_terminal(&words))
		return;
	buf_addf(&text,
	    "the agent wants a terminal, and its prompt came by standard input; %s types it, "
	    "or start the agent so that it reads it there, as claude -p does",
	    typed == NULL ? "--prompt-via paste" : typed);
	r->sup->hinted = true;
	running_input(r, &(struct loop_input){.kind = IN_ALERT, .text = text.data});
}
