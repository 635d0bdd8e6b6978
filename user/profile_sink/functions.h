/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* functions.h - what the innermost functions of rows' stacks have. Private to
 * user/profile_sink/. */
#ifndef PROFILE_SINK_FUNCTIONS_H
#define PROFILE_SINK_FUNCTIONS_H

#include <cgtopdown/profile_sink.h>
#include <stdint.h>

struct ctd_profile_function {
	uint32_t function; /* index into the stacks' functions: a whole one */
	uint32_t place; /* of its places, that with the largest weight */
	uint64_t place_weight;
	uint64_t weight; /* what they are sorted by */
	uint64_t whole; /* slots, or CPU time where slots are not known */
	uint64_t samples;
};

/* Of these rows together each function once, with all of its places, the largest weight first.
 * *ret_functions: free(3).
 * @return 0 or -ENOMEM. */
int ctd_profile_functions(const struct ctd_profile *profile, const struct ctd_profile_row *rows,
			  size_t rows_count, const struct ctd_weight *weight,
			  struct ctd_profile_function **ret_functions, size_t *ret_count);

#endif
