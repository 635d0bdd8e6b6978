/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* order.c - keeps the rows in use sorted by key: a snapshot only sorts new ones. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "kern/topdown/topdown.h"

static int compare_rows(const void *a, const void *b, void *context)
{
	struct ctd_kern *kern = context;

	return ctd_kern_compare_keys(kern, &ctd_kern_row(kern, *(const uint32_t *)a)->key,
				     &ctd_kern_row(kern, *(const uint32_t *)b)->key);
}

void ctd_kern_sort_rows(struct ctd_kern *kern)
{
	qsort_r(kern->order, kern->order_count, sizeof(*kern->order), compare_rows, kern);
}

int ctd_kern_list_rows(struct ctd_kern *kern)
{
	uint32_t end = 0, old = kern->order_count, count = old;
	autofree uint32_t *merged = NULL;

	for (int cpu = 0; cpu < kern->options.cpus; cpu++) {
		uint32_t cpu_end = __atomic_load_n(&kern->cpus[cpu].rows_end, __ATOMIC_RELAXED);

		end = cpu_end > end ? cpu_end : end;
	}
	for (uint32_t i = 0; i < end; i++) {
		if (kern->listed[i] ||
		    !__atomic_load_n(&ctd_kern_row(kern, i)->key.cgroup_id, __ATOMIC_ACQUIRE))
			continue;
		kern->listed[i] = true;
		kern->order[count++] = i;
	}
	if (count == old)
		return 0;
	qsort_r(kern->order + old, count - old, sizeof(*kern->order), compare_rows, kern);
	merged = malloc(count * sizeof(*merged));
	if (!merged) {
		while (count > old)
			kern->listed[kern->order[--count]] = false;
		return -ENOMEM;
	}
	for (uint32_t i = 0, a = 0, b = old; i < count; i++) {
		bool first = b == count ||
			     (a < old && compare_rows(&kern->order[a], &kern->order[b], kern) <= 0);

		merged[i] = kern->order[first ? a++ : b++];
	}
	memcpy(kern->order, merged, count * sizeof(*merged));
	kern->order_count = count;
	return 0;
}
