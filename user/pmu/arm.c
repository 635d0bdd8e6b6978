/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* arm.c - reads what sysfs tells of an arm64 machine's core PMU and processor. */
#include "pmu/arm.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/root.h"

#define DEVICES "/sys/bus/event_source/devices"
#define MIDR "/sys/devices/system/cpu/cpu%d/regs/identification/midr_el1"

/*
 * "armv8_pmuv3_0" with ACPI, "armv8_pmuv3" in a virtual machine with a device tree, on boards the
 * core's name: "armv8_cortex_a72", "armv9_neoverse_n2" (drivers/perf/arm_pmuv3.c). Other PMUs of
 * Arm's are "arm_cmn_0" and the like.
 */
static bool is_core_pmu(const char *name)
{
	char text[CTD_PATH_MAX];

	return strncmp(name, "armv", 4) == 0 && isdigit((unsigned char)name[4]) &&
	       ctd_root_read(text, sizeof(text), DEVICES "/%s/cpus", name) > 0;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* Where cores differ there is a PMU for each core type: by name, to be in the same order each time.
 */
int ctd_arm_core_pmus_find(char ret_names[][CTD_PMU_NAME_BYTES], int most)
{
	char path[CTD_PATH_MAX];
	const struct dirent *entry;
	int err = ctd_root_path(path, DEVICES);
	DIR *devices;
	int count = 0;

	if (err)
		return ctd_log_error(err, DEVICES " below '%s'", ctd_root());
	devices = opendir(path);
	if (!devices)
		return errno == ENOENT || errno == ENOTDIR
			       ? 0
			       : ctd_log_error(-errno, "open '%s'", path);
	while (count < most && (entry = readdir(devices))) {
		if (strlen(entry->d_name) < CTD_PMU_NAME_BYTES && is_core_pmu(entry->d_name))
			strcpy(ret_names[count++], entry->d_name);
	}
	closedir(devices);
	qsort(ret_names, (size_t)count, CTD_PMU_NAME_BYTES, compare_names);
	return count;
}

/* A number in hexadecimal and nothing else, of 32 bits, not 0. */
static bool parse_midr(const char *text, unsigned long *ret_midr)
{
	unsigned long long midr;
	size_t digits;

	if (strncmp(text, "0x", 2) != 0)
		return false;
	digits = strspn(text + 2, "0123456789abcdefABCDEF");
	if (digits < 1 || digits > 16 || text[2 + digits])
		return false;
	midr = strtoull(text + 2, NULL, 16);
	*ret_midr = (unsigned long)midr;
	return midr > 0 && midr <= UINT32_MAX;
}

/*
 * MIDR_EL1: implementer 31:24, variant 23:20, part 15:4, revision 3:0 (Arm Architecture Reference
 * Manual). Variant and revision are the stepping, r1p2 being 0x12. A CPU that is offline has none.
 */
int ctd_arm_id_read(int cpu, struct ctd_cpu_id *ret_id)
{
	unsigned long midr;
	char text[32];
	ssize_t got = ctd_root_read(text, sizeof(text), MIDR, cpu);

	if (got == -ENOENT || got == -ENOTDIR || got == -EFBIG)
		return 0;
	if (got < 0)
		return ctd_log_error((int)got, "read MIDR_EL1 of cpu %d below '%s'", cpu,
				     ctd_root());
	if (!parse_midr(text, &midr))
		return 0;
	*ret_id = (struct ctd_cpu_id){
		.family = midr >> 24 & 0xff,
		.model = midr >> 4 & 0xfff,
		.stepping = (midr >> 20 & 0xf) << 4 | (midr & 0xf),
	};
	return 1;
}

/* PMMIR_EL1.SLOTS, 0 where the core does not tell, as N1, or a hypervisor hides it. */
void ctd_arm_slots_read(struct ctd_pmu_facts *facts)
{
	long long slots;

	if (ctd_root_read_integer(&slots, DEVICES "/%s/caps/slots", facts->pmu_name) == 0 &&
	    slots > 0 && slots <= UINT8_MAX)
		facts->slots_per_cycle = (int)slots;
}

/* "armv8_cortex_a72" is of Cortex-A72; "armv8_pmuv3_0" says nothing. */
void ctd_arm_core_name(const char *pmu, char *ret_name, size_t bytes)
{
	const char *core = strchr(pmu, '_');
	char *at;

	if (!core || strncmp(core, "_pmuv3", 6) == 0) {
		snprintf(ret_name, bytes, "%s", pmu);
		return;
	}
	snprintf(ret_name, bytes, "%s", core + 1);
	ret_name[0] = (char)toupper((unsigned char)ret_name[0]);
	for (at = strchr(ret_name, '_'); at; at = strchr(at, '_')) {
		*at = '-';
		at[1] = (char)toupper((unsigned char)at[1]);
	}
}
