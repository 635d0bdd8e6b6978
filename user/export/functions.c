/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* functions.c - totals of functions as metrics. */
#include "export/families.h"

int ctd_points_function(const struct family *family, const struct subject *subject,
			struct point points[FAMILY_POINTS_MAX])
{
	(void)family;
	points[0] = (struct point){subject->function->figures.cpu_ns, {subject->function->name}};
	return 1;
}

/* By the categories as nodes of the account's core type are called. */
int ctd_points_function_slots(const struct family *family, const struct subject *subject,
			      struct point points[FAMILY_POINTS_MAX])
{
	const struct ctd_ledger_core_type *type =
		ctd_account_core_type(subject->view, subject->account);
	int count = 0;

	(void)family;
	for (int i = 0; i < type->nodes_count; i++) {
		int category = ctd_function_category(&type->nodes[i]);

		if (category < 0 ||
		    !(subject->account->functions->categories_known & 1u << category))
			continue;
		points[count++] = (struct point){subject->function->figures.slots[category],
						 {subject->function->name, type->nodes[i].name}};
	}
	return count;
}
