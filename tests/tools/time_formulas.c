/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* time_formulas.c - what evaluating formulas costs, beside the same formulas in C. */
#include <math.h>
#include <stdio.h>

#include "../metrics.h"
#include "base/clock.h"

#define ROUNDS 300000
#define SERIES 9

/* golden_cove's level 1 and 2, as a compiler makes them of C. */
static double in_c(int node, const double *count)
{
	double sum = count[1] + count[2] + count[3] + count[4];

	if (node < 4)
		return count[1 + node] / sum;
	node -= 4;
	return node % 2 ? fmax(0, count[1 + node / 2] - count[5 + node / 2]) / sum
			: count[5 + node / 2] / sum;
}

static int compare(const void *a, const void *b)
{
	return *(const double *)a < *(const double *)b ? -1 : 1;
}

int main(void)
{
	const struct ctd_cpu_model *model = ctd_cpu_model_find("golden_cove");
	double count[CTD_COUNTERS_MAX + 1] = {1000, 400, 100, 200, 300, 150, 80, 50, 210};
	double ns[3][SERIES], sum = 0;
	const int nodes = 12;

	for (int series = 0; series < SERIES; series++) {
		const uint64_t count_now[9] = {10000000, 4000000, 1000000, 2000000, 3000000,
					       1500000,	 800000,  500000,  2100000};
		uint64_t began = ctd_monotonic_ns();

		for (int i = 0; i < ROUNDS * nodes; i++) {
			count[1] = i & 1023;
			sum += node_value(model, i % nodes, count);
		}
		ns[0][series] = (double)(ctd_monotonic_ns() - began) / ROUNDS / nodes;
		began = ctd_monotonic_ns();
		for (int i = 0; i < ROUNDS * nodes; i++) {
			count[1] = i & 1023;
			sum += in_c(i % nodes, count);
		}
		ns[1][series] = (double)(ctd_monotonic_ns() - began) / ROUNDS / nodes;
		began = ctd_monotonic_ns();
		for (int i = 0; i < ROUNDS; i++) {
			struct ctd_value values[CTD_NODES_MAX];

			ctd_metric_evaluate(metrics_of(model), count_now, 9, 1, CTD_OK, values);
			sum += ctd_metric_dominant(metrics_of(model), values, 2);
		}
		ns[2][series] = (double)(ctd_monotonic_ns() - began) / ROUNDS;
	}
	for (int which = 0; which < 3; which++) {
		static const char *const what[] = {"formula", "formula in C",
						   "row with its bottleneck"};

		qsort(ns[which], SERIES, sizeof(**ns), compare);
		printf("%-24s %7.1f ns (%.1f to %.1f)\n", what[which], ns[which][SERIES / 2],
		       ns[which][0], ns[which][SERIES - 1]);
	}
	return sum > 0 ? 0 : 1;
}
