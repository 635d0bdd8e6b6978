/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* sysfs.c - turns a PMU's event string into the config words of perf_event_open(2). */
#include "sysfs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/root.h"

#define DEVICES "/sys/bus/event_source/devices"
#define CONFIG_WORDS 3
#define TEXT_BYTES 256
#define TERM_BYTES 64

/* Where a term's value goes: the lowest bit of the value to the lowest set bit, and so on. */
struct placement {
	int word; /* 0: config, 1: config1, 2: config2 */
	uint64_t bits;
};

/* A whole word of text: decimal, or hexadecimal after 0x. No sign, no blanks. */
static int parse_number(const char *text, uint64_t *ret_number)
{
	bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	const char *digits = hex ? text + 2 : text;
	char *end;
	unsigned long long number;

	if (!*digits || digits[strspn(digits, hex ? "0123456789abcdefABCDEF" : "0123456789")])
		return -EINVAL;
	errno = 0;
	number = strtoull(digits, &end, hex ? 16 : 10);
	if (errno)
		return -ERANGE;
	*ret_number = number;
	return 0;
}

/* @return the word that "config", "config1" or "config2" names, or -EINVAL. */
static int parse_word(const char *name)
{
	static const char *const words[CONFIG_WORDS] = {"config", "config1", "config2"};

	for (int i = 0; i < CONFIG_WORDS; i++) {
		if (strcmp(name, words[i]) == 0)
			return i;
	}
	return -EINVAL;
}

/* "7" or "0-7" as a mask of bits. */
static int parse_bits(char *range, uint64_t *ret_bits)
{
	char *dash = strchr(range, '-');
	uint64_t first, last;

	if (dash)
		*dash = '\0';
	if (parse_number(range, &first))
		return -EINVAL;
	last = first;
	if (dash && parse_number(dash + 1, &last))
		return -EINVAL;
	if (first > last || last > 63)
		return -EINVAL;
	*ret_bits = (UINT64_MAX >> (63 - (last - first))) << first;
	return 0;
}

/* "config:0-7,32-35" */
static int parse_format(const char *text, struct placement *ret_placement)
{
	char copy[TEXT_BYTES];
	struct placement placement = {0};
	char *ranges, *range;

	if (strlen(text) >= sizeof(copy))
		return -EINVAL;
	strcpy(copy, text);
	ranges = strchr(copy, ':');
	if (!ranges)
		return -EINVAL;
	*ranges++ = '\0';
	placement.word = parse_word(copy);
	if (placement.word < 0)
		return -EINVAL;
	while ((range = strsep(&ranges, ","))) {
		uint64_t bits;

		if (parse_bits(range, &bits))
			return -EINVAL;
		placement.bits |= bits;
	}
	*ret_placement = placement;
	return 0;
}

/* @return -ERANGE if the value has more bits than there are places. */
static int place(const struct placement *placement, uint64_t value, uint64_t *words)
{
	uint64_t word = words[placement->word] & ~placement->bits;

	for (uint64_t left = placement->bits; left; left &= left - 1) {
		if (value & 1)
			word |= left & -left;
		value >>= 1;
	}
	if (value)
		return -ERANGE;
	words[placement->word] = word;
	return 0;
}

/* "umask=0x80", or "inv" for "inv=1" */
static int parse_term(char *term, ctd_sysfs_format_fn *format, void *context, uint64_t *words)
{
	struct placement placement = {.bits = UINT64_MAX};
	char *equals = strchr(term, '=');
	uint64_t value = 1;
	int err;

	if (equals) {
		*equals = '\0';
		err = parse_number(equals + 1, &value);
		if (err)
			return err;
	}
	/* The term becomes a file name: nothing but a plain word may. */
	if (!*term || term[strspn(term, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
					"0123456789_-")])
		return -EINVAL;
	placement.word = parse_word(term);
	if (placement.word < 0) {
		const char *text = format(context, term);

		if (!text)
			return -ENOENT;
		if (parse_format(text, &placement))
			return -EINVAL;
	}
	return place(&placement, value, words);
}

int ctd_sysfs_event_parse(const char *text, ctd_sysfs_format_fn *format, void *context,
			  struct ctd_event *ret_event)
{
	char copy[TEXT_BYTES];
	uint64_t words[CONFIG_WORDS] = {0};
	char *terms = copy, *term;

	if (strlen(text) >= sizeof(copy))
		return -EINVAL;
	strcpy(copy, text);
	while ((term = strsep(&terms, ","))) {
		int err = parse_term(term, format, context, words);

		if (err)
			return err;
	}
	ret_event->config = words[0];
	ret_event->config1 = words[1];
	ret_event->config2 = words[2];
	return 0;
}

struct format_reader {
	const char *pmu;
	char term[TERM_BYTES]; /* the last one asked for, for the message */
	char text[TEXT_BYTES];
};

static const char *read_format(void *context, const char *term)
{
	struct format_reader *reader = context;

	snprintf(reader->term, sizeof(reader->term), "%s", term);
	if (ctd_root_read(reader->text, sizeof(reader->text), DEVICES "/%s/format/%s", reader->pmu,
			  term) < 0)
		return NULL;
	return reader->text;
}

int ctd_sysfs_event_read(const char *pmu, uint32_t type, const char *name,
			 struct ctd_event *ret_event)
{
	struct ctd_event event = {.type = type};
	struct format_reader reader = {.pmu = pmu};
	char text[TEXT_BYTES];
	ssize_t got;
	int err;

	if ((size_t)snprintf(event.name, sizeof(event.name), "%s", name) >= sizeof(event.name))
		return ctd_log_error(-ENAMETOOLONG, "event '%s'", name);
	got = ctd_root_read(text, sizeof(text), DEVICES "/%s/events/%s", pmu, name);
	if (got < 0)
		return ctd_log_error((int)got, "read '%s" DEVICES "/%s/events/%s'", ctd_root(), pmu,
				     name);
	err = ctd_sysfs_event_parse(text, read_format, &reader, &event);
	if (err == -ENOENT)
		ctd_log(CTD_LOG_ERROR,
			"event '%s' of PMU '%s' is '%s', but there is no readable format/%s", name,
			pmu, text, reader.term);
	else if (err)
		ctd_log(CTD_LOG_ERROR,
			"event '%s' of PMU '%s': cannot make sense of '%s' (last format/%s: '%s')",
			name, pmu, text, reader.term, reader.text);
	if (err)
		return err;
	*ret_event = event;
	return 0;
}

bool ctd_sysfs_event_is_there(const char *pmu, const char *name)
{
	char text[TEXT_BYTES];

	return ctd_root_read(text, sizeof(text), DEVICES "/%s/events/%s", pmu, name) >= 0;
}
