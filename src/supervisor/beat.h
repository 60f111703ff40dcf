/*
 * beat.h - the supervisor's part of a heartbeat: a timer, and a text typed to the agent.
 *
 * The record of the heartbeat is the truth (loops/heartbeat.h).  The supervisor keeps in
 * memory only when the next beat is due, and reads the record again then: a record that its
 * user removed or changed by hand counts from the next beat on.
 *
 * running_beat_open is called when the supervisor has taken the loop.  A worker that is resumed
 * goes on with the heartbeat its record wants: the next beat is due one interval after the last
 * one, or, if that has passed, after a minute (or one interval, if shorter).  A new worker ends
 * the heartbeat of the earlier worker of its name.
 *
 * running_beat_request answers when the record is on the disk.  CONTROL_HEARTBEAT {record,
 * force} is a new heartbeat; CONTROL_HEARTBEAT_SET {status} makes the one there is "active",
 * "paused" or "stopped".
 *
 * running_beat_close is called when the supervisor lets the loop go.  The heartbeat of a worker
 * that is over is stopped; otherwise the next supervisor goes on with it.
 *
 * A beat is a job (base/process/job.h) that asks the keeper of the agent for its screen and
 * pastes the message, unless the message still stands in the agent's last line.  A beat that is
 * due while another one is under way is left out.
 */
#ifndef SUPERVISOR_BEAT_H
#define SUPERVISOR_BEAT_H

#include "loops/control.h"
#include "supervisor/running.h"

void running_beat_open(struct running *r);
/* The answer, a new reference. */
json_t *running_beat_request(
    struct running *r, enum control_request request, const json_t *members) NODISCARD;
void running_beat_close(struct running *r);

#endif
