/*
 * graph_command.c - a command of the user's gives out the tasks of a graph ('just prompt').
 *
 * The command's output is the agent's prompt.  The claims tell which task the prompt is for:
 * the command learns from RALPH_GRAPH_OWNER for whom to claim ('ralph graph prompt' obeys), so
 * the task is ours as if we had claimed it.  A command that claims nothing may name a task, as
 * prompts do ("Your task: ID"); then this file claims the task.  All other tasks that the
 * command claimed, and all tasks of a command that failed, are given back: nobody would ever
 * begin with them.
 */
#include "work/graph/graph_place.h"

#include "base/alloc.h"
#include "base/fs.h"
#include <unistd.h>

#define OWNER "RALPH_GRAPH_OWNER="
#define STORY "WORKTREE_STORY="
/* In the loop's directory: the id of the task, a line end, the prompt. */
#define PROMPT_FILE "graph.prompt"
#define PROMPT_MAX ((size_t)17 << 20)

char **
graph_command_env(const struct graph_place *p, pid_t owner)
{
	AUTO_FREE char *who = xasprintf(OWNER "%d", (int)owner);
	AUTO_FREE char *story = p->story == NULL ? NULL : xasprintf(STORY "%s", p->story);
	char **env = strlist_add(NULL, who);

	for (char **e = environ; e != NULL && *e != NULL; e++)
		if (strncmp(*e, OWNER, strlen(OWNER)) != 0 &&
		    strncmp(*e, STORY, strlen(STORY)) != 0)
			env = strlist_add(env, *e);
	return story == NULL ? env : strlist_add(env, story);
}

/* ---- what the command claimed ---------------------------------------------------------- */

/* Finds the tasks that `owner` holds and that nobody has ended.  For a loop without an agent
 * these are the tasks that the command claimed for the loop. */
static enum claim_result
find_claimed(struct graph_place *p, pid_t owner, char ***ids, struct err *err)
{
	AUTO_GRAPH g;
	enum claim_result rc = graph_look(p, &g, NULL, err);

	*ids = NULL;
	if (rc != CLAIM_CLAIMED)
		return rc;
	for (size_t i = 0; i < g.ntasks; i++) {
		const struct graph_task *t = &g.tasks[i];

		if (t->now == TASK_IN_PROGRESS && t->claim != NULL &&
		    t->claim->state == CLAIM_HELD && !claim_is_void(t->claim) &&
		    !claim_is_anothers(t->claim, owner))
			*ids = strlist_add(*ids, t->id);
	}
	return CLAIM_CLAIMED;
}

static enum claim_result
graph_command_give_back(
    struct graph_place *p, char *const *ids, const char *but, struct err *err)
{
	enum claim_result rc = CLAIM_CLAIMED;

	for (; ids != NULL && *ids != NULL && rc == CLAIM_CLAIMED; ids++)
		if (but == NULL || strcmp(*ids, but) != 0)
			rc = graph_release_task(p, *ids, err);
	return rc;
}

enum claim_result
graph_command_clear(struct graph_place *p, pid_t owner, struct err *err)
{
	AUTO_STRLIST ids = NULL;
	enum claim_result rc = find_claimed(p, owner, &ids, err);

	return rc == CLAIM_CLAIMED ? graph_command_give_back(p, ids, NULL, err) : rc;
}

/* ---- what the command answered --------------------------------------------------------- */

/* No task is left.  The sentence is that of the graph when the graph agrees with the command,
 * else that of the command. */
static enum claim_result
graph_command_nothing(struct graph_place *p, enum end_reason reason, const char *text,
    struct graph_offer *offer, struct err *err)
{
	enum claim_result said = reason == END_NO_WORK ? CLAIM_ALL_COMPLETE : CLAIM_BLOCKED;
	const struct graph_request any = {.id = NULL};
	struct graph_task *t = NULL;
	AUTO_GRAPH g;

	if (graph_look(p, &g, NULL, err) == CLAIM_CLAIMED) {
		offer->failed = graph_has_failed(&g, p->story);
		if (graph_choose(p, &g, &any, &t, err) == said)
			return said;
	}
	return graph_answer(said, err, "%s", text);
}

/* Adds the remarks of the command to `notes`.  Lines "claimed ..." are left out: the loop tells
 * about claims anyway. */
static void
add_remarks(const char *text, struct buf *notes)
{
	static const char warned[] = "ralph: warning: ";

	for (size_t len; *text != '\0'; text += len + (text[len] != '\0')) {
		len = strcspn(text, "\n");
		if (len == 0 || strncmp(text, "claimed ", 8) == 0)
			continue;
		if (strncmp(text, warned, strlen(warned)) == 0) {
			text += strlen(warned);
			len -= strlen(warned);
		}
		buf_add(notes, text, len);
		buf_addc(notes, '\n');
	}
}

static enum claim_result
graph_command_offer_make(struct graph_place *p, const char *id, const char *prompt,
    struct graph_offer *offer, struct err *err)
{
	AUTO_GRAPH g;
	enum claim_result rc = graph_look(p, &g, NULL, err);
	const struct graph_task *t = graph_find(&g, id);

	if (rc != CLAIM_CLAIMED)
		return rc;
	free(offer->id);
	free(offer->title);
	offer->id = xstrdup(id);
	offer->title = xstrdup(t != NULL ? t->title : "");
	buf_clear(&offer->prompt);
	buf_adds(&offer->prompt, prompt);
	return CLAIM_CLAIMED;
}

/* The command printed something; `ids` are the tasks that the command claimed. */
static enum claim_result
take_prompt(struct graph_place *p, const struct asked *asked, pid_t owner, char **ids,
    struct graph_offer *offer, struct err *err)
{
	struct graph_request request = {.id = asked->task, .owner = owner};
	enum end_reason reason;
	const char *id = strlist_has(ids, asked->task) ? asked->task
			 : ids == NULL		       ? NULL
						       : ids[0];
	enum claim_result rc;

	if (id == NULL && asked->task[0] != '\0') {
		rc = graph_claim(p, &request, offer, err);
		return rc == CLAIM_CLAIMED
			   ? graph_command_offer_make(p, asked->task, asked->prompt, offer, err)
			   : rc;
	}
	if (id == NULL) {
		/* In a pipe, only the last command's exit code is seen; so the words on stderr
		 * are read as well. */
		reason = asking_words("", asked->remarks);
		if (reason != END_NONE)
			return graph_command_nothing(p, reason, asked->remarks, offer, err);
		return graph_answer(CLAIM_REFUSED, err,
		    "the prompt command neither claims a task of the graph nor names one "
		    "('Your task: ID')");
	}
	rc = graph_command_offer_make(p, id, asked->prompt, offer, err);
	return rc == CLAIM_CLAIMED ? graph_command_give_back(p, ids, id, err) : rc;
}

enum claim_result
graph_command_take(struct graph_place *p, const struct asked *asked, pid_t owner,
    struct graph_offer *offer, struct err *err)
{
	AUTO_STRLIST ids = NULL;
	enum claim_result rc = find_claimed(p, owner, &ids, err);

	if (rc == CLAIM_CLAIMED && asked->kind == ASKED_PROMPT) {
		add_remarks(asked->remarks, &offer->notes);
		rc = take_prompt(p, asked, owner, ids, offer, err);
	} else if (rc == CLAIM_CLAIMED) {
		rc = graph_command_give_back(p, ids, NULL, err);
		if (rc == CLAIM_CLAIMED && asked->kind == ASKED_NOTHING)
			rc = graph_command_nothing(p, asked->reason, asked->text, offer, err);
		else if (rc == CLAIM_CLAIMED)
			rc = CLAIM_REFUSED;
	}
	if (asked->kind == ASKED_FAILED)
		(void)err_set(err, "%s", asked->text);
	return rc;
}

/* ---- for the next supervisor ----------------------------------------------------------- */

int
graph_command_keep(int dir, const struct graph_offer *offer, struct err *err)
{
	AUTO_BUF text = BUF_INIT;

	buf_addf(&text, "%s\n", offer->id);
	buf_add(&text, offer->prompt.data, offer->prompt.len);
	return fs_replace(dir, PROMPT_FILE, text.data, text.len, FS_NOSYNC, err);
}

bool
graph_command_kept(int dir, const char *task, struct buf *prompt)
{
	AUTO_BUF text = BUF_INIT;
	size_t len = strlen(task);

	if (fs_read(dir, PROMPT_FILE, PROMPT_MAX, &text, NULL) < 0 || text.len <= len ||
	    memcmp(text.data, task, len) != 0 || text.data[len] != '\n')
		return false;
	buf_clear(prompt);
	buf_add(prompt, text.data + len + 1, text.len - len - 1);
	return true;
}
