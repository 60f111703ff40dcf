/*
 * steer.h - what another terminal may ask of a loop: to pause, to go on, to end.
 *
 * Shared by `ralph pause|resume|stop`, `swarm ralph ...` and `swarm kill`; what is said is
 * said here, in the seed's words.
 */
#ifndef CMD_STEER_H
#define CMD_STEER_H

#include "cmd/cmd.h"
#include "loops/control.h"

struct steer_output {
	bool foreground, json, quiet;
};

/* The parts of `pause` and `resume` that begin when their loop is open (on_loop in cmd.h).
 * steer_resume finds its options in a struct steer_output. */
int steer_pause(const struct cmd_args *args, const struct loop_view *v) NODISCARD;
int steer_resume(const struct cmd_args *args, const struct loop_view *v) NODISCARD;

/*
 * Ends the agents and the loop; `how` is CONTROL_STOP or CONTROL_KILL.  Returns when nothing
 * of it is left: 1; 0 when it was over before; 2 when it came to an end of its own, which is
 * said.  -1 + err, empty when it was said already.
 */
int steer_end(const struct loop_view *v, enum control_request how, struct err *err) NODISCARD;

#endif
