/*
 * supervisor.h - the process of one loop: carries values between the rooms.
 *
 * The supervisor holds the loop's lock, feeds inputs to the pure loop, writes the loop's facts
 * to the journal before anything else happens, and carries out the effects: source, sessions,
 * alerts, exit.  The supervisor decides nothing.
 *
 * When a decision cannot be written down (disk full) nothing of it happens: the supervisor says
 * the error once, running agents go on, and the same input is tried again, first after a
 * second, then less often, until it can be written.
 */
#ifndef SUPERVISOR_SUPERVISOR_H
#define SUPERVISOR_SUPERVISOR_H

#include "base/err.h"
#include "loop/loop.h"

struct supervisor_spec {
	const char *name;
	struct settings *settings; /* for a new loop; NULL: resume what is there */
	bool json, quiet;
	bool mute;   /* print no line about the loop */
	bool detach; /* go on in the background once the loop is taken */
	bool stop;   /* only to end what a crashed supervisor left */
	bool killed; /* the same, and it ends as killed (END_KILLED) */
	/* Say "spawned NAME (tmux: S:W)" or "(pid: N)", as swarm does, once the worker is
	 * there; with detach only then return.  A worker that cannot be started leaves nothing
	 * behind. */
	bool announce;
	bool ready_wait;	   /* announce only when it is ready, or too late (a warning) */
	int64_t ready_timeout;	   /* ns */
	const char *announce_word; /* "spawned" or "respawned" */
	/* Wishes of the command for the loop's kind, besides the settings.  The kind knows the
	 * type; NULL: nothing. */
	const void *order;
	const char *uid; /* of a new loop; NULL: any */
	/* Only for a loop named by us: its directory (a loop of another directory is not
	 * archived for it), and the naming lock, released once the name is taken. */
	const char *place;
	int *naming;
};

/* Runs the loop until it ends, or until the supervisor leaves.  Returns the exit code; errors
 * have been said. */
int supervisor_main(const struct supervisor_spec *spec);

/* Pauses a loop that has no supervisor: writes the wish down, nothing else. */
int supervisor_pause_offline(const char *name, struct err *err) NODISCARD;

#endif
