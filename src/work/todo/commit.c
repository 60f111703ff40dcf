/*
 * commit.c - the commit of a task: made when the task is done, or waited for.
 *
 * A task without its commit is not complete.  A task that is done waits when a hook refuses its
 * commit, when a merge, a rebase or somebody's lock prevents the commit, or when none of its
 * changes can be told from earlier ones.  The box of a waiting task is not ticked, and its
 * changes are on record (git/turn/turn.h).  The next run commits waiting tasks before it does
 * anything else; this run commits them as soon as another commit shows that the way is free,
 * and once more when nothing else is left to do.  Hooks may take minutes: behind another
 * commit, hooks are not asked again about changes that they have refused.
 */
#include "work/todo/leader.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/json.h"
#include "base/log.h"
#include "supervisor/held.h"
#include "supervisor/step.h"
#include "work/todo/todo.h"
#include "work/todo/todo_done.h"
#include "work/todo/todo_mark.h"
#include "work/todo/todo_meta.h"
#include <errno.h>

/* ---- one commit ------------------------------------------------------------------------ */

char **
commit_excepts(const struct settings *s)
{
	const char *list = fs_below(s->root, s->todo_file);
	char **out = strlist_add(NULL, TODO_DIR);

	out = strlist_add(out, TODO_META);
	out = strlist_add(out, TODO_LOGS);
	return list == NULL ? out : strlist_add(out, list);
}

/* Appends the changes that could not be committed, each with its reason. */
static void
commit_add_left(const struct turn_result *result, struct buf *text)
{
	for (size_t i = 0; i < result->nleft; i++)
		buf_addf(text, "%s%s%s (%s)", i == 0 && text->len > 0 ? "; " : "",
		    i == 0 ? "left uncommitted: " : ", ", result->left[i].path,
		    result->left[i].why);
}

static int
note_commit(const struct running *r, const char *task, const struct turn_result *result,
    struct err *err)
{
	AUTO_FREE char *meta = xasprintf("%s/" TODO_META, r->settings.root);

	return todo_meta_commit(meta, task,
	    &(struct todo_commit){.hash = result->brief,
		.committed_at = result->committed * NSEC_PER_SEC,
		.diffstat = result->diffstat},
	    err);
}

/* Tells the outcome of a commit in words; 0, or -1 + err. */
static int
tell(const struct running *r, const struct turn_spec *t, const struct turn_result *result,
    json_t *out, struct buf *text, struct err *err)
{
	AUTO_BUF more = BUF_INIT;

	buf_adds(&more, result->text == NULL ? "" : result->text);
	commit_add_left(result, &more);
	switch (result->outcome) {
	case TURN_COMMITTED:
		json_put(out, "commit", result->brief);
		buf_adds(text, more.data);
		if (result->nleft > 0)
			json_put(out, "left", more.data);
		return note_commit(r, t->task, result, err);
	case TURN_NOTHING:
		json_put(out, "moved", result->moved);
		buf_adds(text, more.len == 0 ? "no changes to commit" : more.data);
		return 0;
	case TURN_NO_REPOSITORY:
		buf_adds(text, "no changes to commit: this is no git repository");
		return 0;
	case TURN_REFUSED:
	case TURN_UNSIGNED:
	case TURN_NO_IDENTITY:
	case TURN_BUSY:
	case TURN_OUTCOMES:
	default:
		buf_addf(text, "not committed: %s", more.data);
		json_put(out, "waits", more.data);
		return 0;
	}
}

void
commit_tell_left(struct running *r, const char *task, const json_t *landed)
{
	const char *left = json_str(landed, "left", NULL);
	AUTO_BUF line = BUF_INIT;

	if (left == NULL)
		return;
	buf_addf(&line, "%s is committed, but not all of it: %s", task, left);
	buf_one_line(&line);
	running_input(r, &(struct loop_input){.kind = IN_ALERT, .text = line.data});
}

int
commit_turn(const struct running *r, const struct turn_spec *t, const struct turn_words *words,
    json_t *out, struct err *err)
{
	AUTO_FREE char *summary = NULL;
	struct turn_result result = {.outcome = TURN_NOTHING};
	struct turn_words said = *words;
	struct err why = ERR_INIT;
	AUTO_BUF text = BUF_INIT;
	int rc;

	/* Without a summary the task's own words have to do. */
	if (said.summary == NULL &&
	    todo_done_check(&leader_of(r)->results, t->task, 0, &summary, NULL) == 0)
		said.summary = summary;
	branch_note(t->root, out);
	rc = turn_commit(t, &said, &result, &why);
	if (rc == 0) {
		rc = tell(r, t, &result, out, &text, err);
	} else if (why.code == EUCLEAN && !held_is(why.text)) {
		/* The repository cannot take the commit now, which is no fault of the task. */
		buf_addf(&text, "not committed: %s", why.text);
		json_put(out, "waits", why.text);
		rc = 0;
	} else {
		*err = why;
	}
	json_put(out, "text", text.data);
	json_put(out, "summary", said.summary);
	turn_result_release(&result);
	return rc;
}

char **
commit_earlier(const struct running *r, const char *task)
{
	AUTO_FREE char *dir = lead_turns(r);
	struct turns_waiting who;
	char **ids = NULL;

	turns_waiting_find(dir, &who);
	for (size_t i = 0; i < who.n; i++)
		if (strcmp(who.list[i].task, task) != 0)
			ids = strlist_add(ids, who.list[i].task);
	turns_waiting_release(&who);
	return ids;
}

/* ---- tasks that wait ------------------------------------------------------------------- */

/* Is there any work besides the waiting commits? */
struct other_work {
	struct running *r;
	bool any;
};

/* Ticks the box of a task that is committed.  "unticked" says why a box could not be ticked. */
static int
commit_tick(const struct running *r, const char *task, json_t *out, struct err *err)
{
	struct err why = ERR_INIT;

	if (todo_mark(r->settings.todo_file, task, TODO_DONE, NULL, clock_wall(), &why) >= 0)
		return 0;
	if (held_is(why.text))
		return err_set(err, "%s", why.text);
	json_put(out, "unticked", why.text);
	return 0;
}

/* Commits and ticks the i-th waiting task if possible; otherwise the task goes on waiting.  -1:
 * the disk is the obstacle, which says nothing about the task. */
static int
settle_one(const struct running *r, const struct turns_waiting *all, size_t i, json_t *out,
    struct err *err)
{
	const struct turn_waiting *who = &all->list[i];
	AUTO_FREE char *dir = lead_turns(r);
	AUTO_FREE char *file = xasprintf("%s/%s", dir, who->task);
	AUTO_STRLIST except = commit_excepts(&r->settings);
	AUTO_STRLIST earlier = NULL;
	AUTO_STRLIST later = NULL;
	struct err why = ERR_INIT;
	struct turn_spec turn = {.root = r->settings.root,
	    .task = who->task,
	    .file = file,
	    .except = except,
	    .about = who->about,
	    .patient = leader_of(r)->patient};

	for (size_t j = 0; j < all->n; j++)
		if (j < i)
			earlier = strlist_add(earlier, all->list[j].task);
		else if (j > i)
			later = strlist_add(later, all->list[j].task);
	turn.earlier = earlier;
	turn.later = later;
	json_put(out, "task", who->task);
	if (r->settings.commit == COMMIT_OFF)
		json_put(out, "text", "the changes stay as they are");
	else if (commit_turn(r, &turn,
		     &(struct turn_words){.summary = who->summary, .description = who->about},
		     out, &why) < 0)
		json_put(out, "waits", why.text);
	if (held_is(why.text))
		return err_set(err, "%s", why.text);
	return json_str(out, "waits", NULL) != NULL ? 0 : commit_tick(r, who->task, out, err);
}

/* Commits all waiting tasks, in the order of their ends. */
static int
waits_run(const void *arg, struct buf *out, struct err *err)
{
	const struct running *r = arg;
	AUTO_FREE char *dir = lead_turns(r);
	AUTO_JSON *all = json_array();
	struct turns_waiting who;
	int rc = 0;

	turns_waiting_find(dir, &who);
	for (size_t i = 0; rc == 0 && i < who.n; i++) {
		const struct loop_task *known = loop_find_task(&r->state, who.list[i].task);
		json_t *one;

		/* The task was committed a moment ago, and its record is just being removed. */
		if (known != NULL && known->completed)
			continue;
		one = json_object();
		rc = settle_one(r, &who, i, one, err);
		(void)json_array_append_new(all, one);
	}
	turns_waiting_release(&who);
	json_print(all, true, out);
	return rc;
}

/* Says why the task is not complete; false: the task is complete. */
static bool
add_lack(const json_t *one, struct buf *text)
{
	const char *waits = json_str(one, "waits", NULL);
	const char *unticked = json_str(one, "unticked", NULL);

	if (waits != NULL)
		buf_addf(text, "not committed: %s", waits);
	else if (unticked != NULL)
		buf_addf(text, "committed, but its box is not ticked: %s", unticked);
	return waits != NULL || unticked != NULL;
}

static void
report(struct running *r, const json_t *one)
{
	const char *task = json_str(one, "task", "");
	const struct loop_task *known = loop_find_task(&r->state, task);
	AUTO_BUF text = BUF_INIT;
	AUTO_BUF line = BUF_INIT;
	bool lacks = add_lack(one, &text);

	branch_tell(r, one);
	commit_tell_left(r, task, one);
	/* The user was told when the task began to wait. */
	if (lacks && known != NULL && known->unlanded)
		return;
	if (!lacks)
		buf_adds(&text, json_str(one, "text", ""));
	buf_one_line(&text);
	if (lacks) {
		buf_addf(&line, "%s: %s", task, text.data);
		running_input(r, &(struct loop_input){.kind = IN_ALERT, .text = line.data});
	}
	running_input(r, &(struct loop_input){.kind = IN_SETTLED,
			     .task = task,
			     .verdict = VERDICT_DONE,
			     .fate = lacks ? FATE_WAITING : FATE_MERGED,
			     .key = json_str(one, "commit", ""),
			     .text = text.data});
}

static void
commit_on_settled(
    struct running *r, void *arg, int rc, const struct buf *out, const struct err *err)
{
	AUTO_JSON *all = rc < 0 ? NULL : json_parse(out->data, out->len, "commits", NULL);

	(void)arg;
	if (rc < 0)
		warning("%s: what waits to be committed goes on waiting: %s", r->spec->name,
		    err->text);
	for (size_t i = 0; i < json_array_size(all); i++)
		report(r, json_array_get(all, i));
	leader_of(r)->settling = false;
	/* The source was about to be asked, perhaps for the last time. */
	commit_before_end(r);
	running_release(r);
}

/* Is there a candidate that needs more than its commit? */
static void
on_rest(void *ctx, const struct answer *a)
{
	struct other_work *rest = ctx;

	rest->any = a->kind != ANSWER_TASKS && a->kind != ANSWER_DONE;
	for (size_t i = 0; a->kind == ANSWER_TASKS && i < a->ncandidates; i++) {
		const struct loop_task *known =
		    loop_find_task(&rest->r->state, a->candidates[i].id);

		rest->any |=
		    known == NULL || (!known->unlanded && !known->completed && !known->failed);
	}
}

void
commit_before_end(struct running *r)
{
	struct other_work rest = {.r = r};

	if (r->state.unlanded == 0 || leader_of(r)->settled || loop_busy(&r->state) > 0)
		return;
	r->source->ops->next(r->source, on_rest, &rest);
	if (!rest.any)
		commit_waiting(r, false);
}

void
commit_waiting(struct running *r, bool patient)
{
	AUTO_STRLIST waiting = NULL;

	if (leader_of(r)->settling)
		return;
	leader_of(r)->settled = !patient;
	leader_of(r)->patient = patient;
	waiting = commit_earlier(r, "");
	if (waiting == NULL)
		return;
	leader_of(r)->settling = true;
	running_hold(r);
	step_start(r, &(struct step_spec){
			  .session = "",
			  .what = "commits that wait",
			  .run = waits_run,
			  .done = commit_on_settled,
			  .arg = r,
		      });
}
