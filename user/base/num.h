/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* num.h - text to numbers and lists of numbers, strictly: the whole text or an error. */
#ifndef BASE_NUM_H
#define BASE_NUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Decimal, no sign but '-', no blanks. @return 0, -EINVAL (not a number) or -ERANGE (outside
 * min..max). */
int ctd_parse_integer(const char *text, long long min, long long max, long long *ret_value);
/* A duration: "100ms", "2s", "250us", "0.5s", or bare seconds. @return 0, -EINVAL or -ERANGE. */
int ctd_parse_duration_ns(const char *text, uint64_t min_ns, uint64_t max_ns, uint64_t *ret_ns);
/* A percentage, "0.5%", in millionths of the whole; what is below one is cut off. @return as
 * above. */
int ctd_parse_percentage_ppm(const char *text, uint64_t min_ppm, uint64_t max_ppm,
			     uint64_t *ret_ppm);
/*
 * The kernel's CPU list, "0-3,8,10-12", also "" (none), with an optional trailing newline. Sets
 * ret_set[i] for each, leaves others false. @return 0, -EINVAL, or -ERANGE for a CPU >= cpus.
 */
int ctd_parse_cpu_list(const char *text, size_t bytes, bool *ret_set, size_t cpus);

#endif
