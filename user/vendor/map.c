/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* map.c - reads the files mapfile.csv of perf and of Intel. */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/auto.h"
#include "vendor/cpu_id.h"
#include "vendor/find.h"

#define FIELDS \
	7 /* Family-model,Version,Filename,EventType[,Core Type,Native Model ID,Core Role Name] */

enum field { FIELD_CPU, FIELD_VERSION, FIELD_FILE, FIELD_TYPE, FIELD_ROLE = 6 };

/* What Intel's types of files are for us; all others are not of a core. */
static const struct {
	const char *type;
	enum ctd_vendor_kind kind;
} types[] = {
	{"core", CTD_VENDOR_EVENTS},
	{"hybridcore", CTD_VENDOR_EVENTS},
	{"metrics", CTD_VENDOR_METRICS},
	{"retire latency", CTD_VENDOR_LATENCIES},
};

static const struct {
	const char *role, *pmu;
} roles[] = {{"Core", "cpu_core"}, {"Atom", "cpu_atom"}, {"LowPower_Atom", "cpu_lowpower"}};

static bool is_of_core(const char *role, const struct ctd_vendor_cpu *cpu)
{
	const char *pmu = *cpu->pmu ? cpu->pmu : "cpu_core";

	for (size_t i = 0; i < sizeof(roles) / sizeof(*roles); i++)
		if (strcmp(roles[i].role, role) == 0)
			return strcmp(roles[i].pmu, pmu) == 0;
	return !*role;
}

static bool leads_out(const char *path)
{
	return strstr(path, "..") != NULL;
}

static int add_intels(struct ctd_vendor_files *files, const char *folder, char *const *fields,
		      const struct ctd_vendor_cpu *cpu)
{
	if (!is_of_core(fields[FIELD_ROLE], cpu))
		return 0;
	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++) {
		char *path;

		if (strcasecmp(types[i].type, fields[FIELD_TYPE]) != 0)
			continue;
		if (asprintf(&path, "%s%s", folder, fields[FIELD_FILE]) < 0)
			path = NULL;
		return ctd_vendor_files_add(files, CTD_VENDOR_PERFMON, types[i].kind, path);
	}
	return 0;
}

/* Those of other PMUs are many, and by name. */
static int is_wanted(const struct dirent *entry)
{
	size_t bytes = strlen(entry->d_name);

	return bytes > 5 && strcmp(entry->d_name + bytes - 5, ".json") == 0 &&
	       strncmp(entry->d_name, "uncore", strlen("uncore")) != 0;
}

/* All JSON files of a folder, in order. @return 0, 1: there is no such folder; -ENOMEM. */
static int add_folder(struct ctd_vendor_files *files, enum ctd_vendor_kind kind, const char *folder)
{
	struct dirent **entries;
	int count = scandir(folder, &entries, is_wanted, alphasort), r = 0;

	if (count < 0)
		return errno == ENOMEM ? -ENOMEM : 1;
	for (int i = 0; i < count; i++) {
		char *path;

		if (asprintf(&path, "%s/%s", folder, entries[i]->d_name) < 0)
			path = NULL;
		if (r == 0)
			r = ctd_vendor_files_add(files, CTD_VENDOR_PERF, kind, path);
		else
			free(path);
		free(entries[i]);
	}
	free(entries);
	return r;
}

/* A core's folder, "arm/neoverse-n1"; a copy of some may be without the vendor's: "neoverse-n1". */
static int add_perfs(struct ctd_vendor_files *files, const char *folder, const char *name)
{
	const char *last = strrchr(name, '/');
	char path[PATH_MAX];
	int r = 1;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	r = add_folder(files, CTD_VENDOR_BOTH, path);
	if (r == 1 && last) {
		snprintf(path, sizeof(path), "%s/%s", folder, last + 1);
		r = add_folder(files, CTD_VENDOR_BOTH, path);
	}
	if (r == 0)
		r = add_folder(files, CTD_VENDOR_STANDARD, folder);
	return r == 1 ? 0 : r;
}

int ctd_vendor_map_read(struct ctd_vendor_files *files, const char *path, char *text,
			const struct ctd_vendor_cpu *cpu)
{
	autofree char *folder = strndup(path, (size_t)(strrchr(path, '/') - path));
	bool found = false;
	char *line;
	int r = 0;

	if (!folder)
		return -ENOMEM;
	while (r == 0 && (line = strsep(&text, "\n"))) {
		char nothing[] = "", *fields[FIELDS] = {0};

		line[strcspn(line, "\r")] = 0;
		for (int i = 0; i < FIELDS; i++) {
			fields[i] = strsep(&line, ",");
			if (!fields[i])
				fields[i] = nothing;
		}
		if (*fields[FIELD_CPU] == '#' || leads_out(fields[FIELD_FILE]) ||
		    !ctd_vendor_cpu_matches(fields[FIELD_CPU], cpu->id))
			continue;
		if (*fields[FIELD_FILE] == '/')
			r = add_intels(files, folder, fields, cpu);
		else if (!found && strcmp(fields[FIELD_TYPE], "core") == 0)
			r = add_perfs(files, folder, fields[FIELD_FILE]);
		/* Of perf's lines the first that fits, of Intel's all. */
		found = found || *fields[FIELD_FILE] != '/';
	}
	return r;
}
