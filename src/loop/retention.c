/*
 * retention.c - which sessions of a loop stay on disk.
 */
#include "loop/retention.h"

#include "loop/settings.h"

/* The totals after all that was decided so far. */
struct rest {
	int64_t sessions, bytes, free_bytes;
};

/* The size that a session counts with, bounded so that a sum of sizes never wraps. */
static int64_t
weight(const struct retained *one, size_t n)
{
	int64_t most = INT64_MAX / 4 / (int64_t)n;

	if (one->bytes <= 0)
		return 0;
	return one->bytes < most ? one->bytes : most;
}

static struct rest
sum(const struct retained *list, size_t n, int64_t free_bytes)
{
	struct rest rest = {.sessions = (int64_t)n,
	    .free_bytes = free_bytes < INT64_MAX / 2 ? free_bytes : INT64_MAX / 2};

	for (size_t i = 0; i < n; i++)
		rest.bytes += weight(&list[i], n);
	return rest;
}

/* Is a limit exceeded, and would it help if this session went?  A clock that was set back makes
 * nothing old. */
static bool
retention_is_too_much(const struct retained *one, const struct rest *rest,
    const struct retention *keep, int64_t now)
{
	if (keep->sessions != UNLIMITED && rest->sessions > keep->sessions)
		return true;
	if (keep->bytes != UNLIMITED && rest->bytes > keep->bytes)
		return true;
	if (keep->least_free > 0 && rest->free_bytes < keep->least_free)
		return true;
	return keep->age != UNLIMITED && one->at < now && now - one->at > keep->age;
}

size_t
retention_decide(struct retained *list, size_t n, const struct retention *keep, int64_t now,
    int64_t free_bytes)
{
	struct rest rest = sum(list, n, free_bytes);
	size_t gone = 0;

	for (size_t i = 0; i < n; i++) {
		struct retained *one = &list[i];

		one->goes = i + RETENTION_NEWEST < n && !one->pinned &&
			    retention_is_too_much(one, &rest, keep, now);
		if (!one->goes)
			continue;
		gone++;
		rest.sessions--;
		rest.bytes -= weight(one, n);
		rest.free_bytes += weight(one, n);
	}
	return gone;
}
