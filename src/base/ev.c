#include "base/ev.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "base/err.h"
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>

#define EV_BATCH 64
#define EV_TIMER_KEY UINT64_MAX
/* A bit of ev_timer.heap: the other bits are an index into `due`, not into the heap. */
#define EV_DUE ((SIZE_MAX >> 1) + 1)
#define EV_NO_SLOT UINT32_MAX

struct ev_slot {
	struct ev_io *w; /* NULL while free */
	uint32_t gen;	 /* counts the watchers it has had */
	uint32_t next;	 /* the next free one */
	bool ready;	 /* of a kind that epoll refuses since it never blocks */
};

/* The key is in the heap, so that sifting does not visit the watchers. */
struct ev_due {
	int64_t at;
	uint64_t seq; /* equal times fire in the order they were set */
	struct ev_timer *w;
};

struct ev {
	int epoll;
	int timer;
	bool stop;
	struct ev_slot *slots;
	uint32_t slot_count, slot_free;
	size_t slot_cap;
	uint32_t ready_count;
	struct ev_due *heap;
	size_t heap_len, heap_cap;
	uint64_t seq;
	int64_t armed; /* the moment that the timerfd waits for; INT64_MAX: none */
	/* Timers of this round that have not been called yet; stopped ones are NULL. */
	struct ev_timer **due;
	size_t due_pos, due_len, due_cap;
};

struct ev *
ev_new(void)
{
	AUTO_CLOSE int epoll = epoll_create1(EPOLL_CLOEXEC);
	AUTO_CLOSE int timer = timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK);
	struct epoll_event event = {.events = EPOLLIN, .data.u64 = EV_TIMER_KEY};
	struct ev *ev;

	if (epoll < 0 || timer < 0 || epoll_ctl(epoll, EPOLL_CTL_ADD, timer, &event) < 0)
		return NULL;
	ev = xcalloc(1, sizeof(*ev));
	ev->epoll = take_fd(&epoll);
	ev->timer = take_fd(&timer);
	ev->slot_free = EV_NO_SLOT;
	ev->armed = INT64_MAX;
	return ev;
}

void
ev_free(struct ev *ev)
{
	if (ev == NULL)
		return;
	close(ev->epoll);
	close(ev->timer);
	free(ev->slots);
	free(ev->heap);
	free(ev->due);
	free(ev);
}

void
ev_stop(struct ev *ev)
{
	ev->stop = true;
}

/* ---- descriptors --------------------------------------------------------------------- */

static uint32_t
ev_slot_take(struct ev *ev, struct ev_io *w)
{
	uint32_t i = ev->slot_free;

	if (i != EV_NO_SLOT) {
		ev->slot_free = ev->slots[i].next;
	} else {
		ev->slots = xgrow(ev->slots, ev->slot_count, &ev->slot_cap, sizeof(*ev->slots));
		i = ev->slot_count++;
		ev->slots[i].gen = 0;
	}
	ev->slots[i].w = w;
	ev->slots[i].ready = false;
	return i;
}

/* The key that epoll hands back.  The key is stale as soon as the slot has been given up. */
static uint64_t
slot_key(const struct ev *ev, uint32_t slot)
{
	return (uint64_t)ev->slots[slot].gen << 32 | slot;
}

void
ev_io_start(struct ev *ev, struct ev_io *w, int fd, uint32_t events, ev_io_fn *fn, void *ctx)
{
	struct epoll_event event = {.events = events};

	ev_io_stop(w);
	w->fn = fn;
	w->ctx = ctx;
	w->fd = fd;
	w->ev = ev;
	w->events = events;
	w->slot = ev_slot_take(ev, w);
	event.data.u64 = slot_key(ev, w->slot);
	if (epoll_ctl(ev->epoll, EPOLL_CTL_ADD, fd, &event) == 0)
		return;
	/* A file or /dev/null on standard input: it is always ready. */
	if (errno != EPERM)
		BUG("cannot watch descriptor %d: %s", fd, strerror(errno));
	ev->slots[w->slot].ready = true;
	ev->ready_count++;
}

void
ev_io_set(struct ev_io *w, uint32_t events)
{
	struct epoll_event event = {.events = events};

	if (w->ev == NULL || w->events == events)
		return;
	w->events = events;
	if (w->ev->slots[w->slot].ready)
		return;
	event.data.u64 = slot_key(w->ev, w->slot);
	if (epoll_ctl(w->ev->epoll, EPOLL_CTL_MOD, w->fd, &event) < 0)
		BUG("cannot watch descriptor %d: %s", w->fd, strerror(errno));
}

void
ev_io_stop(struct ev_io *w)
{
	struct ev *ev = w->ev;
	struct ev_slot *slot;

	if (ev == NULL)
		return;
	slot = &ev->slots[w->slot];
	/* DEL fails when the descriptor was closed first: closing has taken it out of epoll,
	 * too. */
	if (slot->ready)
		ev->ready_count--;
	else
		(void)epoll_ctl(ev->epoll, EPOLL_CTL_DEL, w->fd, NULL);
	slot->w = NULL;
	slot->gen++;
	slot->next = ev->slot_free;
	ev->slot_free = w->slot;
	w->ev = NULL;
}

void
ev_io_close(struct ev_io *w, int *fd)
{
	ev_io_stop(w);
	auto_close_fn(fd);
}

static void
io_dispatch(struct ev *ev, uint64_t key, uint32_t events)
{
	uint32_t i = (uint32_t)key;
	struct ev_io *w = ev->slots[i].w;

	if (slot_key(ev, i) != key)
		return;
	/* The interest may have changed since the event was fetched. */
	events &= w->events | EPOLLERR | EPOLLHUP;
	if (events != 0)
		w->fn(w, events);
}

static void
ready_dispatch(struct ev *ev)
{
	for (uint32_t i = 0; i < ev->slot_count && ev->ready_count > 0 && !ev->stop; i++)
		if (ev->slots[i].w != NULL && ev->slots[i].ready)
			io_dispatch(ev, slot_key(ev, i), EPOLLIN | EPOLLOUT);
}

/* ---- timers -------------------------------------------------------------------------- */

static bool
due_before(const struct ev_due *a, const struct ev_due *b)
{
	return a->at != b->at ? a->at < b->at : a->seq < b->seq;
}

static void
heap_put(struct ev *ev, size_t i, struct ev_due d)
{
	ev->heap[i] = d;
	d.w->heap = i;
}

static void
heap_up(struct ev *ev, size_t i, struct ev_due d)
{
	while (i > 0 && due_before(&d, &ev->heap[(i - 1) / 2])) {
		heap_put(ev, i, ev->heap[(i - 1) / 2]);
		i = (i - 1) / 2;
	}
	heap_put(ev, i, d);
}

static void
heap_down(struct ev *ev, size_t i, struct ev_due d)
{
	for (size_t child; (child = 2 * i + 1) < ev->heap_len; i = child) {
		if (child + 1 < ev->heap_len &&
		    due_before(&ev->heap[child + 1], &ev->heap[child]))
			child++;
		if (!due_before(&ev->heap[child], &d))
			break;
		heap_put(ev, i, ev->heap[child]);
	}
	heap_put(ev, i, d);
}

static void
heap_remove(struct ev *ev, size_t i)
{
	struct ev_due last = ev->heap[--ev->heap_len];

	if (i == ev->heap_len)
		return;
	if (i > 0 && due_before(&last, &ev->heap[(i - 1) / 2]))
		heap_up(ev, i, last);
	else
		heap_down(ev, i, last);
}

static void
heap_add(struct ev *ev, struct ev_timer *w)
{
	ev->heap = xgrow(ev->heap, ev->heap_len, &ev->heap_cap, sizeof(*ev->heap));
	heap_up(ev, ev->heap_len++, (struct ev_due){.at = w->at, .seq = ev->seq++, .w = w});
}

void
ev_timer_at(struct ev *ev, struct ev_timer *w, int64_t boot_ns, ev_timer_fn *fn, void *ctx)
{
	ev_timer_stop(w);
	w->fn = fn;
	w->ctx = ctx;
	w->at = boot_ns;
	w->ev = ev;
	heap_add(ev, w);
}

void
ev_timer_in(struct ev *ev, struct ev_timer *w, int64_t ns, ev_timer_fn *fn, void *ctx)
{
	int64_t now = clock_boot();

	ev_timer_at(ev, w, ns > INT64_MAX - now ? INT64_MAX : now + ns, fn, ctx);
}

void
ev_timer_stop(struct ev_timer *w)
{
	if (w->ev == NULL)
		return;
	if (w->heap & EV_DUE)
		w->ev->due[w->heap & ~EV_DUE] = NULL;
	else
		heap_remove(w->ev, w->heap);
	w->ev = NULL;
}

/* Arms the timerfd only for an earlier time: a wake-up for a timer that was
 * put off costs less than a system call each time one is. */
static void
timer_arm(struct ev *ev)
{
	struct itimerspec when = {{0, 0}, {0, 0}};
	int64_t at;

	if (ev->heap_len == 0 || ev->heap[0].at >= ev->armed)
		return;
	at = ev->heap[0].at > 0 ? ev->heap[0].at : 1; /* zero would disarm it */
	when.it_value.tv_sec = (time_t)(at / NSEC_PER_SEC);
	when.it_value.tv_nsec = (long)(at % NSEC_PER_SEC);
	ENSURE(timerfd_settime(ev->timer, TFD_TIMER_ABSTIME, &when, NULL) == 0);
	ev->armed = ev->heap[0].at;
}

/* Takes what is due out of the heap first: a timer that its callback sets
 * again, even to the past, waits for the next round. */
static void
timers_collect(struct ev *ev)
{
	int64_t now = clock_boot();

	while (ev->heap_len > 0 && ev->heap[0].at <= now) {
		struct ev_timer *w = ev->heap[0].w;

		heap_remove(ev, 0);
		ev->due = xgrow(ev->due, ev->due_len, &ev->due_cap, sizeof(struct ev_timer *));
		w->heap = ev->due_len | EV_DUE;
		ev->due[ev->due_len++] = w;
	}
}

static void
timers_run(struct ev *ev)
{
	uint64_t expirations;

	if (read(ev->timer, &expirations, sizeof(expirations)) < 0)
		ENSURE(errno == EAGAIN || errno == EINTR);
	ev->armed = INT64_MAX;
	timers_collect(ev);
	while (ev->due_pos < ev->due_len) {
		struct ev_timer *w = ev->due[ev->due_pos++];

		if (w == NULL)
			continue;
		if (ev->stop) {
			heap_add(ev, w); /* for whoever runs the loop again */
			continue;
		}
		w->ev = NULL;
		w->fn(w);
	}
	ev->due_pos = ev->due_len = 0;
}

/* ---- the loop ------------------------------------------------------------------------ */

static int
timeout_ms(const struct ev *ev, int64_t ns)
{
	if (ev->ready_count > 0)
		return 0;
	if (ns < 0)
		return -1;
	ns = ns / NSEC_PER_MSEC + (ns % NSEC_PER_MSEC != 0);
	return ns > INT_MAX ? INT_MAX : (int)ns;
}

void
ev_once(struct ev *ev, int64_t timeout_ns)
{
	struct epoll_event events[EV_BATCH];
	bool stop = ev->stop; /* from the round that this one is nested in */
	bool timer = false;
	int n;

	timer_arm(ev);
	n = epoll_wait(ev->epoll, events, EV_BATCH, timeout_ms(ev, timeout_ns));
	if (n < 0)
		ENSURE(errno == EINTR);
	ev->stop = false;
	for (int i = 0; i < n && !ev->stop; i++) {
		if (events[i].data.u64 == EV_TIMER_KEY)
			timer = true;
		else
			io_dispatch(ev, events[i].data.u64, events[i].events);
	}
	ready_dispatch(ev);
	/* Last: what an agent said in time counts, though its deadline is here too. */
	if (timer && !ev->stop)
		timers_run(ev);
	ev->stop = ev->stop || stop;
}

void
ev_run(struct ev *ev)
{
	while (!ev->stop)
		ev_once(ev, -1);
	ev->stop = false;
}

/* ---- children and signals ------------------------------------------------------------ */

/* Stopped first: an ended process keeps its pidfd readable for ever. */
static void
child_ended(struct ev_io *io, uint32_t events UNUSED)
{
	struct ev_child *w = io->ctx;

	ev_io_stop(io);
	w->fn(w);
}

void
ev_child_start(struct ev *ev, struct ev_child *w, int pidfd, ev_child_fn *fn, void *ctx)
{
	w->fn = fn;
	w->ctx = ctx;
	ev_io_start(ev, &w->io, pidfd, EPOLLIN, child_ended, w);
}

void
ev_child_stop(struct ev_child *w)
{
	ev_io_stop(&w->io);
}

/* One signal at a time: the callback may end the watcher; more of them keep
 * the descriptor readable. */
static void
ev_signal_came(struct ev_io *io, uint32_t events UNUSED)
{
	struct ev_signal *w = io->ctx;
	struct signalfd_siginfo info;

	if (read(io->fd, &info, sizeof(info)) == (ssize_t)sizeof(info))
		w->fn(w, (int)info.ssi_signo);
}

void
ev_signal_start(
    struct ev *ev, struct ev_signal *w, const int *signals, ev_signal_fn *fn, void *ctx)
{
	sigset_t set;
	int fd;

	ev_signal_stop(w);
	sigemptyset(&set);
	for (; *signals != 0; signals++)
		sigaddset(&set, *signals);
	ENSURE(sigprocmask(SIG_BLOCK, &set, NULL) == 0);
	fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (fd < 0)
		BUG("signalfd: %s", strerror(errno));
	w->fn = fn;
	w->ctx = ctx;
	ev_io_start(ev, &w->io, fd, EPOLLIN, ev_signal_came, w);
}

void
ev_signal_stop(struct ev_signal *w)
{
	if (w->io.ev == NULL)
		return;
	ev_io_stop(&w->io);
	close(w->io.fd);
}
