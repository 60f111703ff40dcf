/*
 * clock.h - time: CLOCK_BOOTTIME inside, wall clock only at the edge.
 *
 * Everything that waits or measures uses boot time (it counts suspend and
 * never jumps).  A moment that must mean something after a reboot is kept as
 * struct when: both clocks, and the boot it belongs to is known from the
 * journal.  Text forms are the seeds'; RFC 3339 elsewhere.
 */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include "base/buf.h"
#include "base/err.h"
#include "base/when.h"

#define NSEC_PER_MSEC INT64_C(1000000)
#define NSEC_PER_SEC INT64_C(1000000000)

int64_t clock_boot(void); /* ns since boot */
int64_t clock_wall(void); /* ns since the epoch */
struct when clock_now(void);
const char *clock_boot_id(void); /* 36 characters; "" where the kernel has none */

/* Local time, microseconds, no zone: 2024-01-15T10:30:00.000000 */
void clock_fmt_iso_us(int64_t wall, struct buf *out);
/* Local time, seconds: 2024-01-15T10:30:00 and 2024-01-15 10:30:00 */
void clock_fmt_iso(int64_t wall, struct buf *out);
void clock_fmt_human(int64_t wall, struct buf *out);
/* Appends a moment from a file as clock_fmt_human does, a text that is no moment as text_show
 * does. */
void clock_show(const char *text, size_t len, struct buf *out);
/* UTC with milliseconds: 2024-01-15T10:30:00.123Z */
void clock_fmt_rfc3339(int64_t wall, struct buf *out);
/* For file names: 20240115T103000Z */
void clock_fmt_stamp(int64_t wall, struct buf *out);
/* Reads what clock_fmt_iso_us and clock_fmt_rfc3339 write; -1 when it cannot. */
int clock_parse(const char *s, int64_t *wall) NODISCARD;

/* "42s", "3m 42s", "1h 15m"; with compact: "42s", "3m42s", "1h15m" */
void clock_fmt_span(int64_t ns, bool compact, struct buf *out);
/* "90" (seconds), "1.5", "90s", "30m", "4h", "1h30m", "2d", "500ms"; > 0 or *ns = 0 for "0".
 * Negative, empty, overflowing or malformed text is an error that names the text. */
int clock_parse_span(const char *s, int64_t *ns, struct err *err) NODISCARD;

#endif
