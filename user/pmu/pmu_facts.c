/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* pmu_facts.c - what sysfs tells of one core PMU. */
#include "pmu/pmu_facts.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "base/num.h"
#include "base/root.h"

#define DEVICES "/sys/bus/event_source/devices"

static const char *const slots_names[] = {"slots", NULL};
static const char *const level1_names[] = {"topdown-retiring", "topdown-bad-spec",
					   "topdown-fe-bound", "topdown-be-bound", NULL};
static const char *const level2_names[] = {"topdown-heavy-ops", "topdown-br-mispredict",
					   "topdown-fetch-lat", "topdown-mem-bound", NULL};

/* @return 1 and the text, 0 if the file is not there, or negative errno, logged. */
static int read_if_there(char *ret_text, size_t bytes, const char *path)
{
	ssize_t got = ctd_root_read(ret_text, bytes, "%s", path);

	if (got == -ENOENT || got == -ENOTDIR)
		return 0;
	if (got < 0)
		return ctd_log_error((int)got, "read '%s%s'", ctd_root(), path);
	return 1;
}

/* Same, for an integer of a sane size. A file with other content counts as not there. */
static int read_integer_if_there(long long *ret_value, const char *path)
{
	char text[32];
	int there = read_if_there(text, sizeof(text), path);

	if (there != 1)
		return there;
	return ctd_parse_integer(text, INT_MIN, UINT32_MAX, ret_value) == 0;
}

/* Whether the PMU offers every event of @p names, which end with NULL. @return 0 or negative errno.
 */
static int have_events(const char *pmu, const char *const *names, bool *ret_have)
{
	for (; *names; names++) {
		char path[256], text[256];
		int there;

		snprintf(path, sizeof(path), DEVICES "/%s/events/%s", pmu, *names);
		there = read_if_there(text, sizeof(text), path);
		if (there < 0)
			return there;
		if (!there) {
			*ret_have = false;
			return 0;
		}
	}
	*ret_have = true;
	return 0;
}

/* Takes the PMU called @p name, if it is there. @return 0 or negative errno. */
static int take_core_pmu(struct ctd_pmu_facts *facts, const char *name)
{
	char path[256];
	long long type;
	int there;

	snprintf(path, sizeof(path), DEVICES "/%s/type", name);
	there = read_integer_if_there(&type, path);
	if (there != 1)
		return there;
	facts->core_pmu = true;
	facts->type = (uint32_t)type;
	snprintf(facts->pmu_name, sizeof(facts->pmu_name), "%s", name);
	return 0;
}

int ctd_facts_read_pmu(struct ctd_pmu_facts *facts, const char *name)
{
	char path[256];
	int err = take_core_pmu(facts, name);

	if (err || !facts->core_pmu)
		return err;
	snprintf(path, sizeof(path), DEVICES "/%s/caps/pmu_name", facts->pmu_name);
	err = read_if_there(facts->caps_name, sizeof(facts->caps_name), path);
	if (err < 0)
		return err;
	err = have_events(facts->pmu_name, slots_names, &facts->slots);
	if (!err)
		err = have_events(facts->pmu_name, level1_names, &facts->level1);
	if (!err)
		err = have_events(facts->pmu_name, level2_names, &facts->level2);
	return err;
}

static int read_sysctls(struct ctd_pmu_facts *facts)
{
	long long value = 0;
	int err;

	err = read_integer_if_there(&value, "/proc/sys/kernel/nmi_watchdog");
	if (err < 0)
		return err;
	facts->nmi_watchdog = err == 1 && value == 1;

	facts->perf_event_paranoid = -2;
	err = read_integer_if_there(&value, "/proc/sys/kernel/perf_event_paranoid");
	if (err < 0)
		return err;
	if (err == 1)
		facts->perf_event_paranoid = (int)value;
	return 0;
}

static int read_smt(struct ctd_pmu_facts *facts)
{
	long long active = 0;
	int there = read_integer_if_there(&active, "/sys/devices/system/cpu/smt/active");

	facts->smt = there == 1 && active == 1;
	return there < 0 ? there : 0;
}

int ctd_facts_read_system(struct ctd_pmu_facts *facts)
{
	int err = read_sysctls(facts);

	return err ? err : read_smt(facts);
}
