/*
 * heartbeat.h - the record of a worker's heartbeat.
 *
 *   ~/.swarm/heartbeats/NAME.json   what was asked for, and how often it was done
 *
 * The record is the truth, and nobody keeps a copy of it: the supervisor of the worker
 * (supervisor/beat.h) reads the record whenever something is due or asked for, and replaces it
 * whole and synced (fs_replace) before it answers.  So a supervisor that takes a crashed worker
 * up again goes on with the heartbeat, and a power cut leaves the record before a change or
 * after it.  Only the owner of the loop's lock writes: the supervisor, or, without one, a
 * command that takes the lock for as long as it writes.
 *
 * The member monitor_pid names the supervisor that serves the record; null: nobody.  A record
 * that says active or paused, and whose supervisor is gone, is shown as stopped: nobody types.
 *
 * An earlier version had a process for each heartbeat, the monitor, which held
 * heartbeats/NAME.lock and wrote the record.  The heartbeat of a monitor that lives is shown as
 * its record says.  Whoever writes the record ends the monitor first (heartbeat_oust), so that
 * never two processes type.
 */
#ifndef LOOPS_HEARTBEAT_H
#define LOOPS_HEARTBEAT_H

#include "base/json.h"

#define HEARTBEATS "heartbeats"

/* The record; NULL with code ENOENT when there is none. */
json_t *heartbeat_load(int home, const char *name, struct err *err) NODISCARD;
/* Sets the status and who serves the record (0: nobody), and replaces the file. */
int heartbeat_save(int home, const char *name, json_t *record, const char *status, pid_t server,
    struct err *err) NODISCARD;
/* Does the record say active or paused?  False for NULL. */
bool heartbeat_is_wanted(const json_t *record);
/* "active", "paused", "expired" or "stopped", as things are now. */
const char *heartbeat_status(int home, const char *name, const json_t *record);

/* Ends the monitor of an earlier version, if there is one.  -1: it still lives. */
int heartbeat_oust(int home, const char *name, struct err *err) NODISCARD;
/* Stops the heartbeat, if there is one.  The caller has the loop's lock, or knows that no
 * supervisor serves the record. */
int heartbeat_end(int home, const char *name, struct err *err) NODISCARD;
/* Like heartbeat_end, for a caller that goes on in any case: a failure is a warning. */
void heartbeat_drop(int home, const char *name);
/* Stops the heartbeat like heartbeat_drop, and removes the record. */
void heartbeat_forget(int home, const char *name);

#endif
