/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* weights.h - the figures of a profile, one after the other. Private to user/profile_sink/. */
#ifndef PROFILE_SINK_WEIGHTS_H
#define PROFILE_SINK_WEIGHTS_H

#include <cgtopdown/profile_sink.h>
#include <stdint.h>

#define CTD_WEIGHTS_MAX (3 + CTD_NODES_MAX)

/* Are its samples of an event? Then it has these and the event, and no other figures. */
static inline bool ctd_profile_has_event(const struct ctd_profile *profile)
{
	return *profile->stacks->event.name;
}

/* All figures that the profile has: samples, CPU time, slots, nodes. @return how many. */
int ctd_weights_list(const struct ctd_profile *profile, struct ctd_weight *ret_weights);
/* "samples", "cpu", "slots", "memory_bound". */
const char *ctd_weight_name(const struct ctd_profile *profile, const struct ctd_weight *weight);
/* "count", "nanoseconds", "slots". */
const char *ctd_weight_unit(const struct ctd_weight *weight);
uint64_t ctd_weight_of(const struct ctd_weight *weight, const struct ctd_profile_stack *stack);
/* Of all stacks of the row. */
uint64_t ctd_weight_of_row(const struct ctd_weight *weight, const struct ctd_profile_row *row);
/* Does the row tell the weight of its stacks? Where it did not run there is none to tell. */
bool ctd_weight_is_told(const struct ctd_weight *weight, const struct ctd_profile_row *row);
/* What is looked at: as wished, else the event, slots, or CPU time. */
struct ctd_weight ctd_weight_chosen(const struct ctd_profile_sink_options *options,
				    const struct ctd_profile *profile);

/* What figures of the base are multiplied by; 1 without one. */
double ctd_weight_base_scale(const struct ctd_profile_sink_options *options,
			     const struct ctd_profile *profile);
/* Of a stack of the base, scaled. */
uint64_t ctd_weight_scaled(uint64_t value, double scale);

/* The name by which people know the row, with its core type where there are several; the caller's.
 * NULL without memory. */
char *ctd_profile_row_name(const struct ctd_profile *profile, const struct ctd_profile_row *row);

/* That of a row of either: those of the base, which may be NULL, are counted behind the profile's. */
char *ctd_profile_row_name_of(const struct ctd_profile *profile, const struct ctd_profile *base,
			      size_t row);
/* (*ret_same)[i] is the first row that belongs to the same container as row i does, by namespace,
 * pod and name, or else to the same cgroup: a container that was restarted has several. Rows are
 * counted as above. *ret_same: free(3). @return 0 or -ENOMEM. */
int ctd_profile_match_rows(const struct ctd_profile *profile, const struct ctd_profile *base,
			   uint32_t **ret_same);

/* The functions of a stack, from the innermost. */
static inline const uint32_t *ctd_profile_frames(const struct ctd_profile *profile,
						 const struct ctd_profile_stack *stack,
						 size_t *ret_count)
{
	const struct ctd_trace *trace = &profile->stacks->traces[stack->trace];

	*ret_count = trace->frames_count;
	return &profile->stacks->frames[trace->first];
}

#endif
