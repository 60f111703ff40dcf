/*
 * config.c - what the keys of config.json do to a loop.
 */
#include "work/tickets/config.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/json.h"
#include "base/text.h"
#include "git/trust/trust.h"
#include "loop/loop.h"
#include "loops/settings.h"
#include "record/codec.h"
#include "work/tickets/keys.h"
#include <errno.h>
#include <fcntl.h>

#define FILE_LIMIT ((size_t)1 << 20)
#define PROJECT_SETTINGS ".tf/config/settings.json"
#define KNOWLEDGE_DIR ".tf/knowledge"

/* The configuration of the seed, to the letter. */
static const char template[] = "{\n"
			       "  \"maxIterations\": 50,\n"
			       "  \"parallelWorkers\": 1,\n"
			       "  \"useWorktrees\": true,\n"
			       "  \"ticketQuery\": \"" USUAL_ticket_query "\",\n"
			       "  \"completionCheck\": \"" USUAL_completion_check "\",\n"
			       "  \"workflow\": \"/tf\",\n"
			       "  \"workflowFlags\": \"--auto\",\n"
			       "  \"sleepBetweenTickets\": 5000,\n"
			       "  \"promiseOnComplete\": true\n"
			       "}\n";

void
config_template(struct buf *out)
{
	buf_adds(out, template);
}

void
config_release(struct loop_config *c)
{
	keys_release(c);
	strlist_free(c->env_files);
	settings_release(&c->settings);
	memset(c, 0, sizeof(*c));
}

static int
wrong(struct err *err, const char *key, const char *why)
{
	return err_set(err, CONFIG_FILE ": %s %s", key, why);
}

/* ---- values -------------------------------------------------------------------------- */

/* "~/x" is at home, "x" below root. */
static char *
path_at(const char *root, const char *path)
{
	const char *home = getenv("HOME");

	if (path[0] == '/')
		return xstrdup(path);
	if (strncmp(path, "~/", 2) == 0 && home != NULL)
		return xasprintf("%s/%s", home, path + 2);
	return xasprintf("%s/%s", root, path);
}

/* A path that is NULL stays so. */
static void
make_path(const char *root, char **path)
{
	char *given = *path;

	if (given != NULL)
		*path = path_at(root, given);
	free(given);
}

/* ---- queries ------------------------------------------------------------------------- */

/* Are the commands equal, except for the amount of blanks? */
static bool
same_command(const char *a, const char *b)
{
	a += strspn(a, " \t\r\n");
	b += strspn(b, " \t\r\n");
	while (*a != '\0' && *b != '\0') {
		size_t blanks_a = strspn(a, " \t\r\n"), blanks_b = strspn(b, " \t\r\n");

		if ((blanks_a > 0) != (blanks_b > 0) || (blanks_a == 0 && *a != *b))
			break;
		a += blanks_a > 0 ? blanks_a : 1;
		b += blanks_b > 0 ? blanks_b : 1;
	}
	return a[strspn(a, " \t\r\n")] == '\0' && b[strspn(b, " \t\r\n")] == '\0';
}

/* Is the query one that this process answers itself, for all tickets at once? */
static bool
is_native_query(const char *query)
{
	static const char *const known[] = {USUAL_ticket_query, "tk ready",
	    "tk ready | awk '{print $1}'", "tk ready | head -n 1 | awk '{print $1}'",
	    "tk ready | awk '{print $1}' | head -1", "tk ready | awk '{print $1}' | head -n 1"};

	for (size_t i = 0; i < ARRAY_LEN(known); i++)
		if (same_command(query, known[i]))
			return true;
	return false;
}

static void
set_queries(struct settings *s, struct buf *notes)
{
	if (s->ticket_query != NULL && strstr(s->ticket_query, "tf next") != NULL) {
		buf_adds(notes, CONFIG_FILE ": ticketQuery would ask this loop for its own "
					    "next ticket; the default is used instead\n");
		free(take_ptr(s->ticket_query));
	}
	if (s->ticket_query != NULL && is_native_query(s->ticket_query))
		free(take_ptr(s->ticket_query));
	if (s->completion_check != NULL &&
	    same_command(s->completion_check, USUAL_completion_check))
		free(take_ptr(s->completion_check));
}

/* ---- attempts and timeouts ----------------------------------------------------------- */

static int
check_causes(char *const *list, struct err *err)
{
	for (size_t i = 0; list != NULL && list[i] != NULL; i++) {
		AUTO_BUF shown = BUF_INIT;

		if (cause_parse(list[i]) > CAUSE_NONE)
			continue;
		text_quote(&shown, list[i]);
		return err_set(err,
		    CONFIG_FILE
		    ": retryOn may have exit, timeout, not-closed, verify and conflict, not %s",
		    shown.data);
	}
	return 0;
}

/* Lists all causes, or all but timeouts, or timeouts alone. */
static char **
cause_list(bool timeouts, bool others)
{
	char **list = xcalloc(1, sizeof(*list));

	for (int i = CAUSE_NONE + 1; i < CAUSE_COUNT; i++)
		if (i == CAUSE_TIMEOUT ? timeouts : others)
			list = strlist_add(list, cause_name((enum verdict_cause)i));
	return list;
}

/* maxIterationsPerTicket limits attempts of any cause; maxRestarts by itself gives attempts
 * after timeouts alone. */
static int
set_attempts(struct loop_config *c, struct buf *notes, struct err *err)
{
	struct settings *s = &c->settings;
	bool capped = key_given(c, "maxIterationsPerTicket");
	bool restarts = key_given(c, "maxRestarts");

	if (check_causes(s->retry_on, err) < 0)
		return -1;
	if (restarts && !capped)
		s->attempts = c->max_restarts + 1;
	else if (restarts && c->max_restarts >= s->attempts)
		buf_adds(notes, CONFIG_FILE ": maxRestarts allows more attempts than "
					    "maxIterationsPerTicket, which counts\n");
	if (!key_given(c, "retryOn"))
		s->retry_on = cause_list(!restarts || c->max_restarts > 0, !restarts || capped);
	return 0;
}

static void
set_timeouts(struct loop_config *c, struct buf *notes)
{
	struct settings *s = &c->settings;
	bool other =
	    key_origin(c, "parallelDispatchTimeoutMs") > key_origin(c, "attemptTimeoutMs");

	if (key_given(c, "attemptTimeoutMs") && key_given(c, "parallelDispatchTimeoutMs") &&
	    s->iteration_timeout != c->dispatch_timeout)
		buf_addf(notes,
		    CONFIG_FILE ": attemptTimeoutMs and parallelDispatchTimeoutMs differ; the "
				"%s counts\n",
		    other ? "latter" : "former");
	if (other)
		s->iteration_timeout = c->dispatch_timeout;
	if (!c->backoff)
		s->timeout_step = s->timeout_max = 0;
}

/* ---- worktrees and landing ----------------------------------------------------------- */

/* Refuses other paths than those below the project: only these can be copied or kept from
 * landing. */
static int
check_paths(const char *key, char *const *list, struct err *err)
{
	for (size_t i = 0; list != NULL && list[i] != NULL; i++) {
		const char *p = list[i];
		AUTO_BUF shown = BUF_INIT;
		bool above = p[0] == '/' || p[0] == '\0';

		for (; *p != '\0'; p += strcspn(p, "/"), p += *p == '/')
			above |= strncmp(p, "..", 2) == 0 && (p[2] == '/' || p[2] == '\0');
		if (!above)
			continue;
		text_quote(&shown, list[i]);
		return err_set(err,
		    CONFIG_FILE ": %s has %s, which is not a path below the project", key,
		    shown.data);
	}
	return 0;
}

static int
set_landing(struct settings *s, const char *root, struct err *err)
{
	if (s->worktrees_dir == NULL)
		return wrong(err, "parallelWorktreesDir", "must not be empty");
	if (check_paths("copy", s->copy, err) < 0 || check_paths("drop", s->drop, err) < 0)
		return -1;
	make_path(root, &s->worktrees_dir);
	if (s->merge_message == NULL)
		return wrong(err, "mergeMessage", "must not be empty");
	s->lands = true;
	return 0;
}

static void
set_worktree(struct loop_config *c)
{
	if (!key_given(c, "worktree"))
		c->worktree = c->use_worktrees ? WORKTREE_AUTO : WORKTREE_NEVER;
	if (!key_given(c, "untagged"))
		c->settings.untagged = c->allow_untagged ? UNTAGGED_ONE : -1;
}

/* ---- the rest ------------------------------------------------------------------------ */

static int
set_scheduling(struct loop_config *c, const char *root, struct err *err)
{
	struct settings *s = &c->settings;

	if (s->parallel > LOOP_MAX_SESSIONS)
		return wrong(err, "parallelWorkers", "must be a whole number from 1 to 64");
	if (!c->session_per_ticket)
		return wrong(err, "sessionPerTicket",
		    "cannot be false: every ticket has a session of its own");
	if (s->component_prefix == NULL)
		return wrong(err, "componentTagPrefix", "must not be empty");
	s->root = xstrdup(root);
	make_path(root, &s->tickets);
	s->max_failures = c->fail_fast ? 1 : UNLIMITED;
	s->promise = c->promise != PROMISE_NEVER;
	s->promise_always = c->promise == PROMISE_ALWAYS;
	return 0;
}

static int
set_worker(struct loop_config *c, const char *root, struct err *err)
{
	static const int modes[] = {MODE_PIPE, MODE_PIPE, MODE_PTY};
	struct settings *s = &c->settings;

	if (c->workflow == NULL)
		return wrong(err, "workflow", "must not be empty");
	if (c->worker != NULL && key_is_blank(c->worker[0]))
		return wrong(err, "worker", "must begin with a program");
	if (settings_check_env(s->env, err) < 0)
		return err_prefix(err, CONFIG_FILE ": env");
	s->mode = c->shell_enabled && c->shell_mode == 1 ? MODE_PTY : MODE_PIPE;
	if (key_given(c, "executionBackend"))
		s->mode = modes[c->backend];
	make_path(root, &c->prompt);
	make_path(root, &c->session_dir);
	return 0;
}

/* Finds the directory with the project's knowledge, by a file of another program's: what is
 * wrong with that file is said, but stops nobody. */
static char *
knowledge_dir(const char *root, struct buf *notes)
{
	AUTO_FREE char *path = xasprintf("%s/" PROJECT_SETTINGS, root);
	AUTO_JSON *v = NULL;
	AUTO_BUF text = BUF_INIT;
	struct err err = ERR_INIT;
	const char *dir;

	if (fs_read(AT_FDCWD, path, FILE_LIMIT, &text, &err) == 0)
		v = json_parse(text.data, text.len, PROJECT_SETTINGS, &err);
	if (v == NULL && err.code != ENOENT)
		buf_addf(notes, "%s\n", err.text);
	dir = json_str(json_object_get(v, "workflow"), "knowledgeDir", KNOWLEDGE_DIR);
	return xstrdup(key_is_blank(dir) ? KNOWLEDGE_DIR : dir);
}

static int
keys_load(const char *root, struct loop_config *c, struct err *err)
{
	AUTO_FREE char *path = xasprintf("%s/" CONFIG_FILE, root);
	struct err why = ERR_INIT;
	AUTO_BUF text = BUF_INIT;

	keys_defaults(c);
	if (fs_read(AT_FDCWD, path, FILE_LIMIT, &text, &why) < 0 && why.code != ENOENT)
		return err_pass(err, &why);
	/* Missing: all defaults, unless an agent took it away.  Empty: a mistake like any
	 * other. */
	if ((why.code == ENOENT || text.len > 0) && trust_project(root, &text, err) < 0)
		return -1;
	if ((why.code != ENOENT || text.len > 0) && keys_read(text.data, text.len, c, err) < 0)
		return -1;
	return keys_environment(c, err);
}

int
config_load(const char *root, struct loop_config *c, struct buf *notes, struct err *err)
{
	memset(c, 0, sizeof(*c));
	settings_defaults_keep(&c->settings);
	if (keys_load(root, c, err) < 0 || set_scheduling(c, root, err) < 0 ||
	    set_attempts(c, notes, err) < 0 || set_landing(&c->settings, root, err) < 0 ||
	    set_worker(c, root, err) < 0) {
		config_release(c);
		return -1;
	}
	set_queries(&c->settings, notes);
	set_timeouts(c, notes);
	set_worktree(c);
	c->settings.knowledge = knowledge_dir(root, notes);
	return 0;
}
