/*
 * keeper.h - the parts of a keeper (private to this room).
 *
 *   spec     what was asked for: meta.json
 *   family   the agent and everything it started
 *   stream   output on its way in: recorded, watched, shown
 *   feed     bytes on their way to the agent: its stdin, its terminal
 *   ready    does the agent take what is typed?
 *   paster   text given to a terminal as a person would paste it
 *   turn     the task that the agent works on, and what it says of it
 *   diary    what the agent itself writes down of its conversation
 *   watcher  the screen and the lines, and the clocks: what becomes a signal
 *   signals  what was told, on disk before it is sent
 *   excuse   the last words, and whether they tell of a limit, a login or a bill
 *   clients  who is connected; viewers are those that see the screen
 *   keeper   the life of a session: one table of states and events
 *
 * One struct keeper holds one of each.  Parts tell the keeper what happened with the keeper_*
 * functions and never change its state themselves.  Nothing here blocks, except the writing of
 * small files.
 */
#ifndef SESSION_KEEPER_H
#define SESSION_KEEPER_H

#include "base/buf.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/ev.h"
#include "base/exit.h"
#include "base/json.h"
#include "loop/settings.h"
#include "loop/verdict.h"
#include "session/profile.h"
#include "session/recording/recording.h"
#include "session/session.h"
#include "session/wire.h"
#include "term/term.h"
#include "watch/activity.h"
#include "watch/done.h"
#include "watch/life.h"
#include "watch/limit.h"
#include "watch/lines.h"
#include "watch/pattern.h"
#include "watch/tally.h"
#include "watch/transcript.h"

struct keeper;

/* ---- spec ---------------------------------------------------------------------------- */

/* The members that are texts, named as in meta.json.  Each but the id may be NULL. */
#define SPEC_TEXTS(X) \
	X(id) X(loop) X(cwd) X(prompt_via) X(done_pattern) X(task) X(token) X(facts) X(clear)

struct keeper_spec {
#define X(member) char *member;
	SPEC_TEXTS(X)
#undef X
	int64_t iteration;
	char **command, **env, **ready_patterns;
	enum session_mode mode;
	int64_t inactivity_timeout, stall_timeout, iteration_timeout, grace;
	int rows, cols;
	int64_t record_cap;
	int64_t started; /* wall clock */
	int64_t beat; /* least time (ns) between two signs of life that are told; 0: none is */
};

/* Turns the supervisor's spec into meta.json, and back. */
void keeper_spec_print(const struct session_spec *spec, struct buf *out);
int keeper_spec_scan(
    const struct buf *text, struct keeper_spec *spec, struct err *err) NODISCARD;
int keeper_spec_read(int session_dirfd, struct keeper_spec *spec, struct err *err) NODISCARD;
void keeper_spec_release(struct keeper_spec *spec);

/*
 * "RALPH_WORKER=<path>": names the worker channel to the agent, and the agent's processes
 * to us.  The session's id may be in use below another state home; this path is not.
 */
char *session_marker(int session_dirfd) NODISCARD;

/* How the session ended, in exit.json and on the wire. */
json_t *exit_to_json(struct exit_status status, const char *text) NODISCARD;
struct exit_status exit_from_json(const json_t *v);

/* ---- pty ----------------------------------------------------------------------------- */

/* Opens both ends; the master does not block.  The keeper keeps the slave open, so that the
 * terminal does not hang up when the agent's last process closes it. */
int pty_open(int rows, int cols, int *master, int *slave, struct err *err) NODISCARD;
void pty_resize(int master, int rows, int cols);

/* ---- family -------------------------------------------------------------------------- */

struct family {
	pid_t agent;
	bool agent_gone; /* reaped; status is valid */
	struct exit_status status;
};

/* Reaps every child that has ended.  Returns whether any child is left. */
bool family_reap(struct family *t);
/* Sends the signal to the agent's process group and to every descendant. */
void family_signal(const struct family *t, int sig);

/* ---- stream -------------------------------------------------------------------------- */

struct stream {
	struct keeper *k;
	struct ev_io io;
	int fd;	   /* -1: closed */
	char kind; /* the letter of the stream's chunks in the recording */
	struct lines lines;
};

void stream_open(struct stream *s, struct keeper *k, int fd, char kind);
/* Reads all output that is there now. */
void stream_drain(struct stream *s);
void stream_close(struct stream *s);

/* ---- feed ---------------------------------------------------------------------------- */

struct feed {
	struct ev *ev;
	struct ev_io io;
	int fd; /* -1: closed */
	struct buf queue;
	size_t taken;	  /* bytes of queue already written */
	int64_t moved;	  /* boot time at which bytes were last taken */
	bool close_after; /* a pipe: its end tells the agent that the prompt is complete */
	void (*emptied)(struct feed *f);
	void *ctx;
};

void feed_open(
    struct feed *f, struct ev *ev, int fd, void (*emptied)(struct feed *f), void *ctx);
void feed_add(struct feed *f, const void *data, size_t len);
size_t feed_queued(const struct feed *f);
void feed_clear(struct feed *f);
void feed_close(struct feed *f);

/* ---- ready --------------------------------------------------------------------------- */

struct ready_pattern {
	struct pattern *regex;
	bool asks; /* the agent is not ready: it asks something else */
};

struct readiness {
	struct keeper *k;
	int64_t since;	 /* boot time at which somebody wanted to know; 0: nobody has */
	bool tells;	 /* readiness is told with a signal, too */
	bool strict;	 /* the user named patterns */
	bool again;	 /* the agent was ready before: now its screen has to rest, too */
	bool known;	 /* a pattern has matched */
	bool output;	 /* the agent has written something */
	bool asking;	 /* the agent's own question is on the screen */
	bool assumed;	 /* the agent had time enough to get ready */
	bool over;	 /* the agent is ready, or its readiness does not matter any more */
	uint64_t screen; /* hash of the screen that was judged last */
	struct ready_pattern *patterns;
	size_t count;
	struct ev_timer timer;
};

/* Begins to look; later calls change nothing. */
void readiness_begin(struct readiness *r, bool tells);
/* Begins anew, in the middle of a session: the agent may still write, clear its screen, or
 * ask. */
void readiness_again(struct readiness *r);
void readiness_output(struct readiness *r);  /* the agent has written something */
void readiness_settled(struct readiness *r); /* the agent's screen is at rest */
/* May text be typed now?  While the agent asks something, an answer may be typed, a prompt may
 * not. */
bool readiness_takes(const struct readiness *r, bool is_prompt);
/* Call when text is being typed: the next screen is no sign that the agent is ready. */
void readiness_typed(struct readiness *r);
void readiness_stop(struct readiness *r);

/* ---- paster -------------------------------------------------------------------------- */

enum paste_state { PASTE_IDLE, PASTE_READY, PASTE_WRITE, PASTE_ECHO, PASTE_CONFIRM };

enum paste_kind {
	PASTE_TEXT,   /* the text of a client that waits for an answer; id 0: no client waits */
	PASTE_PROMPT, /* the first prompt of the session */
	PASTE_CLEAR,  /* the command that makes the agent forget the last turn */
	PASTE_TASK,   /* the prompt of another turn */
	PASTE_TELL,   /* a message to the agent, with its number */
};

struct paste_job {
	struct paste_job *next;
	struct buf text;
	bool enter;
	enum paste_kind kind;
	uint64_t id;  /* the id of the client, or the number of the message */
	int64_t turn; /* the turn for which the text is meant */
};

struct paster {
	struct keeper *k;
	struct paste_job *first;
	size_t jobs;
	enum paste_state state;
	struct ev_timer timer;
	int64_t since;	 /* boot time at which the state began */
	int64_t give_up; /* the moment at which the state has taken too long */
	uint64_t screen; /* hash of the screen before the state */
	uint64_t row;	 /* and of the row with the cursor */
	bool echoed;	 /* the text was shown */
	bool on_row;	 /* in the row with the cursor */
	bool shy;	 /* the last text was not shown before its Enter */
	int enters;	 /* how often Enter was pressed */
};

/* Copies the text.  -1 when too much text of clients waits already. */
int paster_add(struct paster *p, const char *text, size_t len, bool enter, enum paste_kind kind,
    uint64_t id) NODISCARD;
/* Is a text on its way that will show on the screen? */
bool paster_busy(const struct paster *p);
void paster_ready(struct paster *p);   /* the agent takes text now, or at least an answer */
void paster_refused(struct paster *p); /* the agent will not take the prompt */
void paster_settled(struct paster *p); /* the screen is at rest */
void paster_written(struct paster *p); /* the terminal has all of the text */
void paster_stop(struct paster *p);

/* ---- watcher ------------------------------------------------------------------------- */

#define SEEN_MAX 8

struct watcher {
	struct keeper *k;
	struct done *done;	  /* NULL: no pattern, or the answer is known */
	struct done *said;	  /* takes the place of `done` once the diary has something */
	bool by_diary;		  /* the diary counts, and the screen does not any more */
	bool held;		  /* `done` has found something, but a diary may know better */
	struct tally *shown;	  /* tags on the screen or in the pipe; NULL: without tasks */
	struct tally *spoken;	  /* tags in the diary, or in a pipe that tells who speaks */
	struct transcript stream; /* reads such a pipe */
	struct promise seen[SEEN_MAX]; /* tags on the screen, while a diary may know better */
	size_t nseen;
	struct activity activity;
	struct life life;
	bool silent; /* IDLE was told, and the agent has not moved since */
	bool delivered;
	int64_t now;	   /* boot time of the bytes being looked at */
	int64_t unsettled; /* boot time of the first byte since output settled; 0: none */
	int64_t last;	   /* boot time of the last byte */
	uint64_t screen;   /* hash of the screen as it settled last */
	int64_t cpu;	   /* CPU time of the agent's descendants when `stall` was set */
	struct buf keys;   /* a line being typed */
	struct ev_timer settle, idle, stall, deadline;
};

int watcher_start(struct watcher *w, struct keeper *k, struct err *err) NODISCARD;
void watcher_bytes(struct watcher *w, struct stream *s, const char *data, size_t len);
void watcher_line_out(struct watcher *w, const char *text, size_t len, bool wrapped);
/* Notes text and keys that a person or we typed: the agent did not say them. */
void watcher_typed(struct watcher *w, const char *text, size_t len);
void watcher_keys(struct watcher *w, const char *keys, size_t len);
/* The diary reports that the conversation goes on, and each line that the agent says in it. */
void watcher_turn(struct watcher *w);
void watcher_said(struct watcher *w, const char *line, size_t len);
void watcher_alone(struct watcher *w); /* no diary tells (any more) who speaks */
/* The moment since which nothing but blinking has happened on the screen. */
int64_t watcher_still(const struct watcher *w);
/* The agent has the prompt: from now on silence counts. */
void watcher_delivered(struct watcher *w);
/* Begins another turn with this task and prompt. */
void watcher_task(struct watcher *w, const char *task, const char *prompt, size_t len);
/* Call right before Enter is sent: tags already on the screen no longer count. */
void watcher_past(struct watcher *w);
/* Call when the agent has the text: the clocks begin anew. */
void watcher_given(struct watcher *w);
void watcher_told(struct watcher *w, const struct promise *p); /* the tag will be shown, too */
void watcher_moves(struct watcher *w); /* a sign of life from elsewhere */
/* Raises a signal that says whether the agent moves. */
void watcher_nudged(struct watcher *w);
void watcher_finish(struct watcher *w); /* no more bytes: looks at what is left */
void watcher_stop(struct watcher *w);

/* ---- excuse -------------------------------------------------------------------------- */

struct excuse {
	struct tail out, err;
	struct buf prompt;
	struct limit_rules *rules; /* NULL until there is something to judge */
	bool no_rules;		   /* the rules make no sense, and a warning said so */
};

void excuse_init(struct keeper *k);
void excuse_start(struct keeper *k); /* the prompt is known */
void excuse_bytes(struct keeper *k, const struct stream *s, const char *data, size_t len);
/* Judges what the agent's own program says in its diary when a call failed; NULL: judges the
 * last words. */
void excuse_complaint(struct keeper *k, const char *text);
void excuse_finish(struct keeper *k); /* call when the agent is gone: judges the last words */
void excuse_stop(struct keeper *k);

/* ---- diary --------------------------------------------------------------------------- */

struct diary {
	struct keeper *k;
	char *id, *path; /* NULL: the agent keeps none that we know of */
	int fd;		 /* the file; -1: not there yet */
	int notify_fd;	 /* inotify; -1: we look now and then */
	int watch;	 /* watch of the file, or of a directory on the way to it */
	struct ev_io io;
	struct ev_timer timer;
	int64_t give_up; /* when the file should have been there; 0: no prompt yet */
	struct transcript transcript;
	/* An agent that forgets may go on in another file of the same directory. */
	struct buf sought; /* the letters that the turn's prompt begins with; empty: found */
	char **known;	   /* files that were there before */
	bool lost;	   /* nothing more is read in this turn: see diary_lose */
};

/* Before the start: chooses `id` and `path`. */
void diary_choose(struct diary *d, char *const *env);
void diary_open(struct diary *d);
void diary_seek(struct diary *d, const char *prompt, size_t len); /* another turn begins */
void diary_lose(struct diary *d);	    /* another conversation counts for this turn */
bool diary_expected(const struct diary *d); /* may the diary know more than the screen? */
/* Does the diary tell how the turn stands?  Then *over says whether the agent has ended the
 * turn. */
bool diary_tells(const struct diary *d, bool *over);
void diary_delivered(struct diary *d); /* the prompt is with the agent */
void diary_missed(struct diary *d);    /* the screen shows what the diary should have */
void diary_close(struct diary *d);     /* reads what is left */

/* ---- turn ---------------------------------------------------------------------------- */

#define TURN_ASKED_MAX 16 /* questions at a time */

struct turn {
	struct keeper *k;
	int64_t number;
	char *task;  /* NULL: a session without tasks */
	char *token; /* token.h; NULL: the supervisor knows of none */
	json_t *facts;
	int64_t since;	/* wall clock: when the turn was given to us */
	bool first;	/* first turn of its session: nothing can be left over from another */
	bool open;	/* the agent has the prompt: its words are about the task */
	bool read;	/* the prompt is not in the terminal any more */
	bool taken;	/* and the output from before the agent read it is past */
	bool delivered; /* DELIVERED was told */
	bool over;   /* the agent said that it is done or blocked, and was told nothing since */
	bool by_tag; /* `over`, and only a tag says so */
	struct ev_timer unread;		/* until the prompt is read */
	uint64_t asked[TURN_ASKED_MAX]; /* hashes of questions that were not answered */
	size_t nasked;
	long progress; /* the last report of progress, plus one; 0: none */
	int reports;
	int64_t told; /* number of the last message that was taken */
};

void turn_start(struct turn *t); /* begins the first turn, as the spec has it */
void turn_release(struct turn *t);
/* Requests of supervisors: to begin the next turn, to give the agent a message. */
void turn_assign(struct turn *t, const char *json, size_t len);
void turn_tell(struct turn *t, int64_t number, uint64_t word, const char *text, size_t len);
/* The command to type so that the agent forgets its conversation; "": none. */
const char *turn_clear(const struct turn *t);
/* Call at the moment at which the agent is given its prompt, or a word. */
void turn_opened(struct turn *t);
void turn_delivered(struct turn *t);
void turn_told(struct turn *t, uint64_t word);
/* Does the agent wait for us, so that its silence says nothing? */
bool turn_waits(const struct turn *t);
/* Takes a tag that the agent printed. */
void turn_shows(struct turn *t, const struct promise *p);
/* turn_hears takes a word from a process that speaks through the worker channel; turn_asked
 * only asks whether the word would be taken.  Both return NULL, or why the word is not taken.
 * `inside`: the process is one of the agent's. */
const char *turn_hears(struct turn *t, const char *json, size_t len, bool inside);
const char *turn_asked(const struct turn *t, const char *json, size_t len, bool inside);
/* Writes the greeting for such a process: never the token, since the process may be of an
 * earlier turn. */
void turn_notice(const struct turn *t, struct buf *out);

/* ---- clients ------------------------------------------------------------------------- */

#define CLIENTS_MAX 64
#define CLIENT_QUEUE_MAX ((size_t)4 << 20)  /* a client that asks must also read */
#define VIEWERS_FLUSH (200 * NSEC_PER_MSEC) /* time to send them the rest after the end */

struct client {
	struct client *next;
	struct keeper *k;
	struct wire wire;
	struct ev_timer timer; /* until HELLO */
	uint64_t id;
	enum wire_role role; /* 0 before HELLO */
	bool is_worker;	     /* came through the worker channel */
	bool behind;	     /* a viewer that gets a repaint when it has caught up */
	int rows, cols;
};

struct listener {
	struct keeper *k;
	struct ev_io io;
	struct ev_timer retry;
	int fd;
	bool is_worker;
};

/* Opens the socket under a hidden name; listener_publish gives the socket its public name. */
int listener_open(struct listener *l, struct keeper *k, const char *name, bool is_worker,
    struct err *err) NODISCARD;
int listener_publish(struct listener *l, const char *name, struct err *err) NODISCARD;
void listener_close(struct listener *l);
void client_new(struct keeper *k, int fd, bool is_worker);
void client_notice(struct client *c); /* tells a worker how things stand */
void client_answer(struct keeper *k, uint64_t client, bool ok, const char *why);
/* Sends an event to the supervisors. */
void clients_event(struct keeper *k, const char *json, size_t len);
bool clients_waiting(const struct keeper *k); /* does anyone have to take something yet? */
bool clients_supervised(const struct keeper *k);
void clients_free(struct keeper *k);

/* ---- viewers ------------------------------------------------------------------------- */

struct screen {
	struct term *term; /* in a pipe session only while someone looks */
	struct term_filter filter;
	struct buf scratch;
	int rows, cols;
	int viewers;
};

void keeper_screen_start(struct keeper *k);
void keeper_screen_bytes(struct keeper *k, const char *data, size_t len);
void keeper_screen_text(struct keeper *k, struct buf *out);
void keeper_screen_free(struct keeper *k);
void viewer_attach(struct client *c);
void viewer_leave(struct client *c);
void viewer_resize(struct client *c, int rows, int cols);
void viewer_drained(struct client *c);
void viewers_farewell(struct keeper *k);

/* ---- keeper -------------------------------------------------------------------------- */

enum keeper_state {
	KEEPER_PREPARED, /* nobody has said yet what to run */
	KEEPER_RUNNING,
	KEEPER_WAITING, /* asked to end; the agent may finish by itself */
	KEEPER_LEAVING, /* the agent was told to leave in its own words */
	KEEPER_TERM,	/* TERM was sent, grace runs */
	KEEPER_KILL,	/* KILL was sent, sweeping */
	KEEPER_OVER,	/* nobody is left, the exit is written down */
};

enum keeper_event {
	EVENT_START,	  /* `meta` and `prompt` are complete */
	EVENT_FINISH,	  /* a supervisor asks for the end, politely */
	EVENT_END,	  /* a supervisor asks for the end */
	EVENT_QUIET,	  /* the agent has been silent long enough, or had time enough */
	EVENT_GRACE,	  /* the grace is over */
	EVENT_AGENT_GONE, /* the agent is gone, others are left */
	EVENT_TREE_GONE,  /* nobody is left */
};

struct keeper {
	struct ev *ev;
	int dirfd, lock_fd;
	mode_t user_umask;
	struct keeper_spec spec;
	struct profile profile;	 /* empty in a pipe session */
	struct buf meta, prompt; /* until the agent runs */
	int prompt_fd;		 /* the file of the prompt while it is empty; -1 */
	struct buf notice;	 /* the last notice, for workers that come later */

	enum keeper_state state;
	struct family family;
	struct ev_signal signals;
	struct ev_timer timer; /* of the state */
	int64_t give_up;       /* KEEPER_WAITING: when patience ends */
	int64_t sweep_wait;    /* KEEPER_KILL: until the next sweep */

	int master, slave;	 /* the terminal; -1 in a pipe session */
	struct stream out, errs; /* errs only in a pipe session */
	struct feed input;	 /* the terminal's */
	struct feed stdin_feed;	 /* a pipe's */
	struct ev_timer stdin_timer;
	struct recording *recording;
	struct readiness readiness;
	struct paster paster;
	struct watcher watcher;
	struct excuse excuse;
	struct diary diary;
	struct turn turn;
	struct screen screen;

	struct listener sock, worker;
	struct client *clients;
	int nclients;
	uint64_t client_ids;

	json_t **events; /* the signals so far, in order */
	size_t nevents, events_cap;
	unsigned raised; /* the kinds of signals so far: 1 << kind */
	int signals_fd;
	bool signals_torn; /* the last line of signals.jsonl may be half a line */
	bool signals_late; /* the last lines of signals.jsonl may not be on disk yet */
	int64_t beaten;	   /* boot time of the last sign of life that was told */

	bool exit_written;
	struct ev_timer leave;	/* KEEPER_OVER: flush viewers, retry exit.json */
	struct ev_timer settle; /* memory that the start needed goes back */
	int64_t over_at;
	struct err nostart; /* why the agent could not be started */
};

/* The parts call these to tell the keeper. */
void keeper_happened(struct keeper *k, enum keeper_event event);
void keeper_tell(struct keeper *k, const json_t *event); /* supervisors */
void keeper_signal(struct keeper *k, enum signal_kind kind, const char *text);
/* As keeper_signal, with the moment at which the limit passes (wall clock; 0: nobody knows). */
void keeper_signal_until(
    struct keeper *k, enum signal_kind kind, const char *text, int64_t resets);
/* Call when the last supervisor is gone: it may not have written down the signals that it was
 * sent, so signals.jsonl is synced. */
void keeper_unheard(struct keeper *k);
void keeper_output(struct keeper *k, struct stream *s, const char *data, size_t len);
void keeper_greet(struct keeper *k, struct client *c, uint64_t seq); /* a supervisor */
void keeper_notice(struct keeper *k, const char *json, size_t len);
void keeper_notices(struct keeper *k); /* there is something new for workers */
/* Leaves when the session is over and all clients have what they need, or when nobody is left
 * who could say what to run. */
void keeper_try_leave(struct keeper *k);

/* Starts the agent and the delivery of its prompt; err->code is the errno. */
int agent_start(struct keeper *k, struct err *err) NODISCARD;
/* Makes the agent's environment from `base`; `marker` is an entry of its own. */
char **agent_env(
    const struct keeper_spec *spec, const char *marker, char *const *base) NODISCARD;

#endif
