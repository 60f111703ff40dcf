/*
 * config.c - what the keys of config.json do to a loop.
 */
#include "cmd/loop/config.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/json.h"
#include "base/text.h"
#include "cmd/loop/keys.h"
#include "cmd/settings.h"
#include "land/trust.h"
#include "loop/loop.h"
#include "record/codec.h"
#include <errno.h>
#include <fcntl.h>

#define FILE_LIMIT ((size_t)1 << 20)
#define PROJECT_SETTINGS ".tf/config/settings.json"
#define KNOWLEDGE_DIR ".tf/knowledge"

/* The seed's, to the letter. */
static const char template[] = "{\n"
			       "  \"maxIterations\": 50,\n"
			       "  \"parallelWorkers\": 1,\n"
			       "  \"useWorktrees\": true,\n"
			       "  \"ticketQuery\": \"" DEFAULT_TICKET_QUERY "\",\n"
			       "  \"completionCheck\": \"" DEFAULT_COMPLETION_CHECK "\",\n"
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
config_describe(struct buf *out)
{
	keys_describe(out);
}

void
config_release(struct loop_config *c)
{
	free(c->base);
	free(c->workflow);
	free(c->workflow_flags);
	strlist_free(c->worker);
	free(c->prompt);
	free(c->knowledge_dir);
	free(c->session_dir);
	memset(c, 0, sizeof(*c));
}

static int
wrong(struct err *err, const char *key, const char *why)
{
	return err_set(err, CONFIG_FILE ": %s %s", key, why);
}

/* ---- values -------------------------------------------------------------------------- */

static bool
is_empty(const char *s)
{
	return s == NULL || s[strspn(s, " \t\r\n")] == '\0';
}

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

static char *
path_or_null(const char *root, const char *path)
{
	return is_empty(path) ? NULL : path_at(root, path);
}

/* NULL for a text that says nothing. */
static char *
take_text(char **text)
{
	char *s = take_ptr(*text);

	if (!is_empty(s))
		return s;
	free(s);
	return NULL;
}

/* ---- queries ------------------------------------------------------------------------- */

/* The same but for the amount of blanks? */
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

/* Ways to write what we answer ourselves, all tickets at once. */
static bool
is_native_query(const char *query)
{
	static const char *const known[] = {DEFAULT_TICKET_QUERY, "tk ready",
	    "tk ready | awk '{print $1}'", "tk ready | head -n 1 | awk '{print $1}'",
	    "tk ready | awk '{print $1}' | head -1", "tk ready | awk '{print $1}' | head -n 1"};

	for (size_t i = 0; i < ARRAY_LEN(known); i++)
		if (same_command(query, known[i]))
			return true;
	return false;
}

static void
set_queries(struct settings *s, struct key_values *v, struct buf *notes)
{
	s->ticket_query = take_text(&v->ticket_query);
	s->completion_check = take_text(&v->completion_check);
	if (s->ticket_query != NULL && strstr(s->ticket_query, "tf next") != NULL) {
		buf_adds(notes, CONFIG_FILE ": ticketQuery would ask this loop for its own "
					    "next ticket; the default is used instead\n");
		free(take_ptr(s->ticket_query));
	}
	if (s->ticket_query != NULL && is_native_query(s->ticket_query))
		free(take_ptr(s->ticket_query));
	if (s->completion_check != NULL &&
	    same_command(s->completion_check, DEFAULT_COMPLETION_CHECK))
		free(take_ptr(s->completion_check));
	s->look_again = v->sleep_retries;
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

/* All causes, or all but timeouts, or only those. */
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
set_attempts(struct settings *s, struct key_values *v, struct buf *notes, struct err *err)
{
	bool capped = key_given(v, KEY_attempts);
	bool restarts = key_given(v, KEY_max_restarts);

	if (check_causes(v->retry_on, err) < 0)
		return -1;
	s->attempts = v->attempts;
	if (restarts && !capped)
		s->attempts = v->max_restarts + 1;
	else if (restarts && v->max_restarts >= v->attempts)
		buf_adds(notes, CONFIG_FILE ": maxRestarts allows more attempts than "
					    "maxIterationsPerTicket, which counts\n");
	s->retry_on = key_given(v, KEY_retry_on)
			  ? take_ptr(v->retry_on)
			  : cause_list(!restarts || v->max_restarts > 0, !restarts || capped);
	return 0;
}

static void
set_timeouts(struct settings *s, const struct key_values *v, struct buf *notes)
{
	bool other = v->origin[KEY_dispatch_timeout] > v->origin[KEY_attempt_timeout];

	s->iteration_timeout = other ? v->dispatch_timeout : v->attempt_timeout;
	if (key_given(v, KEY_attempt_timeout) && key_given(v, KEY_dispatch_timeout) &&
	    v->attempt_timeout != v->dispatch_timeout)
		buf_addf(notes,
		    CONFIG_FILE ": attemptTimeoutMs and parallelDispatchTimeoutMs differ; the "
				"%s counts\n",
		    other ? "latter" : "former");
	s->timeout_step = v->backoff ? v->backoff_step : 0;
	s->timeout_max = v->backoff ? v->backoff_max : 0;
	s->inactivity_timeout = v->idle_timeout;
	s->max_runtime = v->max_runtime;
	s->grace = v->grace;
	s->delay = v->sleep_tickets;
}

/* ---- worktrees and landing ----------------------------------------------------------- */

/* Only what stays below the project can be copied or kept from landing. */
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
		    CONFIG_FILE ": %s has %s, which is not a path below the "
				"project",
		    key, shown.data);
	}
	return 0;
}

static int
set_landing(struct settings *s, struct key_values *v, const char *root, struct err *err)
{
	if (is_empty(v->worktrees_dir))
		return wrong(err, "parallelWorktreesDir", "must not be empty");
	if (check_paths("copy", v->copy, err) < 0 || check_paths("drop", v->drop, err) < 0)
		return -1;
	s->worktrees_dir = path_at(root, v->worktrees_dir);
	s->copy = take_ptr(v->copy);
	s->drop = take_ptr(v->drop);
	s->setup = take_text(&v->setup);
	s->setup_timeout = v->setup_timeout;
	s->verify = take_text(&v->verify);
	s->verify_timeout = v->verify_timeout;
	s->merge_message = take_text(&v->merge_message);
	if (s->merge_message == NULL)
		return wrong(err, "mergeMessage", "must not be empty");
	s->leave_changes = !v->commit_leftovers;
	s->keep_branches = v->keep_branches;
	s->keep_worktrees = v->keep_worktrees;
	s->unmerged = !v->auto_merge;
	return 0;
}

static void
set_worktree(struct loop_config *c, const struct key_values *v)
{
	static const int choices[] = {WORKTREE_AUTO, WORKTREE_ALWAYS, WORKTREE_NEVER};

	c->worktree = v->use_worktrees ? WORKTREE_AUTO : WORKTREE_NEVER;
	if (key_given(v, KEY_worktree))
		c->worktree = choices[v->worktree];
	c->serial_in_place = !v->serial_worktree;
	c->untagged = v->allow_untagged ? UNTAGGED_ONE : -1;
	if (key_given(v, KEY_untagged))
		c->untagged = v->untagged;
}

/* ---- the rest ------------------------------------------------------------------------ */

static int
set_scheduling(struct settings *s, struct key_values *v, const char *root, struct err *err)
{
	if (v->parallel > LOOP_MAX_SESSIONS)
		return wrong(err, "parallelWorkers", "must be a whole number from 1 to 64");
	if (!v->session_per_ticket)
		return wrong(err, "sessionPerTicket",
		    "cannot be false: every ticket has a session of its own");
	if (is_empty(v->component_prefix))
		return wrong(err, "componentTagPrefix", "must not be empty");
	s->root = xstrdup(root);
	s->tickets = path_or_null(root, v->tickets_dir);
	s->max_iterations = v->max_iterations;
	s->max_failures = v->fail_fast ? 1 : UNLIMITED;
	s->parallel = v->parallel;
	s->component_prefix = take_ptr(v->component_prefix);
	s->success = v->success;
	s->lands = true;
	s->promise = v->promise != PROMISE_NEVER;
	s->promise_always = v->promise == PROMISE_ALWAYS;
	s->lessons_max = v->lessons_max;
	s->session_ttl = v->session_ttl;
	s->progress = v->progress_format;
	s->on_alert = take_text(&v->on_alert);
	return 0;
}

static int
set_worker(struct settings *s, struct loop_config *c, struct key_values *v, const char *root,
    struct err *err)
{
	static const int modes[] = {MODE_PIPE, MODE_PIPE, MODE_PTY};

	if (is_empty(v->workflow))
		return wrong(err, "workflow", "must not be empty");
	if (v->worker != NULL && (v->worker[0] == NULL || is_empty(v->worker[0])))
		return wrong(err, "worker", "must begin with a program");
	if (settings_check_env(v->env, err) < 0)
		return err_prefix(err, CONFIG_FILE ": env");
	s->mode = v->shell_enabled && v->shell_mode == 1 ? MODE_PTY : MODE_PIPE;
	if (key_given(v, KEY_backend))
		s->mode = modes[v->backend];
	s->env = take_ptr(v->env);
	c->base = take_text(&v->base);
	c->workflow = take_ptr(v->workflow);
	c->workflow_flags =
	    v->workflow_flags == NULL ? xstrdup("") : take_ptr(v->workflow_flags);
	c->worker = take_ptr(v->worker);
	c->prompt = path_or_null(root, v->prompt);
	c->session_dir = path_or_null(root, v->session_dir);
	c->capture_json = v->capture_json;
	c->log_level = v->log_level;
	c->name_knowledge = v->include_knowledge;
	c->name_planning = v->include_planning;
	return 0;
}

/* The file is another program's: what is wrong with it is said, but stops nobody. */
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
	return xstrdup(is_empty(dir) ? KNOWLEDGE_DIR : dir);
}

static int
values_load(const char *root, struct key_values *v, struct err *err)
{
	AUTO_FREE char *path = xasprintf("%s/" CONFIG_FILE, root);
	struct err why = ERR_INIT;
	AUTO_BUF text = BUF_INIT;

	keys_defaults(v);
	if (fs_read(AT_FDCWD, path, FILE_LIMIT, &text, &why) < 0 && why.code != ENOENT) {
		if (err != NULL)
			*err = why;
		return -1;
	}
	/* Missing: all defaults, unless an agent took it away.  Empty: a mistake like any
	 * other. */
	if ((why.code == ENOENT || text.len > 0) && trust_project(root, &text, err) < 0)
		return -1;
	if ((why.code != ENOENT || text.len > 0) && keys_read(text.data, text.len, v, err) < 0)
		return -1;
	return keys_environment(v, err);
}

int
config_load(const char *root, struct settings *s, struct loop_config *c, struct buf *notes,
    struct err *err)
{
	struct key_values v;
	int rc;

	memset(c, 0, sizeof(*c));
	rc = values_load(root, &v, err);
	if (rc == 0 && set_scheduling(s, &v, root, err) == 0 &&
	    set_attempts(s, &v, notes, err) == 0 && set_landing(s, &v, root, err) == 0 &&
	    set_worker(s, c, &v, root, err) == 0) {
		set_queries(s, &v, notes);
		set_timeouts(s, &v, notes);
		set_worktree(c, &v);
		c->knowledge_dir = knowledge_dir(root, notes);
	} else {
		rc = -1;
		settings_release(s);
		config_release(c);
	}
	keys_release(&v);
	return rc;
}
