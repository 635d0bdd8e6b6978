/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* cpu_id.c - holds a processor's id against the patterns of vendors' maps. */
#include "vendor/cpu_id.h"

#include <cgtopdown/vendor.h>
#include <regex.h>
#include <stdio.h>
#include <string.h>

#include "vendor/fields.h"

#define PATTERN_BYTES_MAX 128
/* perf's and Intel's maps have one at most. */
#define REPETITIONS_MAX 4
#define WHOLE_DASHES 3 /* vendor-family-model-stepping */

/* Neither references nor counted repetition, which may take any time and memory; nor many of the
 * others: each may double what is repeated in it. */
static bool is_plain(const char *pattern)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789-_.:[]()|+*";
	int repetitions = 0;

	for (const char *at = pattern; *at; at++)
		repetitions += *at == '+' || *at == '*';
	return strlen(pattern) < PATTERN_BYTES_MAX && !pattern[strspn(pattern, allowed)] &&
	       repetitions <= REPETITIONS_MAX;
}

static int dashes(const char *text)
{
	int count = 0;

	for (; *text; text++)
		count += *text == '-';
	return count;
}

/* One dash may be of a range in brackets: [5-9]. */
static int pattern_dashes(const char *pattern)
{
	int count = 0, brackets = 0;

	for (; *pattern; pattern++) {
		brackets += (*pattern == '[') - (*pattern == ']');
		count += *pattern == '-' && brackets <= 0;
	}
	return count;
}

static bool matches_whole(const char *pattern, const char *text)
{
	regmatch_t match;
	regex_t regex;
	bool whole;

	if (!is_plain(pattern) || regcomp(&regex, pattern, REG_EXTENDED))
		return false;
	whole = regexec(&regex, text, 1, &match, 0) == 0 && match.rm_so == 0 && !text[match.rm_eo];
	regfree(&regex);
	return whole;
}

bool ctd_vendor_midr(const char *id, uint64_t *ret_midr)
{
	return strncmp(id, "0x", 2) == 0 && ctd_vendor_number(id, strlen(id), ret_midr) == 0 &&
	       !(*ret_midr >> 32);
}

static bool same_arm_core(uint64_t least, uint64_t midr)
{
	return ctd_midr_implementer(least) == ctd_midr_implementer(midr) &&
	       ctd_midr_part(least) == ctd_midr_part(midr) &&
	       ctd_midr_revision(midr) >= ctd_midr_revision(least);
}

bool ctd_vendor_cpu_matches(const char *pattern, const char *id)
{
	char text[sizeof(((struct ctd_vendor_cpu *)NULL)->id)];
	uint64_t least, midr;

	if (ctd_vendor_midr(id, &midr))
		return ctd_vendor_midr(pattern, &least) && same_arm_core(least, midr);
	snprintf(text, sizeof(text), "%s", id);
	if (pattern_dashes(pattern) < WHOLE_DASHES && dashes(text) == WHOLE_DASHES)
		*strrchr(text, '-') = 0;
	return matches_whole(pattern, text);
}

void ctd_vendor_cpu_of(const struct ctd_pmu_facts *facts, struct ctd_vendor_cpu *ret_cpu)
{
	const struct ctd_cpu_id *id = &facts->id;
	struct ctd_vendor_cpu cpu = {0};
	bool hybrid = strncmp(facts->pmu_name, "cpu_", 4) == 0;

	if (strcmp(facts->vendor, "arm") == 0)
		snprintf(cpu.id, sizeof(cpu.id), "0x00000000%02x%xf%03x%x", id->family & 0xff,
			 id->stepping >> 4 & 0xf, id->model & 0xfff, id->stepping & 0xf);
	else
		snprintf(cpu.id, sizeof(cpu.id), "%s-%u-%X-%X", facts->vendor, id->family,
			 id->model, id->stepping);
	if (hybrid)
		snprintf(cpu.pmu, sizeof(cpu.pmu), "%.*s", (int)sizeof(cpu.pmu) - 1,
			 facts->pmu_name);
	*ret_cpu = cpu;
}
