/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* vendor.h - metrics of --metrics-dir: those of each core that is asked for, listed or explained. */
#ifndef EXPLAIN_VENDOR_H
#define EXPLAIN_VENDOR_H

#include <cgtopdown/vendor.h>

#include "base/json.h"
#include "base/strbuf.h"
#include "vendor/rotation.h"

struct ctd_options;

/* What was read for one core. */
struct ctd_vendor_view {
	struct ctd_vendor_cpu cpu;
	struct ctd_vendor_table table;
	struct ctd_vendor_set *set; /* owned */
	bool watchdog; /* the NMI watchdog holds a counter */
	bool partly; /* it is one of several core types that are looked at */
	char core[24]; /* as messages name it: its PMU; "" where all cores are alike */
};

/* Reads the files of --metrics-dir for its cpu, and compiles the metrics. Logs what could not be
 * read of files that have none. @return 0, -ENOENT: there are none of it, or other negative errno,
 * with a sentence in @p ret_why; then there is nothing to free. */
int ctd_vendor_view_read(const struct ctd_options *options,
			 const struct ctd_vendor_machine *machine, struct ctd_vendor_view *view,
			 char ret_why[CTD_VENDOR_WHY_BYTES]);
void ctd_vendor_view_free(struct ctd_vendor_view *view);

/* What is to be done with it: --json writes to @p json, which is NULL otherwise. @return 0, or
 * negative errno, logged. */
typedef int ctd_vendor_show_fn(const struct ctd_options *options,
			       const struct ctd_vendor_view *view, struct ctd_json *json);
/* vendor_list.c: all metrics; vendor_explain.c: one of them, --explain; vendor_plan.c: the groups
 * in which they are counted, --plan; vendor_json.c: any of these, --json. */
ctd_vendor_show_fn ctd_vendor_show_list, ctd_vendor_show_metric, ctd_vendor_show_plan,
	ctd_vendor_show_json;

/* Reads the files of --metrics-dir for each core of this machine, or that of --cpuid and --core,
 * and shows them. @return the exit status. */
int ctd_vendor_main(const struct ctd_options *options, ctd_vendor_show_fn *show);

/* The metric of --explain. @return its index, or -ENOENT, logged. */
int ctd_vendor_explained(const struct ctd_options *options, const struct ctd_vendor_view *view);
/* The rotation of --metrics and --level. @return 0 or negative errno, logged. */
int ctd_vendor_plan(const struct ctd_options *options, const struct ctd_vendor_view *view,
		    struct ctd_vendor_rotation *ret_rotation);

/* "worth a look where tma_backend_bound > 0.2", "a part of tma_retiring": half sentences. */
void ctd_vendor_add_place(struct ctd_strbuf *text, const struct ctd_vendor_table *table,
			  const struct ctd_vendor_metric *metric);
/* Adds a list that is separated by ';' as one with ", ". */
void ctd_vendor_add_names(struct ctd_strbuf *text, const char *names);

#endif
