/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* arm.c - reads what sysfs tells of an arm64 machine's core PMU and processor. */
#include "pmu/arm.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/log.h"
#include "base/num.h"
#include "base/root.h"

#define DEVICES "/sys/bus/event_source/devices"
#define MIDR "/sys/devices/system/cpu/cpu%lld/regs/identification/midr_el1"

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

/* Where cores differ there is a PMU for each kind: then the first by name, to be the same each
 * time. */
int ctd_arm_core_pmu_find(char *ret_name, size_t bytes)
{
	char path[CTD_PATH_MAX];
	const struct dirent *entry;
	int err = ctd_root_path(path, DEVICES);
	DIR *devices;

	if (err)
		return ctd_log_error(err, DEVICES " below '%s'", ctd_root());
	ret_name[0] = '\0';
	devices = opendir(path);
	if (!devices)
		return errno == ENOENT || errno == ENOTDIR
			       ? 0
			       : ctd_log_error(-errno, "open '%s'", path);
	while ((entry = readdir(devices))) {
		if (strlen(entry->d_name) < bytes && is_core_pmu(entry->d_name) &&
		    (!*ret_name || strcmp(entry->d_name, ret_name) < 0))
			strcpy(ret_name, entry->d_name);
	}
	closedir(devices);
	return 0;
}

/* Of the PMU's CPUs, "4-7": others may be of another kind, and a CPU that is offline has no MIDR. */
static long long first_cpu(const char *pmu)
{
	char text[CTD_PATH_MAX];
	long long cpu;

	if (ctd_root_read(text, sizeof(text), DEVICES "/%s/cpus", pmu) <= 0)
		return 0;
	text[strcspn(text, "-,")] = '\0';
	return ctd_parse_integer(text, 0, INT_MAX, &cpu) ? 0 : cpu;
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
 * Manual). Variant and revision are the stepping, r1p2 being 0x12.
 */
static int read_midr(struct ctd_pmu_facts *facts)
{
	long long cpu = first_cpu(facts->pmu_name);
	unsigned long midr;
	char text[32];
	ssize_t got = ctd_root_read(text, sizeof(text), MIDR, cpu);

	if (got == -ENOENT || got == -ENOTDIR || got == -EFBIG)
		return 0;
	if (got < 0)
		return ctd_log_error((int)got, "read MIDR_EL1 of cpu %lld below '%s'", cpu,
				     ctd_root());
	if (!parse_midr(text, &midr))
		return 0;
	snprintf(facts->vendor, sizeof(facts->vendor), "arm");
	facts->id.family = midr >> 24 & 0xff;
	facts->id.model = midr >> 4 & 0xfff;
	facts->id.stepping = (midr >> 20 & 0xf) << 4 | (midr & 0xf);
	return 0;
}

/* PMMIR_EL1.SLOTS, 0 where the core does not tell, as N1, or a hypervisor hides it. */
static void read_slots(struct ctd_pmu_facts *facts)
{
	long long slots;

	if (ctd_root_read_integer(&slots, DEVICES "/%s/caps/slots", facts->pmu_name) == 0 &&
	    slots > 0 && slots <= UINT8_MAX)
		facts->slots_per_cycle = (int)slots;
}

int ctd_arm_processor_read(struct ctd_pmu_facts *facts)
{
	if (facts->core_pmu)
		read_slots(facts);
	return read_midr(facts);
}
