/*
 * order.h - what `ralph loop` asks of a run besides its settings: `order` of struct
 * supervisor_spec.
 */
#ifndef WORK_TICKETS_ORDER_H
#define WORK_TICKETS_ORDER_H

#include <stdbool.h>

struct tickets_order {
	char **completed, **failed; /* tickets of another program's run, which are over */
	bool once; /* one pass over what ended and what can start; then the supervisor leaves,
		      and the agents go on */
};

#endif
