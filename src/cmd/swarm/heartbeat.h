/*
 * heartbeat.h - nudging a worker every so often.
 *
 *   ~/.swarm/heartbeats/NAME.json   what was asked for and how often it was done
 *   ~/.swarm/heartbeats/NAME.lock   held by the one process that does it
 *   ~/.swarm/heartbeat.lock         held for a moment by whoever changes a file
 *
 * The monitor sleeps until the next beat, the end of the worker or a change of its file; there
 * is nothing to poll and no process id to trust.  A record that says active or paused but that
 * no monitor holds is one whose monitor was killed: it is stopped.
 */
#ifndef CMD_SWARM_HEARTBEAT_H
#define CMD_SWARM_HEARTBEAT_H

#include "base/json.h"

#define HEARTBEATS "heartbeats"

/* The record; NULL with code ENOENT when there is none. */
json_t *heartbeat_load(int home, const char *name, struct err *err) NODISCARD;
/* Replaces it as a whole. */
int heartbeat_save(int home, const char *name, const json_t *record, struct err *err) NODISCARD;
/* Sets the members of `changes` in the record there is; all others stay. */
int heartbeat_change(int home, const char *name, json_t *changes, struct err *err) NODISCARD;
/* "active", "paused", "expired" or "stopped", as things are now. */
const char *heartbeat_status(int home, const char *name, const json_t *record);
bool heartbeat_is_on(int home, const char *name, const json_t *record);

/* For kill and clean: silently, whether or not there is one. */
void heartbeat_end(int home, const char *name);
void heartbeat_forget(int home, const char *name);

/* Starts the monitor in the background and waits until it is at work; an exit code, with what
 * went wrong said. */
int heartbeat_monitor(int home, const char *name);

#endif
