/*
 * inside.h - the insides of a supervisor, which its files share and no kind sees.
 *
 *   supervisor.c   its life: take the loop, run, let go
 *   place.c        its directory, lock and settings
 *   input.c        the path of every input; journal
 *   shown.c        what users see of a decision: console, views, events, registry
 *   effects.c      what the loop decided is carried out; the source
 *   sessions.c     the sessions: started, found again, told, ended
 *   step.c         work for sessions that takes a while
 *   the rest       one thing each, as its header says
 */
#ifndef SUPERVISOR_INSIDE_H
#define SUPERVISOR_INSIDE_H

#include "base/buf.h"
#include "loops/control.h"
#include "record/journal.h"
#include "record/view.h"
#include "session/tmux.h"
#include "supervisor/alert.h"
#include "supervisor/held.h"
#include "supervisor/running.h"

struct beat;
struct job;
struct kind;
struct queued;
struct step;

struct running_session {
	struct running_session *next;
	struct session *session;
	char id[SESSION_ID_MAX];
};

struct supervisor {
	const struct kind *kind;
	struct decision decisions[2]; /* the one being carried out, and `unsaid` */

	struct ev_signal signals;

	int lock;
	bool fresh;   /* the loop is new, and we made everything in its directory */
	bool earlier; /* an earlier loop of the same name went to the archive */
	struct journal *journal;
	struct views views;
	struct control *control;
	struct alerts alerts;

	/* input.c */
	const struct decision *unsaid; /* applied, but not known to be on disk; NULL */
	struct queued *head, **tail;
	struct queued *put_off; /* an answer that waits for a look; NULL */
	bool busy;		/* an input is being carried out */
	struct ev_timer retry;	/* the journal could not be written */
	int64_t retry_delay;	/* 0: the journal can be written */
	struct ev_timer due;	/* loop_deadline */
	struct ev_timer settle; /* memory that the last decisions needed goes back */

	/* shown.c */
	bool viewed;		 /* LOOP_VIEWED is there */
	struct ev_timer tidy;	 /* views and snapshot: off the critical path */
	struct ev_timer lag;	 /* until the change of state.json is written */
	bool unwritten;		 /* a view could not be written */
	char **complained;	 /* names of such views, as far as they were said; NULL */
	bool registered_running; /* as state.json has it */
	int64_t registered_iteration, registered_pid;
	int64_t registered_at; /* boot time */

	/* retain.c */
	struct {
		struct ev_timer due;
		struct job *job;   /* that looks for old sessions; NULL */
		int64_t iteration; /* the loop's iteration at the last look */
		int64_t at;	   /* boot time of the last look */
		bool complained;
	} retain;

	char held[HELD_COUNT][TEXT_MAX]; /* held.c; "": not */
	struct step *steps;		 /* step.c */
	struct ev_timer countdown;	 /* outcome.c */
	struct beat *beat;		 /* beat.c: NULL before the loop is taken */

	/* effects.c */
	int holds;	  /* how many things must be known before the source is asked */
	bool fetch_waits; /* the loop wants to ask the source */

	/* sessions.c */
	struct running_session *sessions;
	struct session_spare *spare; /* for the next one; NULL */
	bool brief;		     /* the last agent lived for less than SPARE_LIFE */
	struct ev_timer probe_again; /* a session could not be reached, or not be started */
	int64_t start_delay;	     /* 0: sessions can be started */
	bool hinted;		     /* hint.c */

	/* window.c, announce.c */
	struct tmux_window window;
	bool window_gone;      /* the viewer in the window has said so */
	struct ev_timer ready; /* ready_timeout */
	bool announced;
	int64_t agent_pid;
	int terminal[2]; /* stdout and stderr as they were, between prepare and detach; -1 */
	int detach_fd;	 /* tells the command that started us; -1 when it does not wait */

	struct ev_timer leave; /* the last alert may take a while, not for ever */
	bool gone;	       /* gone.c: there is nothing left to write to */
	struct ev_timer look_gone;
	int code;
};

/* input.c */
/* Takes the input at once or not at all, for a control client that waits.  -1 + err when the
 * decision cannot be written down. */
int running_input_now(
    struct running *r, const struct loop_input *in, struct err *err) NODISCARD;
void running_inputs_free(struct running *r);
/* Decides, appends the facts to the journal and applies them; nothing is shown or carried out.
 * Returns 1 when the facts are not on disk yet, because the decision may wait for the next one
 * and needs no more than a look; 0 when they are; -1 + err when nothing of it has happened. */
int running_decide(struct running *r, const struct loop_input *in, bool may_wait,
    struct decision *d, struct err *err) NODISCARD;
/* Syncs the journal, if a decision waits for that, and shows the decision. */
int running_settle(struct running *r, struct err *err) NODISCARD;
/* Tells the kind when nothing is under way: no input waits, and no step. */
void running_quiet(struct running *r);
/* Has the user changed max_iterations?  Asked before every input that an agent's start may
 * follow: a session's end, a time that is due, a resume. */
void running_look_for_edits(struct running *r);

/* shown.c */
/* Shows a decision whose facts are in the journal; its views follow within a time. */
void running_show(struct running *r, const struct decision *d);
/*
 * Does the decision only say how a session gets on, and nothing follows?  A user who loses the
 * machine loses the session with it.  So such a report is told when it is written, and is on
 * disk with the next decision or within ten seconds: an agent may report as often as it likes,
 * and no report keeps the agent's next word waiting for the disk.
 */
bool running_is_hearsay(const struct decision *d);
/* Writes views, snapshot and registry now. */
void running_tidy_now(struct running *r);
/* Writes the loop's own files alone, now: not what all workers share. */
void running_views_write(struct running *r);
/* Puts the worker into state.json, when something in it has changed.  Without `wait` it is
 * tried again later when somebody else is at it. */
void running_register(struct running *r, bool wait);

/* effects.c */
void running_effect(struct running *r, const struct effect *e);
/* Runs --on-alert without a fact, for an alert that cannot be written down now. */
void running_alert(struct running *r, const char *text);

/* sessions.c */
/* Starts a session with the task's prompt, and nothing besides. */
void running_session_start(struct running *r, const struct effect *e);
/* Looks for a session that a former supervisor started. */
void running_session_probe(struct running *r, const struct loop_session *one);
/* Tells the session that a pause is wanted, or over. */
void running_session_notice(struct running *r, const struct effect *e);
/* Asks the keeper whether the agent of a turn moves: SIGNAL_IDLE if not. */
void running_session_nudge(struct running *r, const struct effect *e);
/* Ends the session.  Where it lands, its step is ended; its agent, if one is kept, goes
 * later. */
void running_session_end(struct running *r, const struct effect *e);
void running_sessions_free(struct running *r);
/* Makes a spare keeper when an agent runs, the one before lived for a moment only, and another
 * will follow; ends it when none will. */
void running_spare_tidy(struct running *r);
/* Notes how long agents live, when a decision tells that they ended. */
void running_spare_learn(struct running *r, const struct decision *d);

/* hint.c: call before IN_ENDED.  Says what helps when an agent failed because of the way in
 * which it got its prompt. */
void running_hint(struct running *r, const char *session, struct exit_status status);

/* outcome.c: sources hear how their tasks go, and a limit is counted down. */
void running_outcomes(struct running *r, const struct decision *d);

/* trusted.c: what agents change of the commands that we would run (git/trust/trust.h). */
/* Call before the first agent.  -1 + err when the trusted commands cannot be written down. */
int running_trust_begin(struct running *r, struct err *err) NODISCARD;
/* Says what has changed. */
void running_trust_look(struct running *r);
/* At the end, when sessions are let go.  `agents`: some agents go on without us, so the loop
 * stays in the record of those that run. */
void running_trust_end(struct running *r, bool agents);

/* place.c */
/* Opens the state home and the loop's directory there, makes the latter for a new loop, and
 * takes its lock.  After a failure, too, running_dirs_close closes what is open. */
int running_dirs_open(struct running *r, struct err *err) NODISCARD;
void running_dirs_close(struct running *r);
/* Loads the settings of a loop that goes on; writes those of a new one, after an earlier loop
 * of that name has gone to the archive. */
int running_settings_load(struct running *r, struct err *err) NODISCARD;

/* supervisor.c */
void running_leave(struct running *r, int code);
/* Ends every session and leaves with the code, without a word in the journal. */
void running_end_all(struct running *r, int code);
/* Something that may have been in the way of leaving is over. */
void running_idle(struct running *r);

/* detach.c.  Leaves the terminal, if it is to: in two steps, so that what goes wrong in between
 * can still be said there. */
void running_detach_prepare(struct running *r);
void running_detach_undo(struct running *r);
void running_detach(struct running *r);

#endif
