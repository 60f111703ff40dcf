/*
 * steer.h - what another terminal may ask of a loop: to pause, to go on, to end.
 *
 * Shared by `ralph pause|resume|stop`, `swarm ralph ...` and `swarm kill`; what is said is
 * said here, in the seed's words.
 */
#ifndef CMD_STEER_H
#define CMD_STEER_H

#include "loops/control.h"
#include "loops/loops.h"

struct steer_output {
	bool foreground, json, quiet;
};

/* Both return the exit code; err has a sentence unless that is EX_OK or all was said. */
int steer_pause(const struct loop_view *v, struct err *err) NODISCARD;
int steer_resume(
    const struct loop_view *v, const struct steer_output *out, struct err *err) NODISCARD;

/*
 * Ends the agents and the loop; `how` is CONTROL_STOP or CONTROL_KILL.  Returns when nothing
 * of it is left: 1; 0 when it was over before; 2 when it came to an end of its own, which is
 * said.  -1 + err, empty when it was said already.
 */
int steer_end(const struct loop_view *v, enum control_request how, struct err *err) NODISCARD;

#endif
