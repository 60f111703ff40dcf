#include "work/tickets/errand.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/fs.h"
#include <unistd.h>

const char *
errand_prefix(const struct settings *s)
{
	const char *below = fs_below(s->top, s->root);

	return below == NULL ? "" : below;
}

/* ---- placeholders ---------------------------------------------------------------- */

static const char *
value_of(char *const *values, const char *name, size_t len)
{
	for (size_t i = 0; values != NULL && values[i] != NULL; i += 2)
		if (strlen(values[i]) == len && memcmp(values[i], name, len) == 0)
			return values[i + 1];
	return NULL;
}

/* Replaces placeholders by their values.  All other text stays; placeholders within values are
 * not replaced. */
static void
expand(const char *text, char *const *values, struct buf *out)
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
expand_all(char *const *list, char *const *values)
{
	char **out = NULL;

	for (size_t i = 0; list[i] != NULL; i++) {
		AUTO_BUF text = BUF_INIT;

		expand(list[i], values, &text);
		out = strlist_add(out, text.data == NULL ? "" : text.data);
	}
	return out;
}

/* ---- the parts -------------------------------------------------------------------- */

static char **
add_variable(char **env, const char *name, const char *value)
{
	AUTO_FREE char *entry = xasprintf("%s=%s", name, value);

	return strlist_add(env, entry);
}

static char *file_in_place(const struct errand_spec *spec, const char *file);

static bool
in_place(const struct errand_spec *spec)
{
	char *const *v = spec->work->values;
	AUTO_FREE char *found = NULL;

	for (size_t i = 0; v != NULL && v[i] != NULL; i += 2)
		if (strcmp(v[i], "file") == 0) {
			found = file_in_place(spec, v[i + 1]);
			return strcmp(found, v[i + 1]) != 0;
		}
	return true;
}

static char **
surroundings(const struct errand_spec *spec, const char *attempt)
{
	char **env = spec->settings->env != NULL ? strlist_dup(spec->settings->env) : NULL;
	AUTO_BUF started = BUF_INIT;

	clock_fmt_rfc3339(clock_wall(), &started);
	env = add_variable(env, "RALPH_TICKET", spec->effect->task);
	env = add_variable(env, "RALPH_ATTEMPT", attempt);
	env = add_variable(env, "RALPH_STARTED", started.data);
	env = add_variable(env, "RALPH_LESSON_FILE", spec->lesson_file);
	if (spec->place != NULL)
		env = add_variable(env, "RALPH_WORKTREE", spec->place);
	if (spec->last_failure != NULL)
		env = add_variable(env, "RALPH_LAST_FAILURE", spec->last_failure);
	/* A ticket without a file in the worktree (not committed, say) is closed in the
	 * project's own directory. */
	if (spec->place != NULL && !in_place(spec))
		env = add_variable(env, "TICKETS_DIR", spec->settings->tickets);
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

/* The ticket's file where the agent works, when it is there too. */
static char *
file_in_place(const struct errand_spec *spec, const char *file)
{
	const char *below = fs_below(spec->settings->top, file);
	char *path;

	if (spec->place == NULL || below == NULL)
		return xstrdup(file);
	path = xasprintf("%s/%s", spec->place, below);
	if (access(path, R_OK) == 0)
		return path;
	free(path);
	return xstrdup(file);
}

static char **
placeholders(const struct errand_spec *spec, const char *attempt)
{
	char **values = NULL;

	for (size_t i = 0; spec->work->values != NULL && spec->work->values[i] != NULL;
	     i += 2) {
		const char *name = spec->work->values[i];
		AUTO_FREE char *value = strcmp(name, "file") == 0
					    ? file_in_place(spec, spec->work->values[i + 1])
					    : xstrdup(spec->work->values[i + 1]);

		values = strlist_add(strlist_add(values, name), value);
	}
	values = strlist_add(strlist_add(values, "attempt"), attempt);
	values = strlist_add(strlist_add(values, "lesson"), spec->lesson_file);
	return strlist_add(strlist_add(values, "worktree"),
	    spec->place != NULL ? spec->place : spec->settings->root);
}

static void
write_prompt(struct errand *e, const struct errand_spec *spec, char *const *values)
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
		buf_add(&e->prompt, spec->work->prompt.data, spec->work->prompt.len);
	if (spec->settings->postscript != NULL)
		expand(spec->settings->postscript, values, &e->prompt);
	if (spec->last_failure != NULL)
		buf_addf(&e->prompt,
		    "\n\n---\nThis is attempt %lld in this run. The last one did not succeed: "
		    "%s\n",
		    (long long)spec->effect->attempt, spec->last_failure);
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
	const char *prefix = errand_prefix(spec->settings);
	AUTO_FREE char *attempt = xasprintf("%lld", (long long)spec->effect->attempt);
	AUTO_STRLIST values = placeholders(spec, attempt);

	*e = (struct errand){.settings = *spec->settings, .prompt = BUF_INIT};
	e->cwd = spec->place == NULL
		     ? xstrdup(spec->settings->root)
		     : xasprintf("%s%s%s", spec->place, *prefix == '\0' ? "" : "/", prefix);
	e->command = expand_all(spec->settings->command, values);
	e->env = surroundings(spec, attempt);
	e->done_pattern = promise_pattern(spec->effect->task);
	write_prompt(e, spec, values);
	e->settings.cwd = e->cwd;
	e->settings.command = e->command;
	e->settings.env = e->env;
	e->settings.done_pattern = e->done_pattern;
	e->settings.iteration_timeout = time_allowed(spec->settings, spec->effect->attempt);
}

void
errand_release(struct errand *e)
{
	free(e->cwd);
	free(e->done_pattern);
	strlist_free(e->command);
	strlist_free(e->env);
	buf_release(&e->prompt);
}
