/*
 * tell.c - what an agent is told besides its task: answers, reminders, nudges.
 */
#include "work/todo/leader.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/json.h"
#include "base/log.h"
#include "base/text.h"
#include "session/profile.h"
#include "session/wire.h"
#include "supervisor/step.h"
#include "work/todo/help/help.h"
#include "work/todo/picture.h"
#include "work/todo/question.h"
#include "work/todo/todo.h"
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define SCREEN_PATIENCE (2 * NSEC_PER_SEC)

static void
tell_say(struct running *r, const struct effect *e, const char *text, size_t len)
{
	struct session *s = running_find(r, e->session);
	struct err err = ERR_INIT;

	if (s != NULL && session_tell(s, e->iteration, e->number, text, len, &err) < 0)
		warning("%s: %s: %s", r->spec->name, e->task, err.text);
}

/* ---- help ------------------------------------------------------------------------------ */

/* The job owns everything in here. */
struct helping {
	struct running *r;
	struct effect effect;
	char *session; /* the session's directory, or NULL: a job has none of our descriptors */
	bool picture;  /* the question is about what there is to see */
};

static void
helping_free(void *arg)
{
	struct helping *h = arg;

	free(h->session);
	free(h);
}

json_t *
tell_gather(const struct running *r, const char *task, const char *question, const char *screen)
{
	const char *title = leader_of(r)->views->story.turn.title;

	return help_gather(&(struct help_question){
	    .root = r->settings.root,
	    .task = task,
	    .line = title,
	    .description = title,
	    .question = question,
	    .screen = screen,
	    .kind = question_kind(question, strlen(question)),
	    .command = r->settings.help_command,
	});
}

/* Reads the screen of the agent's terminal; nothing when the screen cannot be read. */
static void
screen_of(const struct helping *h, struct buf *out)
{
	AUTO_CLOSE int dir = h->session == NULL ? -1 : fs_open_dir(AT_FDCWD, h->session, NULL);
	AUTO_CLOSE int fd = dir < 0 ? -1 : wire_dial(dir, ROLE_CLIENT, 0, 0, 0, NULL);
	enum wire_type type = WIRE_ERROR;

	if (fd < 0 || wire_write_frame(fd, WIRE_SCREEN, NULL, 0, NULL) < 0)
		return;
	do {
		buf_clear(out);
		if (wire_read_frame(fd, SCREEN_PATIENCE, &type, out, NULL) < 0)
			return;
	} while (type != WIRE_SCREEN && type != WIRE_ERROR);
	if (type != WIRE_SCREEN)
		buf_clear(out);
}

static int
help_run(const void *arg, struct buf *out, struct err *err)
{
	const struct helping *h = arg;
	AUTO_BUF screen = BUF_INIT;
	AUTO_BUF name = BUF_INIT;
	AUTO_JSON *v = NULL;

	(void)err;
	screen_of(h, &screen);
	v = tell_gather(h->r, h->effect.task, h->effect.text, screen.data);
	buf_adds(&name, "intervention_");
	clock_fmt_stamp(clock_wall(), &name);
	buf_adds(&name, ".png");
	if (h->picture)
		picture_take(h->r->settings.root, name.data, v);
	json_print(v, true, out);
	return 0;
}

void
tell_unseen(struct running *r, const char *task, const json_t *v)
{
	const char *unseen = json_str(v, "unseen", NULL);

	if (json_bool(v, "blind", false))
		leader_of(r)->views->desktop = false;
	if (unseen != NULL)
		warning("%s: %s: no screenshot: %s", r->spec->name, task, unseen);
}

/* Adds the picture to the reply and to the context that is written down. */
static void
show_picture(struct running *r, const struct effect *e, const json_t *v, struct buf *reply,
    struct buf *context)
{
	const char *picture = json_str(v, "picture", NULL);

	tell_unseen(r, e->task, v);
	if (picture == NULL)
		return;
	buf_adds(reply, "\nThe screen as it is now, as a picture that you can read: ");
	text_show(reply, picture, strlen(picture), false);
	buf_addc(reply, '\n');
	buf_addf(context, "%s%s", context->len > 0 ? "; " : "", picture);
}

static void
on_help(struct running *r, void *arg, int rc, const struct buf *out, const struct err *why)
{
	const struct helping *h = arg;
	const struct effect *e = &h->effect;
	struct err err = *why;
	AUTO_JSON *v = rc < 0 ? NULL : json_parse(out->data, out->len, "the answer", &err);
	AUTO_BUF reply = BUF_INIT;
	AUTO_BUF context = BUF_INIT;

	if (rc < 0 && why->code == ECANCELED)
		return; /* the session is being ended */
	if (v == NULL) {
		warning(
		    "%s: %s: no help could be gathered: %s", r->spec->name, e->task, err.text);
		buf_addf(&reply,
		    "[Ralph] No help could be gathered for your question: %s\n\nDecide what is "
		    "most likely meant, and go on. Signal done when the task is complete.",
		    e->text);
	} else {
		buf_adds(&reply, json_str(v, "reply", ""));
		buf_adds(&context, json_str(v, "context", ""));
		show_picture(r, e, v, &reply, &context);
	}
	tell_help(r, e->task, e->text, v, v == NULL ? NULL : context.data);
	tell_say(r, e, reply.data, reply.len);
}

void
tell_help(struct running *r, const char *task, const char *question, const json_t *answer,
    const char *context)
{
	const struct story_question *q =
	    story_question(&leader_of(r)->views->story, task, question);
	const char *failure = json_str(answer, "failure", NULL);

	if (failure != NULL)
		warning("%s: --help-command: %s", r->spec->name, failure);
	todo_view_help(leader_of(r)->views,
	    &(struct todo_help){.at = q == NULL ? clock_wall() : q->at,
		.task = task,
		.reason = question,
		.count = q == NULL ? 1 : q->n,
		.context = context,
		.recommendation = json_str(answer, "recommendation", NULL)});
}

static void
help(struct running *r, const struct effect *e)
{
	struct helping *h = xcalloc(1, sizeof(*h));
	AUTO_FREE char *link = xasprintf("/proc/self/fd/%d/%s", r->sessions_dir, e->session);

	h->r = r;
	h->effect = *e;
	h->session = realpath(link, NULL);
	h->picture = leader_of(r)->views->desktop && picture_is_asked(e->text);
	step_start(r, &(struct step_spec){
			  .session = e->session,
			  .what = "help",
			  .run = help_run,
			  .done = on_help,
			  .release = helping_free,
			  .arg = h,
		      });
}

/* ---- words of ours --------------------------------------------------------------------- */

/* Nobody talks to a worker on pipes, so such a worker has no commands. */
bool
tell_has_commands(const struct running *r)
{
	static const char *const names[] = {"ralph_done", "ralph_stuck", "ralph_progress"};
	const struct settings *s = &r->settings;
	struct profile profile;
	bool has = true;

	if (s->mode != MODE_PTY || profile_load(&profile, s->command, NULL) < 0)
		return false;
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		has = has && profile_has_command(&profile, environ, s->root, names[i]);
	profile_release(&profile);
	return has;
}

void
tell_lack(const struct running *r, enum tell what, const char *task, const char *token,
    const char *why, struct buf *out)
{
	if (what == TELL_REMINDER)
		buf_addf(out,
		    "[Ralph] You signalled that %s is done, but its completion file does not "
		    "count: %s\n"
		    "If the task really is complete, run: ralph done --turn %s --summary "
		    "\"what you changed\"\n"
		    "(%sit writes %s/%s.done.json and signals again). If it is not, finish it "
		    "first.",
		    task, why, token, tell_has_commands(r) ? "or /ralph_done; " : "",
		    leader_of(r)->dir, task);
	else if (what == TELL_UNVERIFIED)
		buf_addf(out,
		    "[Ralph] %s is not done yet: the check of this project refuses it.\n"
		    "Command: %s\n%s\n\n"
		    "Repair that, run the command yourself until it succeeds, and signal done "
		    "again: ralph done --turn %s",
		    task, r->settings.verify == NULL ? "" : r->settings.verify, why, token);
}

static void
tell_probe(const struct effect *e, const char *token, struct buf *out)
{
	buf_addf(out,
	    "[Ralph] Nothing has moved for a while. Are you still working on %s? Go on with "
	    "it. If it is complete, run: ralph done --turn %s. If you need help, run: ralph "
	    "stuck --turn %s \"your question\". If something outside keeps you from going on, "
	    "run: ralph blocked --turn %s \"the reason\".",
	    e->task, token, token, token);
}

static void
again(struct running *r, const struct effect *e, const char *token, struct buf *out)
{
	todo_source_commands(r->source, tell_has_commands(r));
	if (r->source->ops->brief(r->source, e->task, out, NULL) < 0)
		tell_probe(e, token, out);
}

void
tell_start(struct running *r, const struct effect *e)
{
	AUTO_BUF text = BUF_INIT;
	char token[TOKEN_LEN + 1];

	lead_token(r, e->session, e->iteration, token);
	switch (e->tell) {
	case TELL_HELP:
		help(r, e);
		return;
	case TELL_REMINDER:
	case TELL_UNVERIFIED:
		tell_lack(r, e->tell, e->task, token, e->text, &text);
		break;
	case TELL_AGAIN:
		again(r, e, token, &text);
		break;
	case TELL_PROBE:
		tell_probe(e, token, &text);
		break;
	case TELL_NOTHING:
	case TELL_COUNT:
	default:
		return;
	}
	tell_say(r, e, text.data, text.len);
}
