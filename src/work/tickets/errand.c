#include "work/tickets/errand.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/fs.h"
#include <inttypes.h>
#include <unistd.h>

const char *
errand_prefix(const struct settings *s)
{
	const char *below = fs_below(s->top, s->root);

	return below == NULL ? "" : below;
}

char *
errand_root(const struct settings *s, const char *place)
{
	const char *prefix = errand_prefix(s);

	return place == NULL ? xstrdup(s->root)
			     : xasprintf("%s%s%s", place, *prefix == '\0' ? "" : "/", prefix);
}

/* ---- placeholders ---------------------------------------------------------------- */

static const char *
value_of(const char *const *values, const char *name, size_t len)
{
	for (size_t i = 0; values[i] != NULL; i += 2)
		if (strlen(values[i]) == len && memcmp(values[i], name, len) == 0)
			return values[i + 1];
	return NULL;
}

/* Replaces placeholders by their values.  All other text stays; placeholders within values are
 * not replaced. */
static void
expand(const char *text, const char *const *values, struct buf *out)
{
	while (*text != '\0') {
		size_t plain = strcspn(text, "{");
		const char *end = strchr(text + plain, '}');
		const char *value = end == NULL ? NULL
						: value_of(values, text + plain + 1,
						      (size_t)(end - text) - plain - 1);

		buf_add(out, text, plain);
		text += plain;
		if (value != NULL) {
			buf_adds(out, value);
			text = end + 1;
		} else if (*text != '\0') {
			buf_addc(out, *text++);
		}
	}
}

static char **
expand_all(char *const *list, const char *const *values)
{
	char **out = NULL;

	for (size_t i = 0; list[i] != NULL; i++) {
		AUTO_BUF text = BUF_INIT;

		expand(list[i], values, &text);
		out = strlist_add(out, text.data);
	}
	return out;
}

/* ---- the parts -------------------------------------------------------------------- */

/* Makes the environment of the agent.  `file` is the ticket's file where the agent works. */
static char **
surroundings(
    const struct errand_spec *spec, const char *attempt, const char *file, const char *started)
{
	char **env = spec->settings->env != NULL ? strlist_dup(spec->settings->env) : NULL;
	/* A ticket without a file in the worktree (not committed, say) is closed in the
	 * project's own directory. */
	bool elsewhere = spec->place != NULL && strcmp(file, spec->file) == 0;
	const char *const variables[][2] = {
	    {"RALPH_TICKET", spec->effect->task},
	    {"RALPH_ATTEMPT", attempt},
	    {"RALPH_STARTED", started},
	    {"RALPH_LESSON_FILE", spec->lesson_file},
	    {"RALPH_WORKTREE", spec->place},
	    {"RALPH_LAST_FAILURE", spec->last_failure},
	    {"TICKETS_DIR", elsewhere ? spec->settings->tickets : NULL},
	};

	for (size_t i = 0; i < ARRAY_LEN(variables); i++)
		if (variables[i][1] != NULL) {
			AUTO_FREE char *entry =
			    xasprintf("%s=%s", variables[i][0], variables[i][1]);

			env = strlist_add(env, entry);
		}
	return env;
}

/* Appends the tag, with all characters of the id escaped that mean something in a pattern. */
static void
add_tag(struct buf *out, const char *task)
{
	buf_adds(out, "<promise>TICKET_");
	for (; *task != '\0'; task++) {
		if (strchr("\\^$.|?*+()[]{}", *task) != NULL)
			buf_addc(out, '\\');
		buf_addc(out, *task);
	}
	buf_adds(out, "_COMPLETE</promise>");
}

/* <promise>TICKET_pt-1_COMPLETE</promise>: alone on its line, also where lines are within JSON,
 * with Markdown around it or in a code block, into which agents like to put their last line; or
 * anywhere in a line, but not behind a quotation mark: who speaks of the promise has not made
 * it. */
static char *
promise_pattern(const char *task)
{
	AUTO_BUF out = BUF_INIT;

	buf_adds(&out, "(?:^|\\\\n|\": ?\")[ \\t*_`]*");
	add_tag(&out, task);
	buf_adds(&out, "[ \\t\\r*_`]*(?:$|\\\\n|\")|(?<![\"'`])");
	add_tag(&out, task);
	return buf_detach(&out);
}

/* Returns the ticket's file where the agent works, if it is there, too; else the project's. */
static char *
file_in_place(const struct errand_spec *spec)
{
	const char *below = fs_below(spec->settings->top, spec->file);
	AUTO_FREE char *path = spec->place == NULL || below == NULL
				   ? NULL
				   : xasprintf("%s/%s", spec->place, below);

	return path != NULL && access(path, R_OK) == 0 ? take_ptr(path) : xstrdup(spec->file);
}

static void
write_prompt(struct errand *e, const struct errand_spec *spec, const char *const *values)
{
	const char *via = spec->settings->prompt_via;

	/* The command line has the prompt already. */
	if (via != NULL && strcmp(via, "none") == 0) {
		static char by_stdin[] = "stdin";

		e->settings.prompt_via = by_stdin;
		return;
	}
	if (spec->template != NULL)
		expand(spec->template->data, values, &e->prompt);
	else
		buf_add(&e->prompt, spec->text->data, spec->text->len);
	if (spec->settings->postscript != NULL)
		expand(spec->settings->postscript, values, &e->prompt);
	if (spec->last_failure != NULL)
		buf_addf(&e->prompt,
		    "\n\n---\nThis is attempt %" PRId64
		    " in this run. The last one did not succeed: %s\n",
		    spec->effect->attempt, spec->last_failure);
	if (spec->resumed)
		buf_addf(&e->prompt,
		    "\nWhat was done so far is in this work tree; go on from there.%s%s%s\n",
		    spec->last_failure != NULL
			? ""
			: " It did not land (it was interrupted, conflicted, or was refused by "
			  "the verify command): see git status and git log, and merge ",
		    spec->last_failure != NULL ? "" : spec->settings->branch,
		    spec->last_failure != NULL ? "" : " first.");
}

static int64_t
time_allowed(const struct settings *s, int64_t attempt)
{
	int64_t span = s->iteration_timeout;

	if (span == 0 || s->timeout_step == 0)
		return span;
	span += (attempt - 1) * s->timeout_step;
	return s->timeout_max > 0 && span > s->timeout_max ? s->timeout_max : span;
}

void
errand_init(struct errand *e, const struct errand_spec *spec)
{
	const struct settings *s = spec->settings;
	AUTO_FREE char *attempt = xasprintf("%" PRId64, spec->effect->attempt);
	AUTO_FREE char *file = file_in_place(spec);
	AUTO_BUF started = BUF_INIT;
	const char *const values[] = {"ticket", spec->effect->task, "title", spec->title,
	    "file", file, "attempt", attempt, "lesson", spec->lesson_file, "worktree",
	    spec->place != NULL ? spec->place : s->root, NULL};

	clock_fmt_rfc3339(clock_wall(), &started);
	*e = (struct errand){.settings = *s, .prompt = BUF_INIT};
	e->settings.cwd = errand_root(s, spec->place);
	e->settings.command = expand_all(s->command, values);
	e->settings.env = surroundings(spec, attempt, file, started.data);
	e->settings.done_pattern = promise_pattern(spec->effect->task);
	e->settings.iteration_timeout = time_allowed(s, spec->effect->attempt);
	write_prompt(e, spec, values);
}

void
errand_release(struct errand *e)
{
	free(e->settings.cwd);
	free(e->settings.done_pattern);
	strlist_free(e->settings.command);
	strlist_free(e->settings.env);
	buf_release(&e->prompt);
}
