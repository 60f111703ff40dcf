#include "watch/resets.h"

#include "base/alloc.h"
#include "base/clock.h"
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <time.h>

#define ZONES "/usr/share/zoneinfo"
#define ZONE_MAX 64
#define JUST_PASSED (30 * 60) /* s */
#define DAY 86400
#define EPOCH_LEAST 1000000000 /* what is smaller is no time of ours */

/* ---- small words --------------------------------------------------------------------- */

static const char *
skip_spaces(const char *p)
{
	return p + strspn(p, " \t");
}

/* Reads a number of at most `digits` digits; NULL when there is none. */
static const char *
resets_read_number(const char *p, int digits, int64_t *out)
{
	int n = 0;

	*out = 0;
	while (n < digits && isdigit((unsigned char)p[n]))
		*out = *out * 10 + (p[n++] - '0');
	return n == 0 || isdigit((unsigned char)p[n]) ? NULL : p + n;
}

/* ---- zones --------------------------------------------------------------------------- */

static bool
zone_is_known(const char *zone)
{
	AUTO_FREE char *path = NULL;

	for (const char *p = zone; *p != '\0'; p++)
		if (!isalnum((unsigned char)*p) && strchr("/_+-", *p) == NULL)
			return false;
	if (*zone == '/' || *zone == '\0')
		return false;
	if (strcmp(zone, "UTC") == 0 || strcmp(zone, "GMT") == 0)
		return true;
	path = xasprintf("%s/%s", ZONES, zone);
	return access(path, R_OK) == 0;
}

/* Sets libc's zone; "" leaves the local one.  libc takes a zone only from TZ, which zone_leave
 * sets back. */
static void
zone_enter(const char *zone, char **before)
{
	const char *old = getenv("TZ");

	*before = NULL;
	if (*zone == '\0')
		return;
	*before = xstrdup(old == NULL ? "" : old);
	(void)setenv("TZ", zone, 1);
	tzset();
}

static void
zone_leave(const char *zone, char *before)
{
	if (*zone == '\0')
		return;
	if (*before == '\0')
		(void)unsetenv("TZ");
	else
		(void)setenv("TZ", before, 1);
	tzset();
	free(before);
}

/* ---- a time of the day --------------------------------------------------------------- */

struct day_time {
	int month, day, year; /* month 0: none is named; year 0: the same */
	int hour, minute;
	char zone[ZONE_MAX]; /* "": local */
};

static int
month_parse(const char *p)
{
	static const char *const names[] = {
	    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"};

	for (int i = 0; i < 12; i++)
		if (strncasecmp(p, names[i], 3) == 0)
			return i + 1;
	return 0;
}

/* Reads "Mar 4," or "Mar 4th, 2026"; leaves *at where the time begins. */
static void
read_date(const char **at, struct day_time *out)
{
	const char *p = *at, *end;
	int month = month_parse(p);
	int64_t day, year;

	if (month == 0)
		return;
	p += strspn(p, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");
	p = resets_read_number(skip_spaces(p + (*p == '.')), 2, &day);
	if (p == NULL || day < 1 || day > 31)
		return;
	out->month = month;
	out->day = (int)day;
	p += strspn(p, "sndrth");
	p = skip_spaces(p + (*p == ','));
	end = resets_read_number(p, 4, &year);
	if (end != NULL && year >= 1970) {
		out->year = (int)year;
		p = skip_spaces(end + (*end == ','));
	}
	if (strncasecmp(p, "at ", 3) == 0)
		p = skip_spaces(p + 3);
	*at = p;
}

static bool
read_clock(const char **at, struct day_time *out)
{
	int64_t hour, minute = 0;
	const char *p = resets_read_number(*at, 2, &hour);
	bool colon = p != NULL && *p == ':';

	if (colon)
		p = resets_read_number(p + 1, 2, &minute);
	if (p == NULL)
		return false;
	p = skip_spaces(p);
	if (strncasecmp(p, "am", 2) == 0 || strncasecmp(p, "pm", 2) == 0) {
		if (hour < 1 || hour > 12)
			return false;
		hour = hour % 12 + (tolower((unsigned char)*p) == 'p' ? 12 : 0);
		p += 2;
	} else if (!colon) {
		return false; /* a number alone is no time */
	}
	if (hour > 23 || minute > 59)
		return false;
	out->hour = (int)hour;
	out->minute = (int)minute;
	*at = skip_spaces(p);
	return true;
}

/* Reads a zone in parentheses.  False when it is unknown: then the time is unknown, too. */
static bool
read_zone(const char *p, struct day_time *out)
{
	size_t len;

	if (*p != '(')
		return true;
	len = strcspn(p + 1, ")");
	if (p[1 + len] != ')' || len >= sizeof(out->zone))
		return false;
	(void)snprintf(out->zone, sizeof(out->zone), "%.*s", (int)len, p + 1);
	return zone_is_known(out->zone);
}

static int64_t
to_seconds(const struct day_time *t, int64_t now)
{
	time_t seconds = (time_t)now, at;
	struct tm tm;

	if (localtime_r(&seconds, &tm) == NULL)
		return 0;
	tm.tm_hour = t->hour;
	tm.tm_min = t->minute;
	tm.tm_sec = 0;
	tm.tm_isdst = -1;
	if (t->month != 0) {
		tm.tm_mon = t->month - 1;
		tm.tm_mday = t->day;
	}
	if (t->year != 0)
		tm.tm_year = t->year - 1900;
	at = mktime(&tm);
	if (at < 0 || at >= now - JUST_PASSED)
		return at < 0 ? 0 : at;
	/* Takes the next such day, or year. */
	if (t->month == 0)
		tm.tm_mday++;
	else if (t->year == 0)
		tm.tm_year++;
	tm.tm_hour = t->hour;
	tm.tm_min = t->minute;
	tm.tm_isdst = -1;
	at = mktime(&tm);
	return at < 0 ? 0 : at;
}

static int64_t
read_moment(const char *p, int64_t now)
{
	struct day_time t = {0};
	char *before;
	int64_t at;

	read_date(&p, &t);
	if (!read_clock(&p, &t) || !read_zone(p, &t))
		return 0;
	zone_enter(t.zone, &before);
	at = to_seconds(&t, now);
	zone_leave(t.zone, before);
	return at;
}

/* ---- a span -------------------------------------------------------------------------- */

static int64_t
unit_seconds(const char *p, size_t len)
{
	static const struct {
		const char *name;
		int64_t seconds;
	} units[] = {{"s", 1}, {"sec", 1}, {"secs", 1}, {"second", 1}, {"seconds", 1},
	    {"m", 60}, {"min", 60}, {"mins", 60}, {"minute", 60}, {"minutes", 60}, {"h", 3600},
	    {"hr", 3600}, {"hrs", 3600}, {"hour", 3600}, {"hours", 3600}, {"d", DAY},
	    {"day", DAY}, {"days", DAY}};

	for (size_t i = 0; i < ARRAY_LEN(units); i++)
		if (strlen(units[i].name) == len && strncasecmp(p, units[i].name, len) == 0)
			return units[i].seconds;
	return 0;
}

/* Reads "20s" or "2 hours 5 minutes", in seconds; 0 when it is no span. */
static int64_t
read_span(const char *p)
{
	int64_t sum = 0;

	for (;;) {
		int64_t n, unit;
		const char *end = resets_read_number(p, 6, &n);
		size_t len;

		if (end == NULL)
			return sum;
		if (*end == '.' && isdigit((unsigned char)end[1]))
			end += 1 + strspn(end + 1, "0123456789"); /* drops parts */
		end = skip_spaces(end);
		len = strspn(end, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
		unit = unit_seconds(end, len);
		if (unit == 0)
			return sum;
		sum += n * unit;
		p = skip_spaces(end + len);
		p = skip_spaces(p + (*p == ','));
		if (strncasecmp(p, "and ", 4) == 0)
			p = skip_spaces(p + 4);
	}
}

/* ---- all of it ----------------------------------------------------------------------- */

/* Reads the seconds since 1970 behind a '|'. */
static int64_t
read_epoch(const char *text)
{
	const char *bar = strrchr(text, '|');
	int64_t at;

	if (bar == NULL || resets_read_number(bar + 1, 11, &at) == NULL || at < EPOCH_LEAST)
		return 0;
	return at;
}

int64_t
resets_find(const char *text, int64_t now)
{
	static const char *const keys[] = {"resets at ", "resets in ", "resets ", "reset at ",
	    "reset in ", "again at ", "again in ", "retry after ", "retry in "};
	int64_t seconds = now / NSEC_PER_SEC;
	int64_t at = read_epoch(text);

	for (size_t i = 0; i < ARRAY_LEN(keys) && at == 0; i++) {
		const char *p = strcasestr(text, keys[i]);
		int64_t span;

		if (p == NULL)
			continue;
		p = skip_spaces(p + strlen(keys[i]));
		span = read_span(p);
		/* Adds a second, so that the moment is never earlier than was said. */
		at = span > 0 ? seconds + span + 1 : read_moment(p, seconds);
	}
	return at <= 0 || at > INT64_MAX / NSEC_PER_SEC ? 0 : at * NSEC_PER_SEC;
}
