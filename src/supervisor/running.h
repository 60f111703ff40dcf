/*
 * running.h - what supervisor.c (life), input.c (queue, journal, views) and effects.c
 * (source, sessions, alerts) share: the one supervisor of this process.
 */
#ifndef SUPERVISOR_RUNNING_H
#define SUPERVISOR_RUNNING_H

#include "base/buf.h"
#include "base/ev.h"
#include "loops/control.h"
#include "record/console.h"
#include "record/journal.h"
#include "record/swarm.h"
#include "session/session.h"
#include "session/tmux.h"
#include "supervisor/alert.h"
#include "supervisor/source.h"
#include "supervisor/supervisor.h"

struct queued;

struct running_session {
	struct running_session *next;
	struct session *session;
	char id[SESSION_ID_MAX];
};

/* Who waits for the disk (held.h). */
enum held {
	HELD_JOURNAL,
	HELD_START,
	HELD_STEP,
	HELD_TASK,
	HELD_SOURCE,
	HELD_VIEWS,
	HELD_COUNT
};

struct beat;
struct job;
struct kind;
struct step;

struct running {
	const struct supervisor_spec *spec;
	struct settings settings;
	const struct kind *kind;
	struct loop_state state;
	struct decision decisions[2]; /* the one being carried out, and `unsaid` */

	struct ev *ev;
	struct ev_signal signals;

	int home, dir, sessions_dir, lock;
	bool fresh;   /* a new loop, and its directory has nothing but what we made */
	bool earlier; /* another loop of that name went to the archive for it */
	struct journal *journal;
	struct console console;
	struct layout_swarm *layout;
	struct control *control;
	struct source *source;
	struct alerts alerts;

	/* input.c */
	bool viewed;		       /* LOOP_VIEWED is there */
	const struct decision *unsaid; /* applied, but not known to be on disk; NULL */
	struct queued *head, **tail;
	struct queued *put_off; /* an answer that waits for a look; NULL */
	bool busy;		/* an input is being carried out */
	struct ev_timer retry;	/* the journal could not be written */
	int64_t retry_delay;	/* 0: it can */
	struct ev_timer due;	/* loop_deadline */
	struct ev_timer tidy;	/* views and snapshot: off the critical path */
	struct ev_timer lag;	/* until state.json is changed */
	struct buf log;		/* lines for iterations.log, not written yet */

	/* retain.c */
	struct {
		struct ev_timer due;
		struct job *job;   /* that looks for old sessions; NULL */
		int64_t iteration; /* as it was at the last look */
		int64_t at;	   /* boot time of that */
		bool complained;
	} retain;

	char held[HELD_COUNT][TEXT_MAX]; /* held.c; "": not */
	bool unwritten;			 /* a view could not be written */
	bool complained;		 /* and that was said */
	struct step *steps;		 /* step.c */
	struct ev_timer countdown;	 /* outcome.c */
	void *own;	   /* the kind's: made by its claim or open, freed by its close */
	struct beat *beat; /* beat.c: NULL before the loop is taken */

	int holds;	  /* what must be known before the source is asked */
	bool fetch_waits; /* the loop wants to */
	bool fetch_looks; /* the last time it wanted to: it begins with nothing of it */

	/* effects.c */
	struct running_session *sessions;
	struct session_spare *spare; /* for the next one; NULL */
	struct ev_timer probe_again; /* a session could not be reached, or not be started */
	int64_t start_delay;	     /* 0: sessions can be started */
	bool hinted;		     /* hint.c */

	/* display.c, announce.c */
	struct tmux_window window;
	bool window_gone;      /* its viewer said so */
	struct ev_timer ready; /* ready_timeout */
	bool announced;
	int64_t agent_pid;
	int terminal[2]; /* stdout and stderr as they were, between prepare and detach; -1 */
	int detach_fd;	 /* tells the command that started us; -1 when it does not wait */
	bool registered_running; /* as state.json has it */
	int64_t registered_iteration, registered_pid;
	int64_t registered_at; /* boot time */

	struct ev_timer leave; /* the last alert may take a while, not for ever */
	bool leaving;
	bool fleeing; /* as soon as no session is left */
	bool gone;    /* gone.c: there is nothing left to write to */
	struct ev_timer look_gone;
	int code;
};

/* input.c.  The strings of the input are copied. */
void running_input(struct running *r, const struct loop_input *in);
/* At once or not at all: for a control client that waits.  -1 + err when it cannot be written
 * down. */
int running_input_now(
    struct running *r, const struct loop_input *in, struct err *err) NODISCARD;
/* Only one at a time: false when there is one.  It counts as given when that is over. */
bool running_input_put_off(struct running *r, const struct loop_input *in) NODISCARD;
void running_input_put_off_over(struct running *r);
void running_inputs_free(struct running *r);
/* Waits for the disk, if a decision does, and says it. */
int running_settle(struct running *r, struct err *err) NODISCARD;
/* Tells the kind when nothing is under way: no input waits, and no step. */
void running_quiet(struct running *r);
void running_tidy_now(struct running *r);
/* The loop's own files alone, now: not what all workers share. */
void running_views_write(struct running *r);
/* A view of the kind's could not be written: they all are tried again. */
void running_unwritten(struct running *r, const char *what, const struct err *err);
/* Puts the worker into state.json, when something in it has changed.  Without `wait` it is
 * tried again later when somebody else is at it. */
void running_register(struct running *r, bool wait);

/* effects.c */
/* Until as many releases as holds the source is not asked: it would answer too early. */
void running_hold(struct running *r);
void running_release(struct running *r);
void running_effect(struct running *r, const struct effect *e);
/* A session as the spec says (id, loop and iteration are filled in); and one that cannot be:
 * IN_ENDED. */
void running_begin(struct running *r, const struct effect *e, const struct session_spec *spec);
void running_cannot_start(struct running *r, const struct effect *e, const char *why);
/* The same for what says nothing about the agent: we lack something. */
void running_start_later(struct running *r, const char *id, const char *why);
/* The session of that id, if it is with us; NULL. */
struct session *running_find(struct running *r, const char *id);
void running_sessions_free(struct running *r);
/* Makes a spare keeper when an agent runs and another will follow; ends it when none will. */
void running_spare_tidy(struct running *r);
/* Runs --on-alert; of what cannot be written down now, this is all that is done. */
void running_alert(struct running *r, const char *text);
/* Has the user changed max_iterations?  Asked before every input that an agent's start may
 * follow: a session's end, a time that is due, a resume. */
void running_look_for_edits(struct running *r);

/* hint.c: before IN_ENDED; says what helps an agent that failed for how its prompt came. */
void running_hint(struct running *r, const char *session, struct exit_status status);

/* outcome.c: sources hear how their tasks go, and a limit is counted down. */
/* The source keeps its files in the loop's directory from now on. */
void running_keep(struct running *r);
void running_outcomes(struct running *r, const struct decision *d);

/* trusted.c: what agents change of the commands that we would run (git/trust/trust.h). */
/* Before the first agent: -1 + err when it cannot be written down. */
int running_trust_begin(struct running *r, struct err *err) NODISCARD;
/* Says what has changed. */
void running_trust_look(struct running *r);
/* At the end, when sessions are let go; agents: some go on without us, and whoever looks next
 * knows by the loop's name. */
void running_trust_end(struct running *r, bool agents);

/* supervisor.c */
void running_leave(struct running *r, int code);
/* Ends every session and leaves with the code, without a word in the journal. */
void running_flee(struct running *r, int code);
/* The same, and nothing is said. */
void running_end_all(struct running *r, int code);
/* Something that may have been in its way is over. */
void running_idle(struct running *r);
/* detach.c.  Leaves the terminal, if it is to: in two steps, so that what goes wrong in between
 * can still be said there. */
void running_detach_prepare(struct running *r);
void running_detach_undo(struct running *r);
void running_detach(struct running *r);

#endif
