#include "work/todo/help/help.h"

#include "base/alloc.h"
#include "base/text.h"
#include "work/todo/help/help_inside.h"

/* A question may double in length, since every line gets "> " in front. */
#define QUESTION_BYTES 1500
#define CONTEXT_BYTES ((size_t)10 * 1024)
#define LINE_BYTES 600

/* ---- safe text ----------------------------------------------------------------------- */

/* Appends text from anywhere so that it may be pasted: without what ends a paste, and without
 * what the watcher would take for a word of the worker's. */
static void
text_tame(struct buf *out, const char *s, size_t len)
{
	AUTO_BUF plain = BUF_INIT;
	AUTO_BUF shown = BUF_INIT;
	const char *at;

	text_strip(&plain, s, len);
	text_show(&shown, plain.data, plain.len, true);
	at = shown.data;
	for (const char *p = at; *p != '\0'; p++) {
		bool tag = strncasecmp(p, "<promise", 8) == 0;
		size_t keep = tag ? 1 : strncasecmp(p, "</promise", 9) == 0 ? 2 : 0;

		if (keep == 0)
			continue;
		buf_add(out, at, (size_t)(p - at) + keep);
		buf_addc(out, ' ');
		at = p + keep;
		p += keep - 1;
	}
	buf_adds(out, at);
}

/* Cuts the text to max bytes, behind a whole line where there is one; "..." shows the cut. */
static void
text_limit(struct buf *text, size_t max)
{
	size_t cut = max;

	while (text->len > 0 && text->data[text->len - 1] == '\n')
		buf_truncate(text, text->len - 1);
	if (text->len <= max)
		return;
	while (cut > max / 2 && text->data[cut - 1] != '\n')
		cut--;
	if (text->data[cut - 1] != '\n')
		for (cut = max; cut > 0 && ((unsigned char)text->data[cut] & 0xC0) == 0x80;)
			cut--;
	buf_truncate(text, cut);
	buf_adds(text, text->len > 0 && text->data[text->len - 1] == '\n' ? "..." : " ...");
}

static void
part_tame(struct buf *out, const char *text, size_t max)
{
	AUTO_BUF part = BUF_INIT;

	text_tame(&part, text, strlen(text));
	text_limit(&part, max);
	buf_add(out, part.data, part.len);
}

static void
quote_add(struct buf *out, const char *text)
{
	AUTO_BUF part = BUF_INIT;

	part_tame(&part, text, QUESTION_BYTES);
	for (const char *line = part.data; *line != '\0';) {
		size_t len = strcspn(line, "\n");

		buf_addf(out, "> %.*s\n", (int)len, line);
		line += len + (line[len] == '\n');
	}
}

/* ---- reply --------------------------------------------------------------------------- */

static char *
help_line_of(const char *text)
{
	AUTO_BUF out = BUF_INIT;

	part_tame(&out, text, LINE_BYTES);
	for (size_t i = 0; i < out.len; i++)
		if (out.data[i] == '\n' || out.data[i] == '\t')
			out.data[i] = ' ';
	return buf_detach(&out);
}

static void
put_line(json_t *v, const char *key, const char *text)
{
	AUTO_FREE char *line = help_line_of(text);

	json_put(v, key, line);
}

static void
reply_begin(const struct help_question *q, struct buf *out)
{
	const char *question = q->question != NULL ? q->question : "";

	AUTO_FREE char *task = help_line_of(q->task != NULL ? q->task : "your task");

	buf_addf(out, "# Ralph: help with %.64s\n\n", task);
	buf_adds(out, "This is Ralph, who leads you through the tasks. You asked:\n\n");
	quote_add(out, question[strspn(question, " \t\r\n")] != '\0' ? question : "unknown");
	buf_addc(out, '\n');
}

static void
reply_gather(const struct help_question *q, struct buf *reply, json_t *v)
{
	AUTO_BUF context = BUF_INIT;
	AUTO_BUF about = BUF_INIT;
	AUTO_BUF recommendation = BUF_INIT;

	help_context(q, &context, &about, &recommendation);
	if (q->command != NULL)
		buf_addf(reply,
		    "(No answer from the help command: %s. This was gathered from the project "
		    "instead.)\n\n",
		    json_str(v, "failure", ""));
	buf_adds(reply, "## Context\n\n");
	part_tame(reply, context.data, CONTEXT_BYTES);
	buf_adds(reply, "\n\n## Recommendation\n\n");
	part_tame(reply, recommendation.data, LINE_BYTES);
	buf_addc(reply, '\n');
	put_line(v, "context", about.data);
	put_line(v, "recommendation", recommendation.data);
}

json_t *
help_gather(const struct help_question *q)
{
	AUTO_BUF reply = BUF_INIT;
	AUTO_BUF answer = BUF_INIT;
	struct err err = ERR_INIT;
	json_t *v = json_object();

	reply_begin(q, &reply);
	if (q->command != NULL && help_command(q, &answer, &err) == 0) {
		buf_adds(&reply, "## Answer\n\n");
		part_tame(&reply, answer.data, CONTEXT_BYTES);
		buf_addc(&reply, '\n');
		put_line(v, "context", "the help command");
		put_line(v, "recommendation", answer.data);
	} else {
		if (q->command != NULL)
			put_line(v, "failure", err.text);
		reply_gather(q, &reply, v);
	}
	buf_adds(&reply,
	    "\nContinue with the task, and signal done when it is complete, with the "
	    "command that stands in it.\n");
	ENSURE(reply.len <= HELP_MAX);
	json_put(v, "reply", reply.data);
	return v;
}
