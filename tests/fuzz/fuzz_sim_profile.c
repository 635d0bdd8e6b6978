/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* fuzz_sim_profile.c - no text crashes the profile parser, and what it accepts keeps its promises. */
#include <cgtopdown/counters.h>

#include <assert.h>
#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

static void check_profile(const __u32 *parts)
{
	assert(parts[0] == CTD_SIM_PARTS_WHOLE);
	assert(parts[1] + parts[2] + parts[3] + parts[4] == CTD_SIM_PARTS_WHOLE);
	for (int i = 1; i <= 4; i++)
		assert(parts[i] <= CTD_SIM_PARTS_WHOLE && parts[i + 4] <= parts[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	struct ctd_sim_profiles profiles;
	char why[128] = "";
	int line = 0;

	if (ctd_sim_profiles_parse((const char *)data, bytes, &profiles, &line, why)) {
		assert(line >= 1 && why[0] && memchr(why, '\0', sizeof(why)));
		return 0;
	}
	for (size_t i = 0; i < profiles.count; i++) {
		assert(profiles.entries[i].comm[0]);
		assert(memchr(profiles.entries[i].comm, '\0', CTD_COMM_BYTES));
		check_profile(profiles.entries[i].profile.parts);
	}
	ctd_sim_profiles_free(&profiles);
	return 0;
}
