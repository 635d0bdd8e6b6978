/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* cpuinfo.c - which x86 processors /proc/cpuinfo has. */
#include "pmu/pmu_facts.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/log.h"
#include "base/num.h"
#include "base/root.h"

/* A processor has some 2 KB. */
#define BYTES_MAX ((size_t)16 << 20)

/* The paragraph of one processor. */
struct paragraph {
	unsigned int cpu;
	struct ctd_cpu_id id;
};

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

/* It is printed as it is: control characters do not belong into it. */
static void take_title(struct ctd_pmu_facts *facts, const char *value)
{
	snprintf(facts->cpu_title, sizeof(facts->cpu_title), "%s", value);
	for (char *at = facts->cpu_title; *at; at++)
		if (*at < ' ' || *at > '~') /* also where char has no sign */
			*at = '?';
}

/* One line, "key\t: value". It is modified. */
static void take_line(struct ctd_pmu_facts *facts, struct paragraph *paragraph, char *line)
{
	char *colon = strchr(line, ':');
	const char *value;

	if (!colon)
		return;
	value = colon + 1 + strspn(colon + 1, " \t");
	while (colon > line && (colon[-1] == '\t' || colon[-1] == ' '))
		colon--;
	*colon = '\0';

	if (strcmp(line, "processor") == 0)
		take_number(&paragraph->cpu, value);
	else if (strcmp(line, "vendor_id") == 0)
		snprintf(facts->vendor, sizeof(facts->vendor), "%s", value);
	else if (strcmp(line, "cpu family") == 0)
		take_number(&paragraph->id.family, value);
	else if (strcmp(line, "model") == 0)
		take_number(&paragraph->id.model, value);
	else if (strcmp(line, "stepping") == 0)
		take_number(&paragraph->id.stepping, value);
	else if (strcmp(line, "model name") == 0)
		take_title(facts, value);
	else if (strcmp(line, "flags") == 0)
		facts->hypervisor = has_word(value, "hypervisor");
}

static void end_paragraph(struct ctd_pmu_facts *facts, struct paragraph *paragraph,
			  struct ctd_cpu_id *ids)
{
	if (!facts->id.family)
		facts->id = paragraph->id;
	if (paragraph->cpu < CTD_CPUS_MAX)
		ids[paragraph->cpu] = paragraph->id;
	*paragraph = (struct paragraph){.cpu = UINT_MAX};
}

/* arm64 has none of these lines. */
int ctd_cpuinfo_read(struct ctd_pmu_facts *facts, struct ctd_cpu_id ret_ids[CTD_CPUS_MAX])
{
	struct paragraph paragraph = {.cpu = UINT_MAX};
	char path[CTD_PATH_MAX];
	autofree char *text = NULL;
	char *rest, *line;
	size_t bytes;
	int err = ctd_root_path(path, "/proc/cpuinfo");

	memset(ret_ids, 0, CTD_CPUS_MAX * sizeof(*ret_ids));
	if (err)
		return ctd_log_error(err, "/proc/cpuinfo below '%s'", ctd_root());
	err = ctd_read_file(path, BYTES_MAX, &text, &bytes);
	if (err)
		return err == -ENOENT ? 0 : ctd_log_error(err, "read '%s'", path);
	rest = text;
	while ((line = strsep(&rest, "\n"))) {
		if (*line)
			take_line(facts, &paragraph, line);
		else
			end_paragraph(facts, &paragraph, ret_ids);
	}
	end_paragraph(facts, &paragraph, ret_ids);
	return 0;
}
