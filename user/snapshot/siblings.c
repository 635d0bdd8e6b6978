/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* siblings.c - adds up and compares what rows did beside other hardware threads. */
#include <cgtopdown/siblings.h>

#include <math.h>

void ctd_beside_add(struct ctd_beside *to, const struct ctd_beside *from)
{
	if (!from->known)
		return;
	to->known = true;
	to->slots_known |= from->slots_known;
	for (int i = 0; i < CTD_SIBLINGS; i++) {
		to->parts[i].cpu_ns += from->parts[i].cpu_ns;
		to->parts[i].slots += from->parts[i].slots;
		to->parts[i].retired_slots += from->parts[i].retired_slots;
		to->parts[i].counted_ns += from->parts[i].counted_ns;
	}
}

static double retired_per_ns(const struct ctd_beside_part *part)
{
	return part->counted_ns ? (double)part->retired_slots / (double)part->counted_ns : NAN;
}

double ctd_beside_speed(const struct ctd_beside *smt)
{
	double alone = retired_per_ns(&smt->parts[CTD_SIBLING_IDLE]);

	if (!smt->slots_known || !(alone > 0))
		return NAN;
	return retired_per_ns(&smt->parts[CTD_SIBLING_OTHER]) / alone;
}

const char *ctd_sibling_name(enum ctd_sibling sibling)
{
	static const char *const names[CTD_SIBLINGS] = {
		[CTD_SIBLING_IDLE] = "idle",
		[CTD_SIBLING_SAME] = "same",
		[CTD_SIBLING_OTHER] = "other",
		[CTD_SIBLING_MIXED] = "mixed",
	};

	return names[sibling];
}
