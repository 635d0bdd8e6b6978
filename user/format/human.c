/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* human.c - figures as people read them. */
#include "format/format.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <time.h>

void ctd_format_count(uint64_t count, char *ret_text)
{
	static const char units[] = "kMGTPE";
	double scaled = (double)count / 1000;
	int unit = 0;

	if (count < 10000) {
		snprintf(ret_text, CTD_FIGURE_BYTES, "%" PRIu64, count);
		return;
	}
	/* 999.5 would be printed as 1000 of the unit: it is 1.00 of the next. */
	while (scaled >= 999.5 && units[unit + 1]) {
		scaled /= 1000;
		unit++;
	}
	snprintf(ret_text, CTD_FIGURE_BYTES, "%.*f%c",
		 scaled < 9.995	  ? 2
		 : scaled < 99.95 ? 1
				  : 0,
		 scaled, units[unit]);
}

void ctd_format_signed(int64_t count, char *ret_text)
{
	char text[CTD_FIGURE_BYTES];

	ctd_format_count(count < 0 ? -(uint64_t)count : (uint64_t)count, text);
	snprintf(ret_text, CTD_FIGURE_BYTES, "%s%.30s", count < 0 ? "-" : "", text);
}

void ctd_format_value(struct ctd_value value, enum ctd_unit unit, char *ret_text)
{
	static const char *const marks[] = {
		[CTD_OK] = "",
		[CTD_SCALED] = "~",
		[CTD_LOW_CONFIDENCE] = "?",
	};

	/* Clocks and figures per cycle are small. */
	static const struct {
		double times;
		int digits;
	} units[] = {
		[CTD_UNIT_RATIO] = {100, 1},	  [CTD_UNIT_PER_CYCLE] = {1, 2},
		[CTD_UNIT_CYCLES] = {1, 2},	  [CTD_UNIT_GHZ] = {1, 2},
		[CTD_UNIT_PER_THOUSAND] = {1, 1},
	};

	if (ctd_value_known(value))
		snprintf(ret_text, CTD_FIGURE_BYTES, "%s%.*f", marks[value.quality],
			 units[unit].digits, units[unit].times * value.ratio);
	else
		snprintf(ret_text, CTD_FIGURE_BYTES, "-");
}

void ctd_format_cpu(uint64_t cpu_ns, uint64_t window_ns, char *ret_text)
{
	double percent = 100 * ((double)cpu_ns / 1e9) / ((double)window_ns / 1e9);

	if (!isfinite(percent))
		snprintf(ret_text, CTD_FIGURE_BYTES, "-");
	else
		snprintf(ret_text, CTD_FIGURE_BYTES, "%.*f", percent < 999.95 ? 1 : 0, percent);
}

static char *put_digits(char *at, int value, int digits)
{
	for (int i = digits; i--; value /= 10)
		at[i] = (char)('0' + value % 10);
	return at + digits;
}

/* A view has two for each row: strftime() and snprintf() take ten times as long. */
void ctd_format_time(uint64_t realtime_ns, char *ret_text)
{
	time_t seconds = (time_t)(realtime_ns / 1000000000);
	char *at = ret_text;
	struct tm tm;

	/* The year of the last nanosecond is 2554. */
	gmtime_r(&seconds, &tm);
	at = put_digits(at, tm.tm_year + 1900, 4);
	*at++ = '-';
	at = put_digits(at, tm.tm_mon + 1, 2);
	*at++ = '-';
	at = put_digits(at, tm.tm_mday, 2);
	*at++ = 'T';
	at = put_digits(at, tm.tm_hour, 2);
	*at++ = ':';
	at = put_digits(at, tm.tm_min, 2);
	*at++ = ':';
	at = put_digits(at, tm.tm_sec, 2);
	*at++ = '.';
	at = put_digits(at, (int)(realtime_ns % 1000000000 / 1000000), 3);
	memcpy(at, "Z", 2);
}

void ctd_format_local_time(uint64_t realtime_ns, char *ret_text)
{
	time_t seconds = (time_t)(realtime_ns / 1000000000);
	struct tm tm;

	strftime(ret_text, CTD_FIGURE_BYTES, "%Y-%m-%d %H:%M:%S", localtime_r(&seconds, &tm));
}
