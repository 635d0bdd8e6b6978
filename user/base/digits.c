/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* digits.c - writes numbers as text, two digits at a time. */
#include "base/digits.h"

#include <stdio.h>
#include <string.h>

#define NS_PER_S 1000000000u

/* They end at @p end. */
static void write_digits(char *end, uint64_t count)
{
	static const char pairs[] = "00010203040506070809101112131415161718192021222324"
				    "25262728293031323334353637383940414243444546474849"
				    "50515253545556575859606162636465666768697071727374"
				    "75767778798081828384858687888990919293949596979899";

	for (; count >= 100; count /= 100) {
		end -= 2;
		memcpy(end, &pairs[2 * (count % 100)], 2);
	}
	if (count >= 10) {
		end -= 2;
		memcpy(end, &pairs[2 * count], 2);
	} else {
		*--end = (char)('0' + count);
	}
}

static size_t count_digits(uint64_t count)
{
	static const uint64_t powers[] = {0,
					  10,
					  100,
					  1000,
					  10000,
					  100000,
					  1000000,
					  10000000,
					  100000000,
					  1000000000,
					  10000000000,
					  100000000000,
					  1000000000000,
					  10000000000000,
					  100000000000000,
					  1000000000000000,
					  10000000000000000,
					  100000000000000000,
					  1000000000000000000,
					  10000000000000000000u};
	/* 1233 / 4096 is a bit more than the logarithm of 2. */
	size_t least = (size_t)(64 - __builtin_clzll(count | 1)) * 1233 >> 12;

	return least + (count >= powers[least]);
}

size_t ctd_digits_count(char digits[CTD_DIGITS_BYTES], uint64_t count)
{
	size_t bytes = count_digits(count);

	write_digits(digits + bytes, count);
	return bytes;
}

size_t ctd_digits_seconds(char digits[CTD_DIGITS_BYTES], uint64_t ns)
{
	char *end = digits + ctd_digits_count(digits, ns / NS_PER_S);
	uint64_t rest = ns % NS_PER_S;

	if (!rest)
		return (size_t)(end - digits);
	memcpy(end, ".00000000", 9);
	end += 10;
	write_digits(end, rest);
	while (end[-1] == '0')
		end--;
	return (size_t)(end - digits);
}

size_t ctd_digits_real(char digits[CTD_DIGITS_BYTES], double value)
{
	/* There is no sign of nothing. */
	return (size_t)snprintf(digits, CTD_DIGITS_BYTES, "%.10g", value == 0 ? 0 : value);
}
