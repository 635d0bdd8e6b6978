/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* facts.c - what sysfs and procfs tell of this machine's core PMU and processor. */
#include <cgtopdown/counters.h>

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/log.h"
#include "base/num.h"
#include "base/root.h"
#include "pmu/arm.h"

#define DEVICES "/sys/bus/event_source/devices"

/* "cpu" is x86 with one kind of core, "cpu_core" the P-cores of a hybrid one. */
static const char *const x86_pmu_names[] = {"cpu", "cpu_core", NULL};

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

static int find_core_pmu(struct ctd_pmu_facts *facts)
{
	char arm_name[sizeof(facts->pmu_name)];
	int err = 0;

	for (const char *const *name = x86_pmu_names; *name && !err && !facts->core_pmu; name++)
		err = take_core_pmu(facts, *name);
	if (err || facts->core_pmu)
		return err;
	err = ctd_arm_core_pmu_find(arm_name, sizeof(arm_name));
	return err || !*arm_name ? err : take_core_pmu(facts, arm_name);
}

static int read_core_pmu(struct ctd_pmu_facts *facts)
{
	char path[256];
	int err = find_core_pmu(facts);

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

/* Whether the blank-separated @p list has the word @p word. */
static bool has_word(const char *list, const char *word)
{
	size_t bytes = strlen(word);

	for (const char *at = strstr(list, word); at; at = strstr(at + bytes, word)) {
		if ((at == list || at[-1] == ' ') && (at[bytes] == ' ' || at[bytes] == '\0'))
			return true;
	}
	return false;
}

static void take_number(unsigned int *number, const char *text)
{
	long long value;

	if (ctd_parse_integer(text, 0, UINT_MAX, &value) == 0)
		*number = (unsigned int)value;
}

/* One line of /proc/cpuinfo, "key\t: value". It is modified. */
static void take_cpuinfo_line(struct ctd_pmu_facts *facts, char *line)
{
	char *colon = strchr(line, ':');
	const char *value;

	if (!colon)
		return;
	value = colon + 1 + strspn(colon + 1, " \t");
	while (colon > line && (colon[-1] == '\t' || colon[-1] == ' '))
		colon--;
	*colon = '\0';

	if (strcmp(line, "vendor_id") == 0)
		snprintf(facts->vendor, sizeof(facts->vendor), "%s", value);
	else if (strcmp(line, "cpu family") == 0)
		take_number(&facts->id.family, value);
	else if (strcmp(line, "model") == 0)
		take_number(&facts->id.model, value);
	else if (strcmp(line, "stepping") == 0)
		take_number(&facts->id.stepping, value);
	else if (strcmp(line, "model name") == 0)
		snprintf(facts->cpu_title, sizeof(facts->cpu_title), "%s", value);
	else if (strcmp(line, "flags") == 0)
		facts->hypervisor = has_word(value, "hypervisor");
}

/* The first processor stands for all; the file has a paragraph for each. arm64 has none of these
 * lines. */
static int read_cpuinfo(struct ctd_pmu_facts *facts)
{
	char path[CTD_PATH_MAX];
	autofclose FILE *file = NULL;
	autofree char *line = NULL;
	size_t capacity = 0;
	int err = ctd_root_path(path, "/proc/cpuinfo");

	if (err)
		return ctd_log_error(err, "/proc/cpuinfo below '%s'", ctd_root());
	file = fopen(path, "re");
	if (!file)
		return errno == ENOENT ? 0 : ctd_log_error(-errno, "open '%s'", path);
	while (getline(&line, &capacity, file) > 0 && line[0] != '\n') {
		line[strcspn(line, "\n")] = '\0';
		take_cpuinfo_line(facts, line);
	}
	if (ferror(file))
		return ctd_log_error(-EIO, "read '%s'", path);
	return 0;
}

static int read_smt(struct ctd_pmu_facts *facts)
{
	long long active = 0;
	int there = read_integer_if_there(&active, "/sys/devices/system/cpu/smt/active");

	facts->smt = there == 1 && active == 1;
	return there < 0 ? there : 0;
}

int ctd_pmu_facts_read(struct ctd_pmu_facts *ret_facts)
{
	struct ctd_pmu_facts facts = {0};
	int err = read_core_pmu(&facts);

	if (!err)
		err = read_sysctls(&facts);
	if (!err)
		err = read_cpuinfo(&facts);
	if (!err)
		err = ctd_arm_processor_read(&facts);
	if (!err)
		err = read_smt(&facts);
	if (!err)
		*ret_facts = facts;
	return err;
}
