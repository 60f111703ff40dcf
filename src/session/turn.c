/*
 * turn.c - the task that an agent works on, and the agent's words about it.
 *
 * A turn is open from the moment at which its prompt is given, or shown to have been read.
 * Words that the agent said before, or says between two turns, belong to no turn.  A turn is
 * over for now when the agent said that it is done or blocked; an answer opens the turn again.
 *
 * A process that speaks through the worker channel shows the turn's token (token.h), which
 * stands in the prompt.  A tag has no token and may be left over from the turn before.  So a
 * tag with a question or an obstacle counts only when the agent has read its prompt, and a tag
 * about the end gives way to a word that has proof.
 *
 * An agent may say anything any number of times.  The number of signals, each a line on the
 * disk and a decision of the loop, is bounded for each turn.
 */
#include "session/keeper.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "base/log.h"
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/ioctl.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define PROMPT_MAX ((size_t)256 << 20)
#define NOTICE_MAX 65536
#define REPORTS_MAX 500 /* of progress: about five at each percent */
#define UNREAD_LOOK (20 * NSEC_PER_MSEC)

static const enum signal_kind signals[] = {
    [PROMISE_DONE] = SIGNAL_DONE,
    [PROMISE_STUCK] = SIGNAL_STUCK,
    [PROMISE_BLOCKED] = SIGNAL_BLOCKED,
    [PROMISE_PROGRESS] = SIGNAL_PROGRESS,
};

/* ---- turns --------------------------------------------------------------------------- */

static void
turn_set(
    struct turn *t, int64_t number, const char *task, const char *token, const json_t *facts)
{
	struct keeper *k = t->k;
	int64_t told = t->told;

	turn_release(t);
	*t = (struct turn){
	    .k = k, .number = number, .facts = json_deep_copy(facts), .told = told};
	t->task = task != NULL ? xstrdup(task) : NULL;
	t->token = token != NULL ? xstrdup(token) : NULL;
	t->since = clock_wall();
}

void
turn_start(struct turn *t)
{
	const struct keeper_spec *spec = &t->k->spec;
	AUTO_JSON *facts = NULL;

	if (spec->facts != NULL)
		facts = json_parse(spec->facts, strlen(spec->facts), "facts", NULL);
	turn_set(t, spec->iteration, spec->task, spec->token, facts);
	t->first = true;
}

void
turn_release(struct turn *t)
{
	ev_timer_stop(&t->unread);
	free(t->task);
	free(t->token);
	json_decref(t->facts);
	*t = (struct turn){.k = t->k};
}

/* Makes the file the session's prompt, so that `prompt` is always the last prompt. */
static int
prompt_take(const struct keeper *k, int64_t number, struct buf *prompt, struct err *err)
{
	AUTO_FREE char *name = xasprintf("prompt.%" PRId64, number);

	if (fs_read(k->dirfd, name, PROMPT_MAX, prompt, err) < 0)
		return -1;
	(void)!fs_rename(k->dirfd, name, "prompt", FS_NOSYNC, NULL);
	return 0;
}

const char *
turn_clear(const struct turn *t)
{
	const char *clear = t->k->spec.clear != NULL ? t->k->spec.clear : t->k->profile.clear;

	return clear != NULL ? clear : "";
}

static void
prompt_paste(struct turn *t, const struct buf *prompt)
{
	struct keeper *k = t->k;
	const char *clear = turn_clear(t);

	watcher_task(&k->watcher, t->task, prompt->data, prompt->len);
	if (*clear)
		(void)!paster_add(&k->paster, clear, strlen(clear), true, PASTE_CLEAR, 0);
	(void)!paster_add(&k->paster, prompt->data, prompt->len, true, PASTE_TASK, 0);
}

void
turn_assign(struct turn *t, const char *json, size_t len)
{
	AUTO_JSON *v = json_parse(json, len, "turn", NULL);
	const char *task = json_str(v, "task", NULL);
	int64_t number = json_int(v, "turn", 0);
	AUTO_BUF prompt = BUF_INIT;
	struct err err = ERR_INIT;

	/* A supervisor that came back asked for the turn once more, or a supervisor asked too
	 * late. */
	if (t->task == NULL || task == NULL || number <= t->number ||
	    t->k->state != KEEPER_RUNNING)
		return;
	turn_set(t, number, task, json_str(v, "token", NULL), json_object_get(v, "facts"));
	t->k->raised &= ~(1u << SIGNAL_STALL | 1u << SIGNAL_UNDELIVERED | 1u << SIGNAL_ASKS);
	keeper_notices(t->k);
	if (t->k->spec.mode == MODE_PTY && prompt_take(t->k, number, &prompt, &err) == 0) {
		prompt_paste(t, &prompt);
		return;
	}
	if (!err.text[0])
		(void)err_set(&err, "there is no terminal to paste it into");
	keeper_signal(t->k, SIGNAL_UNDELIVERED, err.text);
}

/* Text that was typed and not read yet is in the terminal's queue.  An agent that has not read
 * its prompt is busy with something else, and its output is about that. */
static bool
prompt_is_unread(const struct turn *t)
{
	int n = 0;

	return t->k->slave >= 0 && ioctl(t->k->slave, FIONREAD, &n) == 0 && n > 0;
}

/* Nothing tells when the agent reads its terminal, so we look.  Output from before the read,
 * perhaps just before, has had the time between two looks to come here, and is past. */
static void
unread_timer(struct ev_timer *timer)
{
	struct turn *t = timer->ctx;
	bool was_read = t->read;

	t->read = !prompt_is_unread(t);
	if (!t->read || !was_read) {
		ev_timer_in(t->k->ev, timer, UNREAD_LOOK, unread_timer, t);
		return;
	}
	stream_drain(&t->k->out);
	watcher_past(&t->k->watcher);
	t->taken = true;
}

/* Acts once a turn: the agent's words between its first word and our Enter are about the
 * task. */
void
turn_opened(struct turn *t)
{
	if (t->task == NULL || t->open)
		return;
	t->open = true;
	/* Output from before this moment is past, even output that the keeper has not read
	 * yet. */
	stream_drain(&t->k->out);
	watcher_past(&t->k->watcher);
	t->taken = t->first || !prompt_is_unread(t);
	if (!t->taken)
		ev_timer_in(t->k->ev, &t->unread, UNREAD_LOOK, unread_timer, t);
}

void
turn_delivered(struct turn *t)
{
	if (t->task == NULL || t->delivered)
		return;
	t->delivered = true;
	keeper_signal(t->k, SIGNAL_DELIVERED, t->task);
}

/* ---- answers ------------------------------------------------------------------------- */

void
turn_tell(struct turn *t, int64_t number, uint64_t word, const char *text, size_t len)
{
	if (t->task == NULL || number != t->number || word > INT64_MAX ||
	    (int64_t)word <= t->told || t->k->state != KEEPER_RUNNING ||
	    t->k->spec.mode != MODE_PTY)
		return;
	t->told = (int64_t)word;
	(void)!paster_add(&t->k->paster, text, len, true, PASTE_TELL, word);
}

void
turn_told(struct turn *t, uint64_t word)
{
	char number[24];

	t->over = false;
	t->nasked = 0;
	watcher_past(&t->k->watcher);
	snprintf(number, sizeof(number), "%" PRIu64, word);
	keeper_signal(t->k, SIGNAL_TOLD, number);
}

bool
turn_waits(const struct turn *t)
{
	return t->task != NULL && (t->over || !t->open);
}

/* ---- what it says -------------------------------------------------------------------- */

/* Notes a question.  Returns why the question is refused (asked already, or one too many), or
 * NULL. */
static const char *
question_ask(struct turn *t, const char *text)
{
	uint64_t hash = XXH3_64bits(text, strlen(text));

	for (size_t i = 0; i < t->nasked; i++)
		if (t->asked[i] == hash)
			return "this was asked already, and an answer is on its way";
	if (t->nasked == TURN_ASKED_MAX)
		return "too many questions wait for an answer";
	t->asked[t->nasked++] = hash;
	return NULL;
}

static const char *
progress_report(struct turn *t, const char *text)
{
	long percent = strtol(text, NULL, 10);

	if (t->progress == percent + 1)
		return "this was said already";
	if (t->reports++ >= REPORTS_MAX)
		return "there were too many reports of progress";
	t->progress = percent + 1;
	return NULL;
}

/* How a word shows that it belongs to this turn; the weakest proof first. */
enum proof {
	PROOF_NONE,   /* a tag, which has no sender */
	PROOF_SENDER, /* came through the channel, and no word can be left over from before */
	PROOF_TURN,   /* has what only this turn tells: the token, or the done file */
};

/* Why a word about the task is refused now, or NULL.  A tag about the end may only have been
 * shown, so a word with proof overrides the tag.  A speaker with the turn's own proof has read
 * the prompt, even when Enter has not been pressed yet. */
static const char *
turn_refuses(const struct turn *t, const struct promise *p, enum proof proof)
{
	bool ends = p->kind == PROMISE_DONE || p->kind == PROMISE_BLOCKED;

	if (t->task == NULL || (!t->open && proof < PROOF_TURN))
		return "the agent has not been given a task yet";
	if (t->over && !(t->by_tag && proof > PROOF_NONE && ends))
		return "the agent has already said how its task ended";
	return NULL;
}

static const char *
turn_takes(struct turn *t, const struct promise *p, enum proof proof)
{
	const char *why = turn_refuses(t, p, proof);

	if (why == NULL)
		turn_opened(t);
	if (t->task != NULL && t->open)
		watcher_moves(&t->k->watcher);
	if (why == NULL && p->kind == PROMISE_STUCK)
		why = question_ask(t, p->text);
	else if (why == NULL && p->kind == PROMISE_PROGRESS)
		why = progress_report(t, p->text);
	else if (why == NULL)
		t->over = true;
	if (why != NULL)
		return why;
	t->by_tag = t->over && proof == PROOF_NONE;
	/* A speaker that tells about the task has the prompt. */
	turn_delivered(t);
	keeper_signal(t->k, signals[p->kind], p->text);
	return NULL;
}

void
turn_shows(struct turn *t, const struct promise *p)
{
	/* Before the prompt is read, DONE and PROGRESS count, too: a file has to confirm DONE,
	 * and a number does no harm. */
	if (t->taken || p->kind == PROMISE_DONE || p->kind == PROMISE_PROGRESS)
		(void)turn_takes(t, p, PROOF_NONE);
}

/* ---- words from the channel ---------------------------------------------------------- */

static int
turn_signal_parse(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(signals); i++)
		if (strcmp(signal_name(signals[i]), name) == 0)
			return (int)i;
	return -1;
}

/* A supervisor of a version without tokens has no tokens in its prompts, either. */
static bool
counts_bare(const struct turn *t)
{
	return t->first || t->token == NULL;
}

/*
 * Why a word does not show that it is of this turn, or NULL.
 *
 * A process that has the token was given this turn's prompt.  The token is enough for a process
 * outside of the family, too: the agent's commands may run where we cannot see (a tmux
 * server that was there before, a container, another machine's shell).  Without the token, any
 * process of this user could say anything.
 */
static const char *
proof_lacks(const struct turn *t, const json_t *v, enum promise_kind kind, bool inside)
{
	const char *token = json_str(v, "token", NULL);

	if (token != NULL && t->token != NULL && strcasecmp(token, t->token) != 0)
		return "this word is of another turn, as its --turn says; for the task of the "
		       "session run the command that stands in that task's prompt";
	if (token == NULL && t->token != NULL && !inside && kind != PROMISE_PROGRESS)
		return "this command does not run inside the session that it speaks for, "
		       "and then counts only with the --turn that stands in the task's prompt";
	if (token != NULL || counts_bare(t) || json_bool(v, "filed", false) ||
	    kind == PROMISE_PROGRESS)
		return NULL;
	return "a word without --turn may be late, and counts only for the first task of a "
	       "session; run the command that stands in your task's prompt";
}

/* The proof of a word that proof_lacks has accepted. */
static enum proof
proof_find(const struct turn *t, const json_t *v)
{
	bool shown = t->token != NULL && json_str(v, "token", NULL) != NULL;

	return shown || json_bool(v, "filed", false) ? PROOF_TURN : PROOF_SENDER;
}

/* Reads a word into `p`.  Returns NULL, or why the word cannot be taken. */
static const char *
word_read(const struct turn *t, const char *json, size_t len, bool inside, struct promise *p,
    enum proof *proof)
{
	AUTO_JSON *v = json_parse(json, len, "word", NULL);
	const char *text = json_str(v, "text", ""), *task = json_str(v, "task", t->task);
	int kind = turn_signal_parse(json_str(v, "signal", ""));
	const char *why;

	if (t->task == NULL)
		return "this session has no task";
	if (kind < 0 || !json_is_integer(json_object_get(v, "turn")))
		return "this is nothing that an agent can say";
	if (json_int(v, "turn", 0) != t->number || strcmp(task, t->task) != 0)
		return "this is not the task of the session any more";
	why = proof_lacks(t, v, (enum promise_kind)kind, inside);
	if (why != NULL)
		return why;
	*proof = proof_find(t, v);
	if (!promise_fill(p, (enum promise_kind)kind, text, strlen(text)))
		return "progress is a number from 0 to 100";
	return NULL;
}

/* A process that only asks shows that its agent is alive. */
const char *
turn_asked(const struct turn *t, const char *json, size_t len, bool inside)
{
	enum proof proof = PROOF_NONE;
	struct promise p;
	const char *why = word_read(t, json, len, inside, &p, &proof);

	if (why == NULL)
		why = turn_refuses(t, &p, proof);
	if (why == NULL && t->open)
		watcher_moves(&t->k->watcher);
	return why;
}

const char *
turn_hears(struct turn *t, const char *json, size_t len, bool inside)
{
	enum proof proof = PROOF_NONE;
	struct promise p;
	const char *why = word_read(t, json, len, inside, &p, &proof);

	if (why == NULL)
		why = turn_takes(t, &p, proof);
	/* The command also prints its tag, which may come behind tags that were printed
	 * before. */
	if (why == NULL)
		watcher_told(&t->k->watcher, &p);
	return why;
}

/* ---- notices ------------------------------------------------------------------------- */

void
turn_notice(const struct turn *t, struct buf *out)
{
	const struct buf *said = &t->k->notice;
	AUTO_JSON *all = json_object(), *notice = NULL;

	if (t->task == NULL) {
		buf_adds(out, said->len > 0 ? said->data : "{}");
		return;
	}
	notice = json_parse(said->data, said->len, "notice", NULL);
	ENSURE(all != NULL);
	if (json_is_object(t->facts))
		(void)json_object_update(all, t->facts);
	if (json_is_object(notice))
		(void)json_object_update(all, notice);
	ENSURE(json_object_set_new(all, "task", json_text(t->task, strlen(t->task))) == 0 &&
	       json_object_set_new(all, "turn", json_integer(t->number)) == 0 &&
	       json_object_set_new(all, "since", json_integer(t->since)) == 0 &&
	       json_object_set_new(all, "bare", json_boolean(counts_bare(t))) == 0);
	json_print(all, true, out);
	if (out->len <= NOTICE_MAX)
		return;
	warning("the facts of %s are too long to be told", t->task);
	buf_clear(out);
	buf_addf(out, "{\"turn\":%" PRId64 "}", t->number);
}
