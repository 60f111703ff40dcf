#include "session/session.h"
#include "base/alloc.h"
#include "base/fs.h"
#include "base/process/child.h"
#include "session/keeper.h"
#include "session/orphan.h"
#include "session/probe.h"
#include "session/pulse.h"
#include "session/spare.h"
#include <errno.h>
#include <inttypes.h>
#include <signal.h>

#define LOST_FIRST (2 * NSEC_PER_MSEC)
#define LOST_MAX NSEC_PER_SEC

/* How long a keeper may take to end its agent, beyond the grace. */
#define STUCK (10 * NSEC_PER_SEC)
#define STUCK_POLITE (50 * NSEC_PER_SEC)
#define GRACE_UNKNOWN (60 * NSEC_PER_SEC) /* of a session that another supervisor started */

struct session {
	struct ev *ev;
	int dirfd;
	char *id;
	struct session_callbacks cb;
	struct wire wire;
	struct child keeper; /* pid -1: not our child, or reaped */
	struct ev_child exit;
	struct ev_timer timer;
	struct ev_timer stuck; /* the keeper does not do as it was asked */
	int64_t patience;      /* time (ns) the keeper still has before it is given up */
	struct pulse pulse;
	int64_t grace;
	int64_t seq;  /* of the last signal we passed on */
	int64_t wait; /* until a lost keeper is looked for again */
	bool ended;
	int end_wanted;		   /* 1: asked to end politely, 2: at once */
	struct buf assigned, told; /* the last frames; sent again when the connection broke */
	bool *gone;		   /* a callback freed us while we were not done */
};

static void session_lost(struct ev_timer *t);

/* ---- keepers ------------------------------------------------------------------------- */

static bool
keeper_reap(struct session *s)
{
	struct exit_status ignored;

	if (s->keeper.pid > 0 && child_reap(&s->keeper, false, &ignored) == 0)
		return false;
	ev_child_stop(&s->exit);
	auto_close_fn(&s->keeper.pidfd);
	s->keeper.pid = -1;
	return true;
}

static void
session_keeper_ended(struct ev_child *w)
{
	keeper_reap(w->ctx);
}

static void
keeper_let_go(struct session *s)
{
	if (keeper_reap(s))
		return;
	ev_child_stop(&s->exit);
	orphan_add(s->ev, &s->keeper);
	s->keeper = (struct child){.pid = -1, .pidfd = -1};
}

/* Returns the keeper's pid while the keeper lives, else 0. */
static pid_t
keeper_pid(struct session *s)
{
	struct proc_id keeper;
	pid_t agent;

	if (s->keeper.pid > 0)
		return keeper_reap(s) ? 0 : s->keeper.pid;
	return probe_keeper(s->dirfd, &keeper, &agent) && proc_id_alive(&keeper) ? keeper.pid
										 : 0;
}

static void
keeper_wake(struct session *s)
{
	pid_t pid = keeper_pid(s);

	if (pid > 0)
		(void)kill(pid, SIGCONT);
}

/* ---- events -------------------------------------------------------------------------- */

/* The caller must not touch the session afterwards. */
static void
session_ended(struct session *s, struct exit_status status, const char *text)
{
	if (s->ended)
		return;
	s->ended = true;
	orphans_reap();
	ev_timer_stop(&s->timer);
	ev_timer_stop(&s->stuck);
	pulse_stop(&s->pulse);
	wire_close(&s->wire);
	s->cb.ended(s->cb.ctx, s, status, text);
}

static void
session_signal(struct session *s, const json_t *v)
{
	int kind = signal_parse(json_str(v, "signal", ""));
	struct session_signal sig = {.seq = json_int(v, "seq", 0),
	    .turn = json_int(v, "turn", 0),
	    .kind = (enum signal_kind)kind,
	    .text = json_str(v, "text", ""),
	    .resets = json_int(v, "resets", 0)};

	if (sig.seq <= s->seq)
		return;
	s->seq = sig.seq;
	/* A signal that only a newer keeper knows cannot be acted upon. */
	if (kind >= 0 && s->cb.signal != NULL)
		s->cb.signal(s->cb.ctx, s, &sig);
}

static void
session_event(struct session *s, const char *data, size_t len)
{
	AUTO_JSON *v = json_parse(data, len, "event", NULL);
	const char *event = json_str(v, "event", "");

	if (strcmp(event, "running") == 0) {
		if (s->cb.running != NULL)
			s->cb.running(s->cb.ctx, s, (pid_t)json_int(v, "pid", 0));
	} else if (strcmp(event, "signal") == 0) {
		session_signal(s, v);
	} else if (strcmp(event, "alive") == 0) {
		if (s->cb.alive != NULL)
			s->cb.alive(s->cb.ctx, s);
	} else if (strcmp(event, "ended") == 0) {
		session_ended(s, exit_from_json(v), json_str(v, "text", ""));
	}
}

static void
session_frame(struct wire *w, enum wire_type type, const char *data, size_t len)
{
	struct session *s = w->ctx;

	pulse_heard(&s->pulse);
	if (type == WIRE_EVENT)
		session_event(s, data, len);
}

static void
session_closed(struct wire *w, const char *why UNUSED)
{
	struct session *s = w->ctx;

	wire_close(w);
	pulse_stop(&s->pulse);
	s->wait = LOST_FIRST;
	ev_timer_in(s->ev, &s->timer, 0, session_lost, s);
}

static void
session_connect(struct session *s, int fd)
{
	wire_open(&s->wire, s->ev, fd, session_frame, session_closed, s);
	pulse_restart(&s->pulse);
}

static void
session_beat(void *ctx, enum pulse_beat beat)
{
	struct session *s = ctx;

	if (beat == PULSE_ASK)
		wire_send(&s->wire, WIRE_SPEC, NULL, 0); /* see wire.h */
	else if (beat == PULSE_WAKE)
		keeper_wake(s);
	else if (s->cb.silent != NULL)
		s->cb.silent(s->cb.ctx, s, s->pulse.silence, pulse_is_late(&s->pulse));
}

/* Starts the pulse with the time limits that the keeper has promised to keep; 0: there is none.
 * Of inactivity and stall the shorter one counts. */
static void
session_count(struct session *s, int64_t inactivity, int64_t stall, int64_t iteration)
{
	bool second = inactivity <= 0 || (stall > 0 && stall < inactivity);

	pulse_start(&s->pulse, s->ev, second ? stall : inactivity, iteration, session_beat, s);
}

/* ---- a keeper that went away --------------------------------------------------------- */

struct missed {
	struct session *s;
	bool gone;
};

static bool
missed_signal(void *ctx, const json_t *signal)
{
	struct missed *m = ctx;

	session_signal(m->s, signal);
	return !m->gone;
}

/* Reads from the directory the signals that we have not heard, and how the session ended. */
static void
session_read_end(struct session *s, struct exit_status status, const char *text)
{
	struct missed m = {.s = s};

	s->gone = &m.gone;
	probe_signals(s->dirfd, s->seq, missed_signal, &m);
	if (m.gone)
		return;
	s->gone = NULL;
	session_ended(s, status, text);
}

/* Sends a frame once more: the keeper ignores what it has done already. */
static void
send_again(struct session *s, enum wire_type type, const struct buf *frame)
{
	if (frame->len > 0)
		wire_send(&s->wire, type, frame->data, frame->len);
}

/*
 * The connection broke.  Either exit.json is there, or the keeper still lives and can be
 * reached again, or the keeper is lost: then the family is ended first.
 */
static void
session_lost(struct ev_timer *t)
{
	struct session *s = t->ctx;
	struct exit_status status = {EXIT_UNKNOWN, 0};
	AUTO_BUF text = BUF_INIT;
	bool alive = keeper_pid(s) > 0;
	int fd;

	if (probe_exit(s->dirfd, &status, &text)) {
		session_read_end(s, status, text.data);
		return;
	}
	if (alive) {
		fd = wire_dial(s->dirfd, ROLE_SUPERVISOR, 0, 0, (uint64_t)s->seq, NULL);
		if (fd >= 0) {
			session_connect(s, fd);
			send_again(s, WIRE_ASSIGN, &s->assigned);
			send_again(s, WIRE_TELL, &s->told);
			if (s->end_wanted)
				session_end(s, s->end_wanted == 1);
			return;
		}
	} else if (probe_sweep(s->dirfd) && orphans_end()) {
		session_read_end(s, status, "the keeper of the session was lost");
		return;
	}
	ev_timer_in(s->ev, t, s->wait, session_lost, s);
	s->wait = s->wait * 2 < LOST_MAX ? s->wait * 2 : LOST_MAX;
}

/* ---- start --------------------------------------------------------------------------- */

static struct session *
session_new(struct ev *ev, int dirfd, const char *id, const struct session_callbacks *cb)
{
	struct session *s = xcalloc(1, sizeof(*s));

	s->ev = ev;
	s->dirfd = dirfd;
	s->id = xstrdup(id);
	s->cb = *cb;
	s->wire.fd = -1;
	s->wire.closed = true;
	buf_init(&s->wire.in);
	buf_init(&s->wire.out);
	buf_init(&s->assigned);
	buf_init(&s->told);
	s->keeper = (struct child){.pid = -1, .pidfd = -1};
	s->wait = LOST_FIRST;
	s->grace = GRACE_UNKNOWN;
	return s;
}

/* The caller's spare keeper, if it still waits, or one made now. */
static struct session_spare *
spare_take(struct ev *ev, int sessions_dirfd, const struct session_spec *spec, struct err *err)
{
	struct session_spare *spare = spec->spare != NULL ? *spec->spare : NULL;

	if (spec->spare != NULL)
		*spec->spare = NULL;
	if (spare != NULL && spare->keeper.pid > 0)
		return spare;
	(void)session_spare_free(spare, NULL);
	return session_spare_new(ev, sessions_dirfd, err);
}

/* Turns the spare into a session, which takes over the keeper.  Frees the spare. */
static struct session *
session_from_spare(struct session_spare *spare, const struct session_spec *spec,
    const struct session_callbacks *cb)
{
	struct session *s = session_new(spare->ev, spare->dirfd, spec->id, cb);

	s->grace = spec->settings->grace;
	s->keeper = spare->keeper;
	ev_child_stop(&spare->exit);
	ev_child_start(s->ev, &s->exit, s->keeper.pidfd, session_keeper_ended, s);
	session_connect(s, spare->fd);
	session_count(s, spec->settings->inactivity_timeout, spec->settings->stall_timeout,
	    spec->settings->iteration_timeout);
	/* The agent before may have stopped every process that it found. */
	(void)kill(s->keeper.pid, SIGCONT);
	free(spare);
	return s;
}

struct session *
session_start(struct ev *ev, int sessions_dirfd, const struct session_spec *spec,
    const struct session_callbacks *cb, struct err *err)
{
	struct session_spare *spare = spare_take(ev, sessions_dirfd, spec, err);
	AUTO_BUF meta = BUF_INIT;
	struct session *s;

	if (spare == NULL || session_spare_name(spare, spec->id, err) < 0) {
		(void)session_spare_free(spare, NULL);
		err_prefix(err, "cannot start session %s", spec->id);
		return NULL;
	}
	s = session_from_spare(spare, spec, cb);
	keeper_spec_print(spec, &meta);
	wire_send_pieces(&s->wire, WIRE_SPEC, WIRE_SPEC, meta.data, meta.len);
	wire_send_pieces(
	    &s->wire, WIRE_PROMPT, WIRE_PROMPT, spec->prompt->data, spec->prompt->len);
	wire_send(&s->wire, WIRE_START, NULL, 0);
	return s;
}

/* ---- adoption ------------------------------------------------------------------------ */

/* Reads what the keeper promised to a former supervisor; the promised times begin anew. */
static void
session_promises(struct session *s)
{
	struct keeper_spec spec;

	if (keeper_spec_read(s->dirfd, &spec, NULL) < 0)
		return;
	s->grace = spec.grace;
	session_count(s, spec.inactivity_timeout, spec.stall_timeout, spec.iteration_timeout);
	keeper_spec_release(&spec);
}

struct session *
session_adopt(struct ev *ev, int sessions_dirfd, const char *id, int64_t seq,
    const struct session_callbacks *cb, enum session_probe *probe, struct err *err)
{
	struct err why = ERR_INIT;
	struct session *s;
	int fd = -1, dirfd = fs_open_dir(sessions_dirfd, id, &why);

	if (dirfd < 0) {
		*probe = why.code == ENOENT ? PROBE_ABSENT : PROBE_RUNNING;
		if (*probe == PROBE_RUNNING)
			err_pass(err, &why);
		return NULL;
	}
	s = session_new(ev, dirfd, id, cb);
	s->seq = seq;
	if (probe_reach(s->dirfd, id, seq, probe, &fd, err) < 0)
		*probe = PROBE_RUNNING;
	if (fd >= 0) {
		session_connect(s, fd);
		session_promises(s);
	} else if (*probe == PROBE_ENDED) {
		ev_timer_in(ev, &s->timer, 0, session_lost, s);
	} else {
		session_free(s);
		return NULL;
	}
	return s;
}

/* ---- rest ---------------------------------------------------------------------------- */

const char *
session_id(const struct session *s)
{
	return s->id;
}

/* Even a KILL has to wait while the keeper waits for a disk.  Such a keeper can do nothing any
 * more, and the processes below it are gone. */
static void
session_given_up(struct ev_timer *t)
{
	struct session *s = t->ctx;

	if (keeper_pid(s) > 0)
		session_read_end(
		    s, (struct exit_status){EXIT_UNKNOWN, 0}, "the keeper cannot be ended");
}

/* Kills the processes below the keeper first, while they can be found there; the rest is swept
 * as after any lost keeper. */
void
session_kill(struct session *s)
{
	pid_t keeper = keeper_pid(s);

	if (keeper <= 0)
		return;
	probe_kill(keeper);
	ev_timer_in(s->ev, &s->stuck, STUCK, session_given_up, s);
}

/* Counts in looks, as a pulse does: time in which the keeper could not run does not count. */
static void
session_stuck(struct ev_timer *t)
{
	struct session *s = t->ctx;

	s->patience -= PULSE_LOOK;
	if (s->patience > 0)
		ev_timer_in(s->ev, t, PULSE_LOOK, session_stuck, s);
	else
		session_kill(s);
}

void
session_end(struct session *s, bool politely)
{
	char flag = politely ? 1 : 0;

	s->end_wanted = politely ? 1 : 2;
	wire_send(&s->wire, WIRE_END, &flag, 1);
	/* An agent may have stopped the keeper. */
	keeper_wake(s);
	s->patience = s->grace + (politely ? STUCK_POLITE : STUCK);
	ev_timer_in(s->ev, &s->stuck, PULSE_LOOK, session_stuck, s);
}

void
session_notice(struct session *s, const char *json)
{
	wire_send(&s->wire, WIRE_NOTICE, json, strlen(json));
}

/* ---- turns --------------------------------------------------------------------------- */

int
session_assign(struct session *s, int64_t turn, const char *task, const char *token,
    const char *facts, const struct buf *prompt, struct err *err)
{
	AUTO_JSON *known = NULL, *v = NULL;
	AUTO_FREE char *name = xasprintf("prompt.%" PRId64, turn);

	if (probe_turns(s->dirfd, s->id, err) < 0)
		return -1;
	if (facts != NULL && (known = json_parse(facts, strlen(facts), "facts", err)) == NULL)
		return -1;
	v = json_pack("{s:I, s:o, s:s*, s:O*}", "turn", (json_int_t)turn, "task",
	    json_text(task, strlen(task)), "token", token, "facts", known);
	ENSURE(v != NULL);
	buf_clear(&s->assigned);
	json_print(v, true, &s->assigned);
	if (s->assigned.len > WIRE_ASSIGN_MAX) {
		buf_clear(&s->assigned);
		return err_set(err, "the facts of %s are too long", task);
	}
	if (fs_replace(s->dirfd, name, prompt->data, prompt->len, FS_NOSYNC, err) < 0)
		return -1;
	wire_send(&s->wire, WIRE_ASSIGN, s->assigned.data, s->assigned.len);
	pulse_restart(&s->pulse);
	return 0;
}

int
session_tell(struct session *s, int64_t turn, int64_t number, const char *text, size_t len,
    struct err *err)
{
	char head[16];

	if (probe_turns(s->dirfd, s->id, err) < 0)
		return -1;
	if (len > WIRE_MAX - sizeof(head))
		return err_set(err, "%zu bytes are too many to be told at once", len);
	wire_put_u64(head, (uint64_t)turn);
	wire_put_u64(head + 8, (uint64_t)number);
	buf_clear(&s->told);
	buf_add(&s->told, head, sizeof(head));
	buf_add(&s->told, text, len);
	wire_send(&s->wire, WIRE_TELL, s->told.data, s->told.len);
	return 0;
}

void
session_nudge(struct session *s, int64_t turn)
{
	char number[8];

	wire_put_u64(number, (uint64_t)turn);
	wire_send(&s->wire, WIRE_NUDGE, number, sizeof(number));
}

void
session_free(struct session *s)
{
	if (s == NULL)
		return;
	if (s->gone != NULL)
		*s->gone = true;
	ev_timer_stop(&s->timer);
	ev_timer_stop(&s->stuck);
	pulse_stop(&s->pulse);
	wire_close(&s->wire);
	keeper_let_go(s);
	auto_close_fn(&s->dirfd);
	buf_release(&s->assigned);
	buf_release(&s->told);
	free(s->id);
	free(s);
}
