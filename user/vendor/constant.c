/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* constant.c - what formulas know of a machine beside its counts. */
#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/num.h"
#include "base/root.h"
#include "vendor/reference.h"

#define LIST_BYTES 16384

#define AT(field) offsetof(struct ctd_vendor_machine, field)
#define NOWHERE SIZE_MAX

/* The value is `factor` times what is in the field, and `more`. Nobody asks for parts of a machine
 * but beside events of other PMUs: what is nowhere stays unknown. */
static const struct {
	const char *name;
	size_t field;
	double factor, more;
} constants[] = {
	{"#SMT_on", AT(smt), 1, 0},
	{"#HYPERTHREADING_ON", AT(smt), 1, 0},
	{"#THREADS_PER_CORE", AT(smt), 1, 1},
	/* Counts are of one thread of a core, wherever there are two. */
	{"#core_wide", AT(smt), -1, 1},
	{"#slots", AT(slots), 1, 0},
	{"#SYSTEM_TSC_FREQ", AT(tsc_hz), 1, 0},
	{"#has_pmem", AT(persistent_memory), 1, 0},
	{"#num_cpus", AT(cpus), 1, 0},
	{"#num_cpus_online", AT(cpus), 1, 0},
	{"#num_cores", NOWHERE, 0, 0},
	{"#num_dies", NOWHERE, 0, 0},
	{"#num_packages", NOWHERE, 0, 0},
	{"#SOCKET_COUNT", NOWHERE, 0, 0},
	{"#CHAS_PER_SOCKET", NOWHERE, 0, 0},
	{"#CORES_PER_SOCKET", NOWHERE, 0, 0},
	{"socket_count", NOWHERE, 0, 0},
	{"system.socket_count", NOWHERE, 0, 0},
	{"system.sockets[0].cpus.count", NOWHERE, 0, 0},
};

static const struct {
	const char *name;
	enum ctd_reference_kind kind;
} times[] = {
	{"duration_time", CTD_REFERENCE_SECONDS},
	{"DURATIONTIMEINSECONDS", CTD_REFERENCE_SECONDS},
	{"#DURATIONTIMEINMILLISECONDS", CTD_REFERENCE_MILLISECONDS},
};

static double field_of(const struct ctd_vendor_machine *machine, size_t offset)
{
	double value;

	memcpy(&value, (const char *)machine + offset, sizeof(value));
	return value;
}

bool ctd_reference_find_constant(const struct ctd_vendor_machine *machine, const char *name,
				 struct ctd_reference *ret_reference)
{
	struct ctd_reference found = {.kind = CTD_REFERENCE_NUMBER, .number = NAN};

	for (size_t i = 0; i < sizeof(times) / sizeof(*times); i++) {
		if (strcmp(times[i].name, name) == 0) {
			found.kind = times[i].kind;
			*ret_reference = found;
			return true;
		}
	}
	for (size_t i = 0; i < sizeof(constants) / sizeof(*constants); i++) {
		if (strcmp(constants[i].name, name) != 0)
			continue;
		if (constants[i].field != NOWHERE)
			found.number = constants[i].factor * field_of(machine, constants[i].field) +
				       constants[i].more;
		*ret_reference = found;
		return true;
	}
	return false;
}

struct ctd_vendor_machine ctd_vendor_machine_unknown(void)
{
	return (struct ctd_vendor_machine){NAN, NAN, NAN, NAN, 0};
}

static double read_cpus(void)
{
	autofree bool *set = calloc(CTD_CPUS_MAX, sizeof(*set));
	char text[LIST_BYTES];
	ssize_t bytes = ctd_root_read(text, sizeof(text), "/sys/devices/system/cpu/online");
	int count = 0;

	if (!set || bytes < 0 || ctd_parse_cpu_list(text, (size_t)bytes, set, CTD_CPUS_MAX))
		return NAN;
	for (int i = 0; i < CTD_CPUS_MAX; i++)
		count += set[i] ? 1 : 0;
	return count;
}

/* Intel's processors have it in their name: "... CPU @ 2.70GHz". */
static double read_tsc_hz(const struct ctd_pmu_facts *facts)
{
	const char *at = strstr(facts->cpu_title, "@ ");
	char *end;
	double ghz = at ? strtod(at + 2, &end) : 0;

	return at && ghz > 0 && strcmp(end, "GHz") == 0 ? ghz * 1e9 : NAN;
}

void ctd_vendor_machine_read(const struct ctd_pmu_facts *facts,
			     struct ctd_vendor_machine *ret_machine)
{
	char table[1];

	*ret_machine = (struct ctd_vendor_machine){
		.smt = facts->smt,
		.slots = facts->slots_per_cycle ? (double)facts->slots_per_cycle : NAN,
		.tsc_hz = read_tsc_hz(facts),
		.cpus = read_cpus(),
		/* A table of firmware is there for it; it does not fit, or is not to be read. */
		.persistent_memory = ctd_root_read(table, sizeof(table),
						   "/sys/firmware/acpi/tables/NFIT") != -ENOENT,
	};
}
