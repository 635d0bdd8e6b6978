/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* num.c - turns text into numbers and lists of numbers, strictly. */
#include "base/num.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS "0123456789"
#define NS_PER_S UINT64_C(1000000000)
#define PPM_PER_CENT 10000

/* Not isdigit(): the locale has no say in what a number is. */
static bool is_digit(char character)
{
	return character >= '0' && character <= '9';
}

/* The length of "digits" or "digits.digits" at the start of @p text; 0: there is none. */
static size_t decimal_length(const char *text)
{
	size_t whole = strspn(text, DIGITS);
	size_t fraction;

	if (!whole || text[whole] != '.')
		return whole;
	fraction = strspn(text + whole + 1, DIGITS);
	return fraction ? whole + 1 + fraction : 0;
}

int ctd_parse_integer(const char *text, long long min, long long max, long long *ret_value)
{
	const char *digits = text[0] == '-' ? text + 1 : text;
	long long value;
	char *end;

	if (!is_digit(*digits))
		return -EINVAL;
	errno = 0;
	value = strtoll(text, &end, 10);
	if (*end)
		return -EINVAL;
	if (errno || value < min || value > max)
		return -ERANGE;
	*ret_value = value;
	return 0;
}

/* In integers, so that it is exact: decimals below the smallest unit are cut off. @p unit: in one.
 * @return 0 or -ERANGE. */
static int take_decimal(const char *text, uint64_t unit, uint64_t *ret_number)
{
	uint64_t number = 0;

	for (; is_digit(*text); text++) {
		if (__builtin_mul_overflow(number, 10, &number) ||
		    __builtin_add_overflow(number, (uint64_t)(*text - '0') * unit, &number))
			return -ERANGE;
	}
	if (*text == '.') {
		while (is_digit(*++text)) {
			unit /= 10;
			if (__builtin_add_overflow(number, (uint64_t)(*text - '0') * unit, &number))
				return -ERANGE;
		}
	}
	*ret_number = number;
	return 0;
}

int ctd_parse_duration_ns(const char *text, uint64_t min_ns, uint64_t max_ns, uint64_t *ret_ns)
{
	static const struct {
		const char *suffix;
		uint64_t ns;
	} units[] = {{"", NS_PER_S}, {"s", NS_PER_S}, {"ms", 1000000}, {"us", 1000}};
	size_t length = decimal_length(text);
	uint64_t unit_ns = 0, ns = 0;

	if (!length)
		return -EINVAL;
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (!strcmp(text + length, units[i].suffix))
			unit_ns = units[i].ns;
	if (!unit_ns)
		return -EINVAL;
	if (take_decimal(text, unit_ns, &ns) || ns < min_ns || ns > max_ns)
		return -ERANGE;
	*ret_ns = ns;
	return 0;
}

int ctd_parse_percentage_ppm(const char *text, uint64_t min_ppm, uint64_t max_ppm,
			     uint64_t *ret_ppm)
{
	size_t length = decimal_length(text);
	uint64_t ppm;

	if (!length || strcmp(text + length, "%") != 0)
		return -EINVAL;
	if (take_decimal(text, PPM_PER_CENT, &ppm) || ppm < min_ppm || ppm > max_ppm)
		return -ERANGE;
	*ret_ppm = ppm;
	return 0;
}

/* Moves *text past a CPU number. */
static int take_cpu(const char **text, const char *end, size_t cpus, size_t *ret_cpu)
{
	size_t cpu = 0;

	if (*text == end || !is_digit(**text))
		return -EINVAL;
	for (; *text < end && is_digit(**text); (*text)++) {
		cpu = cpu * 10 + (size_t)(**text - '0');
		if (cpu >= cpus)
			return -ERANGE;
	}
	*ret_cpu = cpu;
	return 0;
}

/* Checks the list and, unless @p set is NULL, marks its CPUs. */
static int walk_cpu_list(const char *text, const char *end, bool *set, size_t cpus)
{
	while (true) {
		size_t first, last;
		int err = take_cpu(&text, end, cpus, &first);

		if (err)
			return err;
		last = first;
		if (text < end && *text == '-') {
			text++;
			err = take_cpu(&text, end, cpus, &last);
			if (err)
				return err;
		}
		if (last < first)
			return -EINVAL;
		for (size_t cpu = first; set && cpu <= last; cpu++)
			set[cpu] = true;
		if (text == end)
			return 0;
		if (*text++ != ',')
			return -EINVAL;
	}
}

int ctd_parse_cpu_list(const char *text, size_t bytes, bool *ret_set, size_t cpus)
{
	const char *end;
	int err;

	if (bytes && text[bytes - 1] == '\n')
		bytes--;
	end = text + bytes;
	err = bytes ? walk_cpu_list(text, end, NULL, cpus) : 0;
	if (err)
		return err;
	memset(ret_set, 0, cpus * sizeof(*ret_set));
	return bytes ? walk_cpu_list(text, end, ret_set, cpus) : 0;
}
