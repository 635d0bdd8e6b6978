/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* find.c - looks for vendors' maps and specifications below a directory. */
#include "vendor/find.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/auto.h"
#include "base/root.h"
#include "vendor/arm.h"
#include "vendor/cpu_id.h"

/* A clone of all of Linux has more; its folder tools/perf/pmu-events/arch has some 2,000. */
#define ENTRIES_MAX 20000
#define MAP_BYTES_MAX ((size_t)1 << 20)
/* A specification says which core it is of at its beginning. */
#define HEAD_BYTES 8192

struct search {
	const struct ctd_vendor_cpu *cpu;
	struct ctd_vendor_files *files;
	char *why;
	size_t entries;
	uint64_t midr; /* 0: it is no Arm core */
	char *best; /* owned; the specification that fits best */
	uint64_t best_revision;
};

static int read_map(struct search *search, const char *path)
{
	autofree char *text = NULL;
	size_t bytes;
	int r = ctd_read_file(path, MAP_BYTES_MAX, &text, &bytes);

	if (r == -ENOMEM)
		return r;
	if (r)
		return 0;
	search->files->maps_count++;
	return ctd_vendor_map_read(search->files, path, text, search->cpu);
}

/* Cores of others that are one of Arm's (its own midr-mapping.json has them so): implementer, part,
 * and what Arm's file has. */
static const struct {
	uint64_t implementer, part, arm_part;
} same_cores[] = {
	{0x6d, 0xd49, 0xd49}, /* Azure Cobalt 100: Neoverse N2 */
	{0x41, 0xd83, 0xd84}, /* Neoverse V3AE: V3 */
	{0x41, 0xd84, 0xd83},
};

static bool is_of(const struct ctd_vendor_product *product, uint64_t midr)
{
	uint64_t implementer = ctd_midr_implementer(midr), part = ctd_midr_part(midr);

	if (product->implementer == implementer && product->part == part)
		return true;
	for (size_t i = 0; i < sizeof(same_cores) / sizeof(*same_cores); i++)
		if (same_cores[i].implementer == implementer && same_cores[i].part == part &&
		    product->implementer == 0x41 && product->part == same_cores[i].arm_part)
			return true;
	return false;
}

/* The newest that is no newer than the core; where all are newer, the oldest. */
static bool fits_better(const struct search *search, uint64_t revision)
{
	uint64_t own = ctd_midr_revision(search->midr), best = search->best_revision;

	if (!search->best)
		return true;
	if ((revision <= own) != (best <= own))
		return revision <= own;
	return revision <= own ? revision > best : revision < best;
}

static int read_head(const char *path, char *ret_text, size_t bytes)
{
	autoclose int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	ssize_t got = fd < 0 ? -1 : TEMP_FAILURE_RETRY(read(fd, ret_text, bytes - 1));

	if (got < 0)
		return -errno;
	ret_text[got] = 0;
	return (int)got;
}

static int look_at_specification(struct search *search, const char *path)
{
	struct ctd_vendor_product product;
	char head[HEAD_BYTES];
	int bytes = read_head(path, head, sizeof(head));

	if (bytes <= 0 || !strstr(head, "\"product_configuration\"") ||
	    ctd_vendor_arm_product(head, (size_t)bytes, &product) || !is_of(&product, search->midr))
		return 0;
	search->files->maps_count++;
	if (!fits_better(search, product.revision))
		return 0;
	free(search->best);
	search->best = strdup(path);
	search->best_revision = product.revision;
	return search->best ? 0 : -ENOMEM;
}

static bool ends_with(const char *name, const char *end)
{
	size_t bytes = strlen(name), end_bytes = strlen(end);

	return bytes >= end_bytes && strcmp(name + bytes - end_bytes, end) == 0;
}

static int look_at(struct search *search, const FTSENT *entry)
{
	if (++search->entries > ENTRIES_MAX) {
		snprintf(
			search->why, CTD_VENDOR_WHY_BYTES,
			"more than %d files are below it: name the folder of the vendor's files itself, such as tools/perf/pmu-events/arch",
			ENTRIES_MAX);
		return -E2BIG;
	}
	if (entry->fts_info != FTS_F)
		return 0;
	if (strcmp(entry->fts_name, "mapfile.csv") == 0)
		return read_map(search, entry->fts_path);
	if (search->midr && ends_with(entry->fts_name, ".json"))
		return look_at_specification(search, entry->fts_path);
	return 0;
}

static int by_name(const FTSENT **a, const FTSENT **b)
{
	return strcmp((*a)->fts_name, (*b)->fts_name);
}

static bool is_hidden(const FTSENT *entry)
{
	return entry->fts_level > 0 && entry->fts_name[0] == '.';
}

static int walk(struct search *search, FTS *tree)
{
	FTSENT *entry;
	int r = 0;

	while (r == 0 && (entry = fts_read(tree))) {
		/* .git, and what Kubernetes has beside a volume's files. */
		if (entry->fts_info == FTS_D && is_hidden(entry))
			fts_set(tree, entry, FTS_SKIP);
		else if (entry->fts_level == 0 && entry->fts_info != FTS_D &&
			 entry->fts_info != FTS_DP)
			r = -(entry->fts_errno ? entry->fts_errno : ENOTDIR);
		else if (entry->fts_info != FTS_DP)
			r = look_at(search, entry);
	}
	if (r && r != -ENOMEM && !*search->why)
		snprintf(search->why, CTD_VENDOR_WHY_BYTES, "%s", strerror(-r));
	return r;
}

static int by_kind(const void *a, const void *b)
{
	const struct ctd_vendor_file *one = a, *other = b;

	if (one->kind != other->kind)
		return one->kind < other->kind ? -1 : 1;
	if (one->format != other->format)
		return one->format < other->format ? -1 : 1;
	return strcmp(one->path, other->path);
}

int ctd_vendor_files_find(const char *directory, const struct ctd_vendor_cpu *cpu,
			  struct ctd_vendor_files *ret_files, char ret_why[CTD_VENDOR_WHY_BYTES])
{
	char *const roots[] = {(char *)directory, NULL};
	struct ctd_vendor_files files = {0};
	struct search search = {.cpu = cpu, .files = &files, .why = ret_why};
	FTS *tree = fts_open(roots, FTS_LOGICAL | FTS_NOCHDIR, by_name);
	int r;

	*ret_why = 0;
	if (!tree)
		return -errno;
	if (!ctd_vendor_midr(cpu->id, &search.midr))
		search.midr = 0;
	r = walk(&search, tree);
	fts_close(tree);
	if (r == 0 && search.best)
		r = ctd_vendor_files_add(&files, CTD_VENDOR_ARM, CTD_VENDOR_BOTH,
					 take_ptr(search.best));
	free(search.best);
	if (r) {
		ctd_vendor_files_free(&files);
		return r;
	}
	if (files.count)
		qsort(files.files, files.count, sizeof(*files.files), by_kind);
	*ret_files = files;
	return 0;
}
