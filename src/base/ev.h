/*
 * ev.h - one event loop: descriptors, timers, children and signals are all
 * epoll events.
 *
 * Watchers are embedded in the caller's structures and zero-initialised.  A
 * callback may start, stop or free any watcher, including its own: events
 * already fetched for a stopped watcher are dropped (each carries a
 * generation).  Starting a started watcher first stops it.  Single-threaded.
 *
 * Order of calls: ev_new; ev_*_start...; ev_run (until ev_stop); ev_free.
 */
#ifndef BASE_EV_H
#define BASE_EV_H

#include "base/compiler.h"
#include <sys/epoll.h>
#include <sys/types.h>

struct ev;
struct ev_io;
struct ev_timer;
struct ev_child;
struct ev_signal;

typedef void ev_io_fn(struct ev_io *w, uint32_t events); /* EPOLLIN | EPOLLOUT | ... */
typedef void ev_timer_fn(struct ev_timer *w);
typedef void ev_child_fn(struct ev_child *w); /* the process has ended; reap it */
typedef void ev_signal_fn(struct ev_signal *w, int signo);

struct ev_io {
	ev_io_fn *fn;
	void *ctx;
	int fd;
	struct ev *ev; /* NULL while stopped */
	uint32_t events;
	uint32_t slot; /* private: index of the generation-checked slot */
};

struct ev_timer {
	ev_timer_fn *fn;
	void *ctx;
	int64_t at;    /* boot time, ns */
	struct ev *ev; /* NULL while stopped */
	size_t heap;   /* private */
};

struct ev_child {
	ev_child_fn *fn;
	void *ctx;
	struct ev_io io; /* private: watches the pidfd */
};

struct ev_signal {
	ev_signal_fn *fn;
	void *ctx;
	struct ev_io io; /* private: a signalfd */
};

struct ev *ev_new(void) NODISCARD;
void ev_free(struct ev *ev);
void ev_run(struct ev *ev);
void ev_stop(struct ev *ev); /* ev_run returns after the current callback */
/* One round: waits at most timeout_ns (-1 for ever), dispatches what is there. */
void ev_once(struct ev *ev, int64_t timeout_ns);

void ev_io_start(
    struct ev *ev, struct ev_io *w, int fd, uint32_t events, ev_io_fn *fn, void *ctx);
void ev_io_set(struct ev_io *w, uint32_t events); /* no-op while stopped */
void ev_io_stop(struct ev_io *w); /* call before the descriptor is closed; does not close it */
/* Stops the watcher, closes *fd and sets *fd to -1; does nothing where *fd is -1 already. */
void ev_io_close(struct ev_io *w, int *fd);

/* Call fn once; the timer is stopped by then.  In a round, descriptors come first, then timers,
 * the earliest first. */
void ev_timer_at(
    struct ev *ev, struct ev_timer *w, int64_t boot_ns, ev_timer_fn *fn, void *ctx);
void ev_timer_in(struct ev *ev, struct ev_timer *w, int64_t ns, ev_timer_fn *fn, void *ctx);
void ev_timer_stop(struct ev_timer *w);

/* Calls fn once; the watcher is stopped by then.  The pidfd stays the caller's. */
void ev_child_start(struct ev *ev, struct ev_child *w, int pidfd, ev_child_fn *fn, void *ctx);
void ev_child_stop(struct ev_child *w);

/* Blocks the signals of the zero-terminated list and delivers them as events. */
void ev_signal_start(
    struct ev *ev, struct ev_signal *w, const int *signals, ev_signal_fn *fn, void *ctx);
void ev_signal_stop(struct ev_signal *w); /* leaves them blocked */

#endif
