/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* vendor.c - what a vendor's metrics cost while they are counted: their memory, their evaluation,
 * and going down their tree. */
#include <cgtopdown/drill.h>
#include <errno.h>
#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/strbuf.h"
#include "vendor/counting.h"
#include "vendor/recorded.h"

#define ROUNDS 41
#define ROWS 1000
#define METRICS 200

static void check(int error, const char *why)
{
	if (!error)
		return;
	fprintf(stderr, "bench/vendor: %s\n", why && *why ? why : strerror(-error));
	exit(1);
}

static int compare(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static double now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

/* What is allocated, and what the process has of the machine's memory. */
struct memory {
	double allocated_mb, resident_mb;
};

static struct memory take_memory(void)
{
	unsigned long pages = 0, resident = 0;
	FILE *file = fopen("/proc/self/statm", "re");

	if (!file || fscanf(file, "%lu %lu", &pages, &resident) != 2)
		resident = 0;
	if (file)
		fclose(file);
	return (struct memory){(double)mallinfo2().uordblks / 1e6, (double)resident * 4096 / 1e6};
}

static void print_memory(const char *when, struct memory memory)
{
	printf("| %s | %.2f MB | %.2f MB |\n", when, memory.allocated_mb, memory.resident_mb);
}

/* The first metrics that can be computed, by name. */
static void name_metrics(const struct ctd_vendor_table *table, const struct ctd_vendor_set *set,
			 struct ctd_strbuf *names)
{
	size_t count = 0;

	for (size_t i = 0; i < table->metrics_count && count < METRICS; i++)
		if (ctd_vendor_set_lack(set, i, NULL) == CTD_VENDOR_COMPUTED)
			ctd_strbuf_addf(names, "%s%s", count++ ? "," : "", table->metrics[i].name);
	printf("%zu metrics, ", count);
}

struct whole {
	struct ctd_vendor_cpu cpu;
	struct ctd_vendor_machine machine;
	struct ctd_vendor_table table;
	struct ctd_vendor_set *set;
	struct ctd_vendor_counting counting;
};

static void read_whole(const char *directory, const char *id, struct whole *whole)
{
	auto_ctd_strbuf struct ctd_strbuf names = {0};
	struct ctd_vendor_wish wish = {0};
	char why[CTD_VENDOR_WHY_BYTES] = "";
	struct ctd_vendor_rotation rotation;

	snprintf(whole->cpu.id, sizeof(whole->cpu.id), "%s", id);
	whole->machine = ctd_vendor_machine_unknown();
	whole->machine.smt = 1;
	check(ctd_vendor_read(directory, &whole->cpu, CTD_VENDOR_FORMATS, &whole->table, why), why);
	check(ctd_vendor_set_new(&whole->table, &whole->cpu, &whole->machine, &whole->set), NULL);
	name_metrics(&whole->table, whole->set, &names);
	wish.names = names.text;
	check(ctd_vendor_rotation_make(&whole->table, &whole->cpu, whole->set, &wish, &rotation,
				       why),
	      why);
	check(ctd_vendor_counting_make(&rotation, 4, &whole->counting), NULL);
	ctd_vendor_rotation_free(&rotation);
}

struct load {
	uint64_t *counts; /* of each row, of each group */
	uint64_t count_ns[CTD_ROTATION_GROUPS_MAX];
	size_t counts_of_row, values_of_row;
	struct ctd_vendor_counted_row rows[ROWS];
	struct ctd_vendor_value *values;
};

static void make_load(const struct ctd_vendor_counting *counting, struct load *load)
{
	int groups = counting->rotation.groups_count, events = counting->rotation.events_count;

	load->counts_of_row = (size_t)groups * (size_t)events;
	load->values_of_row = counting->metrics_count;
	load->counts = calloc(ROWS * load->counts_of_row, sizeof(*load->counts));
	load->values = calloc(ROWS * load->values_of_row, sizeof(*load->values));
	if (!load->counts || !load->values)
		check(-ENOMEM, NULL);
	srandom(1);
	for (size_t i = 0; i < ROWS * load->counts_of_row; i++)
		load->counts[i] = 1 + (uint64_t)random() % 1000000;
	for (int i = 0; i < groups; i++)
		load->count_ns[i] = 10000000;
	for (size_t i = 0; i < ROWS; i++)
		load->rows[i] = (struct ctd_vendor_counted_row){
			groups, &load->counts[i * load->counts_of_row], load->count_ns};
}

/* @return how long all rows took. */
static double evaluate(const struct ctd_vendor_counting *counting, struct load *load)
{
	double begin_ms = now_ms();

	ctd_vendor_counting_evaluate(counting, load->rows, ROWS, load->values);
	return now_ms() - begin_ms;
}

static void compare_values(const struct load *a, const struct load *b)
{
	for (size_t i = 0; i < ROWS * a->values_of_row; i++)
		if (memcmp(&a->values[i].value, &b->values[i].value, sizeof(double)) != 0 ||
		    a->values[i].hot != b->values[i].hot)
			check(-EBADMSG, "the small table has other values than the whole");
}

/* One and the other in turns: what disturbs one disturbs the other. */
static void measure(const struct whole *whole, const struct ctd_vendor_recorded *small)
{
	double whole_ms[ROUNDS], small_ms[ROUNDS], ratio[ROUNDS];
	struct load a = {0}, b = {0};

	make_load(&whole->counting, &a);
	make_load(&small->counting, &b);
	printf("%d rows, %d groups of %d events at most, median of %d rounds in turns:\n\n", ROWS,
	       whole->counting.rotation.groups_count, whole->counting.rotation.events_count,
	       ROUNDS);
	for (int i = 0; i < ROUNDS; i++) {
		whole_ms[i] = evaluate(&whole->counting, &a);
		small_ms[i] = evaluate(&small->counting, &b);
		ratio[i] = whole_ms[i] / small_ms[i];
	}
	compare_values(&a, &b);
	qsort(whole_ms, ROUNDS, sizeof(*whole_ms), compare);
	qsort(small_ms, ROUNDS, sizeof(*small_ms), compare);
	qsort(ratio, ROUNDS, sizeof(*ratio), compare);
	printf("| by the table of the files | by that of what is counted | ratio |\n|---|---|---|\n");
	printf("| %.2f ms | %.2f ms | %.2f |\n\n", whole_ms[ROUNDS / 2], small_ms[ROUNDS / 2],
	       ratio[ROUNDS / 2]);
	free(a.counts);
	free(a.values);
	free(b.counts);
	free(b.values);
}

/* @return how long a look at all rows took. */
static double look(struct ctd_drill *drill, const struct ctd_drill_sample *samples)
{
	double begin_ms = now_ms();

	ctd_drill_begin(drill);
	check(ctd_drill_look(drill, samples, ROWS, 500000000), NULL);
	return now_ms() - begin_ms;
}

/* The whole tree; all of it is evaluated at each look, and nothing else is shown of it. */
static void measure_drill(const struct whole *whole)
{
	const struct ctd_vendor_wish wish = {.level = CTD_VENDOR_LEVELS};
	static struct ctd_drill_sample samples[ROWS];
	char why[CTD_VENDOR_WHY_BYTES] = "";
	double drill_ms[ROUNDS], evaluate_ms[ROUNDS];
	struct ctd_vendor_rotation rotation;
	struct ctd_vendor_counting tree;
	struct ctd_drill *drill;
	struct load load = {0};
	size_t before;

	check(ctd_vendor_rotation_make(&whole->table, &whole->cpu, whole->set, &wish, &rotation,
				       why),
	      why);
	check(ctd_vendor_counting_make(&rotation, 4, &tree), NULL);
	ctd_vendor_rotation_free(&rotation);
	make_load(&tree, &load);
	for (size_t i = 0; i < ROWS; i++)
		samples[i] = (struct ctd_drill_sample){.key = i,
						       .counted = load.rows[i],
						       .cpu_ns = 100000000,
						       .running_ns = 100000000};
	before = mallinfo2().uordblks;
	check(ctd_drill_new(&tree, CTD_DRILL_MEMORY_S, &drill), NULL);
	for (int i = 0; i < ROUNDS; i++) {
		drill_ms[i] = look(drill, samples);
		evaluate_ms[i] = evaluate(&tree, &load);
	}
	qsort(drill_ms, ROUNDS, sizeof(*drill_ms), compare);
	qsort(evaluate_ms, ROUNDS, sizeof(*evaluate_ms), compare);
	printf("%zu metrics of the tree in %d groups:\n\n", tree.metrics_count,
	       tree.rotation.groups_count);
	printf("| a look of --drill | of which evaluation | kept of a row |\n|---|---|---|\n");
	printf("| %.2f ms | %.2f ms | %.1f kB |\n\n", drill_ms[ROUNDS / 2], evaluate_ms[ROUNDS / 2],
	       (double)(mallinfo2().uordblks - before) / ROWS / 1e3);
	ctd_drill_free(drill);
	free(load.counts);
	free(load.values);
	ctd_vendor_counting_free(&tree);
}

int main(int argc, char **argv)
{
	auto_ctd_strbuf struct ctd_strbuf payload = {0};
	struct ctd_vendor_recorded *small = NULL;
	struct whole whole = {0};
	struct memory before;
	const char *why = "";

	if (argc != 3) {
		fprintf(stderr, "usage: bench/vendor DIR CPUID\n");
		return 2;
	}
	before = take_memory();
	read_whole(argv[1], argv[2], &whole);
	check(ctd_vendor_recorded_add(&whole.counting, &whole.cpu, &whole.machine, &payload), NULL);
	check(ctd_vendor_recorded_new(payload.text, payload.bytes, &small, &why), why);
	measure(&whole, small);
	measure_drill(&whole);
	printf("| | allocated | resident |\n|---|---|---|\n");
	print_memory("before", before);
	print_memory("both", take_memory());
	ctd_vendor_counting_free(&whole.counting);
	ctd_vendor_set_free(whole.set);
	ctd_vendor_table_free(&whole.table);
	print_memory("what is counted", take_memory());
	malloc_trim(0);
	print_memory("given back", take_memory());
	ctd_vendor_recorded_free(small);
	return 0;
}
