/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* when.c - a time as people write it. */
#include "base/when.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define NS_PER_S 1000000000ull
#define DAY_S 86400ull
/* The year 2200: in nanoseconds it fits. */
#define SECONDS_MAX 7258118400ll

/* A word of these units, as it is or with an s: "min", "mins". */
static const struct {
	const char *name;
	uint64_t seconds;
} units[] = {
	{"s", 1},     {"sec", 1},     {"second", 1},	{"m", 60},
	{"min", 60},  {"minute", 60}, {"h", 3600},	{"hour", 3600},
	{"d", DAY_S}, {"day", DAY_S}, {"w", 7 * DAY_S}, {"week", 7 * DAY_S},
};

static const char *skip_blanks(const char *text)
{
	return text + strspn(text, " \t");
}

/* @return what follows the unit at @p text; NULL: there is none. */
static const char *take_unit(const char *text, uint64_t *ret_seconds)
{
	size_t bytes = strspn(text, "abcdefghijklmnopqrstuvwxyz");

	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		size_t length = strlen(units[i].name);

		if (strncmp(text, units[i].name, length) != 0 ||
		    (bytes != length && (bytes != length + 1 || text[length] != 's')))
			continue;
		*ret_seconds = units[i].seconds;
		return text + bytes;
	}
	return NULL;
}

static int parse_ago(const char *text, uint64_t now_ns, uint64_t *ret_ns)
{
	char *end;
	unsigned long long count;
	uint64_t seconds;
	const char *rest;

	if (*text < '0' || *text > '9')
		return -EINVAL;
	count = strtoull(text, &end, 10);
	rest = take_unit(skip_blanks(end), &seconds);
	if (!rest)
		return -EINVAL;
	rest = skip_blanks(rest);
	if ((*rest && strcmp(rest, "ago") != 0) || count > now_ns / NS_PER_S / seconds)
		return -EINVAL;
	*ret_ns = now_ns - count * seconds * NS_PER_S;
	return 0;
}

static int parse_seconds(const char *text, uint64_t *ret_ns)
{
	char *end;
	unsigned long long seconds;

	if (*text < '0' || *text > '9')
		return -EINVAL;
	seconds = strtoull(text, &end, 10);
	if (*end || seconds > SECONDS_MAX)
		return -EINVAL;
	*ret_ns = seconds * NS_PER_S;
	return 0;
}

/* Fields that the text does not have are those of @p fields. mktime() makes the 31st of February a
 * day of March, which nobody means. */
static int make(struct tm fields, bool utc, uint64_t *ret_ns)
{
	struct tm again = fields;
	time_t seconds = utc ? timegm(&again) : mktime(&again);

	if (seconds < 0 || seconds > SECONDS_MAX || again.tm_mday != fields.tm_mday)
		return -EINVAL;
	*ret_ns = (uint64_t)seconds * NS_PER_S;
	return 0;
}

/* Of today, or where that is still to come, of yesterday. */
static int parse_clock(const char *text, uint64_t now_ns, uint64_t *ret_ns)
{
	static const char *const formats[] = {"%H:%M", "%H:%M:%S"};
	time_t now = (time_t)(now_ns / NS_PER_S);

	for (size_t i = 0; i < 2; i++) {
		struct tm fields;
		const char *end;
		int error;

		localtime_r(&now, &fields);
		fields.tm_sec = 0;
		end = strptime(text, formats[i], &fields);
		if (!end || *end)
			continue;
		fields.tm_isdst = -1;
		error = make(fields, false, ret_ns);
		if (!error && *ret_ns > now_ns) {
			fields.tm_mday--;
			*ret_ns = (uint64_t)mktime(&fields) * NS_PER_S;
		}
		return error;
	}
	return -EINVAL;
}

static int parse_date(const char *text, uint64_t *ret_ns)
{
	static const char *const formats[] = {"%Y-%m-%d", "%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S",
					      "%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S"};

	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++) {
		struct tm fields = {.tm_isdst = -1};
		const char *end = strptime(text, formats[i], &fields);
		bool utc = end && strcmp(end, "Z") == 0;

		if (end && (!*end || utc))
			return make(fields, utc, ret_ns);
	}
	return -EINVAL;
}

/* Today began at its midnight, and so did yesterday. */
static int parse_day(const char *text, uint64_t now_ns, uint64_t *ret_ns)
{
	bool yesterday = strcmp(text, "yesterday") == 0;
	time_t now = (time_t)(now_ns / NS_PER_S);
	struct tm fields;

	if (!yesterday && strcmp(text, "today") != 0)
		return -EINVAL;
	localtime_r(&now, &fields);
	fields.tm_hour = fields.tm_min = fields.tm_sec = 0;
	fields.tm_mday -= yesterday;
	fields.tm_isdst = -1;
	now = mktime(&fields);
	if (now < 0)
		return -EINVAL;
	*ret_ns = (uint64_t)now * NS_PER_S;
	return 0;
}

int ctd_when_parse(const char *text, uint64_t now_ns, uint64_t *ret_ns)
{
	if (strcmp(text, "now") == 0) {
		*ret_ns = now_ns;
		return 0;
	}
	if (*text == '@')
		return parse_seconds(text + 1, ret_ns);
	if (!parse_day(text, now_ns, ret_ns) || !parse_ago(text, now_ns, ret_ns) ||
	    !parse_clock(text, now_ns, ret_ns))
		return 0;
	return parse_date(text, ret_ns);
}
