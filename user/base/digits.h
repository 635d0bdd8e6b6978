/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* digits.h - numbers as text, where there are too many of them for printf(3). */
#ifndef BASE_DIGITS_H
#define BASE_DIGITS_H

#include <stddef.h>
#include <stdint.h>

/* Of any number: a count of 64 bits, or as seconds, with nine digits and a point more. */
#define CTD_DIGITS_BYTES 32

/* Writes a number, without a NUL. @return its bytes. */
size_t ctd_digits_count(char digits[CTD_DIGITS_BYTES], uint64_t count);
/* As seconds, to the nanosecond: "1.5", "0.000000001". */
size_t ctd_digits_seconds(char digits[CTD_DIGITS_BYTES], uint64_t ns);
/* With ten significant digits; it is finite. */
size_t ctd_digits_real(char digits[CTD_DIGITS_BYTES], double value);

#endif
