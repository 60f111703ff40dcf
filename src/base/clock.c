#include "base/clock.h"
#include "base/alloc.h"
#include "base/text.h"
#include <fcntl.h>
#include <inttypes.h>

#define BOOT_ID_LEN 36

static int64_t
clock_read(clockid_t id)
{
	struct timespec ts;

	ENSURE(clock_gettime(id, &ts) == 0);
	return (int64_t)ts.tv_sec * NSEC_PER_SEC + ts.tv_nsec;
}

int64_t
clock_boot(void)
{
	return clock_read(CLOCK_BOOTTIME);
}

int64_t
clock_wall(void)
{
	return clock_read(CLOCK_REALTIME);
}

struct when
clock_now(void)
{
	return (struct when){.boot = clock_boot(), .wall = clock_wall()};
}

static bool
boot_id_is_valid(const char *s)
{
	return strspn(s, "0123456789abcdef-") == BOOT_ID_LEN;
}

const char *
clock_boot_id(void)
{
	static char id[BOOT_ID_LEN + 1];
	static bool known;
	AUTO_CLOSE int fd = -1;
	ssize_t n = -1;

	if (known)
		return id;
	fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
	if (fd >= 0)
		n = read(fd, id, BOOT_ID_LEN);
	id[n > 0 ? n : 0] = '\0';
	if (!boot_id_is_valid(id))
		id[0] = '\0';
	known = true;
	return id;
}

typedef struct tm *calendar_fn(const time_t *sec, struct tm *tm);

/* Returns the fraction of the second, in ns.  Splits towards the past, so that moments before
 * 1970 have a fraction >= 0.  int64_t nanoseconds reach from 1677 to 2262: no calendar refuses
 * those. */
static int64_t
wall_split(int64_t wall, calendar_fn *calendar, struct tm *tm)
{
	time_t sec = (time_t)(wall / NSEC_PER_SEC);
	int64_t nsec = wall % NSEC_PER_SEC;

	if (nsec < 0) {
		nsec += NSEC_PER_SEC;
		sec--;
	}
	ENSURE(calendar(&sec, tm));
	return nsec;
}

static int64_t
add_date_time(struct buf *out, int64_t wall, calendar_fn *calendar, char separator)
{
	struct tm tm;
	int64_t nsec = wall_split(wall, calendar, &tm);

	buf_addf(out, "%04d-%02d-%02d%c%02d:%02d:%02d", tm.tm_year + 1900, tm.tm_mon + 1,
	    tm.tm_mday, separator, tm.tm_hour, tm.tm_min, tm.tm_sec);
	return nsec;
}

void
clock_fmt_iso_us(int64_t wall, struct buf *out)
{
	int64_t nsec = add_date_time(out, wall, localtime_r, 'T');

	buf_addf(out, ".%06" PRId64, nsec / 1000);
}

void
clock_fmt_iso(int64_t wall, struct buf *out)
{
	add_date_time(out, wall, localtime_r, 'T');
}

void
clock_fmt_human(int64_t wall, struct buf *out)
{
	add_date_time(out, wall, localtime_r, ' ');
}

void
clock_show(const char *text, size_t len, struct buf *out)
{
	AUTO_FREE char *copy = xstrndup(text, len);
	int64_t wall;

	if (clock_parse(copy, &wall) == 0)
		clock_fmt_human(wall, out);
	else
		text_show(out, text, len, false);
}

void
clock_fmt_rfc3339(int64_t wall, struct buf *out)
{
	int64_t nsec = add_date_time(out, wall, gmtime_r, 'T');

	buf_addf(out, ".%03" PRId64 "Z", nsec / NSEC_PER_MSEC);
}

void
clock_fmt_stamp(int64_t wall, struct buf *out)
{
	struct tm tm;

	(void)wall_split(wall, gmtime_r, &tm);
	buf_addf(out, "%04d%02d%02dT%02d%02d%02dZ", tm.tm_year + 1900, tm.tm_mon + 1,
	    tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec);
}

static bool
clock_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Reads exactly `digits` digits within lo..hi, then `after` (0: nothing). */
static bool
read_field(const char **s, int digits, int lo, int hi, char after, int *out)
{
	int value = 0;

	for (; digits > 0; digits--, (*s)++) {
		if (!clock_is_digit(**s))
			return false;
		value = value * 10 + (**s - '0');
	}
	if (value < lo || value > hi)
		return false;
	*out = value;
	return !after || *(*s)++ == after;
}

static int
month_days(int year, int month)
{
	static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;

	return days[month - 1] + (month == 2 && leap ? 1 : 0);
}

/* The whole digits of a decimal fraction of `unit`; *s ends behind the last digit. */
static int64_t
read_fraction(const char **s, int64_t unit)
{
	int64_t sum = 0;

	for (; clock_is_digit(**s); (*s)++) {
		unit /= 10;
		sum += (**s - '0') * unit;
	}
	return sum;
}

int
clock_parse(const char *s, int64_t *wall)
{
	struct tm tm = {.tm_isdst = -1};
	int year, month;
	int64_t nsec = 0, out;
	time_t sec;
	bool utc;

	if (!read_field(&s, 4, 1678, 2261, '-', &year) ||
	    !read_field(&s, 2, 1, 12, '-', &month) ||
	    !read_field(&s, 2, 1, month_days(year, month), 'T', &tm.tm_mday) ||
	    !read_field(&s, 2, 0, 23, ':', &tm.tm_hour) ||
	    !read_field(&s, 2, 0, 59, ':', &tm.tm_min) ||
	    !read_field(&s, 2, 0, 59, 0, &tm.tm_sec))
		return -1;
	if (*s == '.') {
		if (!clock_is_digit(*++s))
			return -1;
		nsec = read_fraction(&s, NSEC_PER_SEC);
	}
	tm.tm_year = year - 1900;
	tm.tm_mon = month - 1;
	utc = *s == 'Z';
	if (s[utc] != '\0')
		return -1;
	sec = utc ? timegm(&tm) : mktime(&tm);
	if (__builtin_mul_overflow((int64_t)sec, NSEC_PER_SEC, &out) ||
	    __builtin_add_overflow(out, nsec, &out))
		return -1;
	*wall = out;
	return 0;
}

void
clock_fmt_span(int64_t ns, bool compact, struct buf *out)
{
	const char *gap = compact ? "" : " ";
	int64_t sec = ns > 0 ? ns / NSEC_PER_SEC : 0;

	if (sec < 60)
		buf_addf(out, "%" PRId64 "s", sec);
	else if (sec < 3600)
		buf_addf(out, "%" PRId64 "m%s%" PRId64 "s", sec / 60, gap, sec % 60);
	else
		buf_addf(out, "%" PRId64 "h%s%" PRId64 "m", sec / 3600, gap, sec / 60 % 60);
}

/* The units, largest first: the parts of a span come in this order, each at most once. */
static const struct unit {
	char name[4];
	int64_t ns;
} units[] = {
    {"d", 86400 * NSEC_PER_SEC},
    {"h", 3600 * NSEC_PER_SEC},
    {"m", 60 * NSEC_PER_SEC},
    {"s", NSEC_PER_SEC},
    {"ms", NSEC_PER_MSEC},
};

static size_t
unit_find(const char *s, size_t len)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(units); i++)
		if (strlen(units[i].name) == len && memcmp(units[i].name, s, len) == 0)
			break;
	return i;
}

#define SPAN_MAX (INT64_C(10) * 366 * 86400 * NSEC_PER_SEC)

enum span_result { SPAN_OK, SPAN_MALFORMED, SPAN_TOO_LONG };

/* One part such as "1.5h"; `from` is the first unit still allowed. */
static enum span_result
span_part(const char **s, size_t *from, bool only, int64_t *total)
{
	const char *digits = *s, *fraction = "", *name;
	int64_t whole = 0;
	size_t len, unit;
	bool over = false;

	for (; clock_is_digit(**s); (*s)++) {
		over |= __builtin_mul_overflow(whole, 10, &whole);
		over |= __builtin_add_overflow(whole, **s - '0', &whole);
	}
	if (*s == digits)
		return SPAN_MALFORMED;
	if (**s == '.') {
		fraction = *s + 1;
		if (!clock_is_digit(*fraction))
			return SPAN_MALFORMED;
		*s = fraction + strspn(fraction, "0123456789");
	}
	name = *s;
	len = strcspn(name, "0123456789.");
	unit = len == 0 && only ? unit_find("s", 1) : unit_find(name, len);
	if (unit >= ARRAY_LEN(units) || unit < *from)
		return SPAN_MALFORMED;
	*s += len;
	*from = unit + 1;
	over |= __builtin_mul_overflow(whole, units[unit].ns, &whole);
	over |= __builtin_add_overflow(whole, read_fraction(&fraction, units[unit].ns), &whole);
	over |= __builtin_add_overflow(*total, whole, total);
	return over ? SPAN_TOO_LONG : SPAN_OK;
}

int
clock_parse_span(const char *s, int64_t *ns, struct err *err)
{
	enum span_result result = *s ? SPAN_OK : SPAN_MALFORMED;
	AUTO_BUF quoted = BUF_INIT;
	const char *at = s;
	int64_t total = 0;
	size_t from = 0;

	while (*at && result == SPAN_OK)
		result = span_part(&at, &from, at == s, &total);
	/* The sum of the span and any clock must be a moment that can be written and read. */
	if (result == SPAN_OK && total > SPAN_MAX)
		result = SPAN_TOO_LONG;
	if (result == SPAN_OK) {
		*ns = total;
		return 0;
	}
	text_quote(&quoted, s);
	if (result == SPAN_TOO_LONG)
		return err_set(err, "%s is too long a duration", quoted.data);
	if (s[0] == '-' && clock_is_digit(s[1]))
		return err_set(err, "%s is a negative duration", quoted.data);
	return err_set(
	    err, "%s is not a duration (such as 90, 90s, 30m, 1h30m or 2d)", quoted.data);
}
