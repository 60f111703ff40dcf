/*
 * when.h - a moment on both clocks.
 *
 * `boot` orders and measures within one boot; `wall` is for people and for
 * deadlines that outlive a reboot.
 */
#ifndef BASE_WHEN_H
#define BASE_WHEN_H

#include <stdint.h>

struct when {
	int64_t boot; /* ns, CLOCK_BOOTTIME */
	int64_t wall; /* ns, CLOCK_REALTIME */
};

#endif
