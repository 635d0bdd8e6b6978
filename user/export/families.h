/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* families.h - the metric families, of which everything else is made. */
#ifndef EXPORT_FAMILIES_H
#define EXPORT_FAMILIES_H

#include <cgtopdown/export.h>

#include "base/strbuf.h"

enum family_type { FAMILY_COUNTER, FAMILY_GAUGE, FAMILY_INFO };

/* The keys of a view's accounts, one behind the other: where they are, each is far from the next. */
struct account_keys {
	char *text; /* owned */
	size_t *ends; /* owned; that of account i is from ends[i] to ends[i + 1] */
};

/* A text on its way. */
struct exposition {
	enum ctd_exposition format;
	const struct ctd_ledger_view *view;
	const struct ctd_self *self;
	struct ctd_strbuf *text;
	const struct family *family; /* being written */
	bool described; /* its help and type are written, as with its first sample */
	char sample[64]; /* its name in samples */
	size_t sample_bytes;
	struct account_keys keys; /* owned */
};

struct family {
	const char *name; /* without the suffix of its type */
	const char *unit; /* which the name ends with; "": none */
	const char *labels; /* beside those of the row, where `of_rows`: for the documentation */
	const char *help;
	/* Writes all samples that there are. */
	void (*write)(struct exposition *exposition);
	size_t offset; /* of the figure, where `write` is for several */
	enum family_type type;
	bool of_rows; /* a sample or several for each account */
	bool created; /* with the time since when it counts, in OpenMetrics */
};

extern const struct family ctd_families[];
extern const size_t ctd_families_count;

/* accounts.c. @return 0 or -ENOMEM. */
int ctd_account_keys_make(const struct ctd_ledger_view *view, struct account_keys *ret_keys);
void ctd_account_keys_free(struct account_keys *keys);

/* The suffix of samples: "_total", "_info", "". */
const char *ctd_family_suffix(const struct family *family);

/* accounts.c: what `write` may be. Figures of accounts, at family.offset. */
void ctd_samples_account_count(struct exposition *exposition);
void ctd_samples_account_ns(struct exposition *exposition);
void ctd_samples_account_slots(struct exposition *exposition);
void ctd_samples_account_counted_ns(struct exposition *exposition); /* with counters only */
void ctd_samples_account_general(struct exposition *exposition); /* one of its counts */
void ctd_samples_account_general_ns(struct exposition *exposition);
void ctd_samples_level1(struct exposition *exposition);
void ctd_samples_level2(struct exposition *exposition);

/* samples.c. Figures of the struct that they are named by, at family.offset. */
void ctd_samples_core_slots(struct exposition *exposition); /* where they are known */
void ctd_samples_residual(struct exposition *exposition);
void ctd_samples_view_count(struct exposition *exposition);
void ctd_samples_view_ns(struct exposition *exposition);
void ctd_samples_cpus_online(struct exposition *exposition);

/* self.c. */
void ctd_samples_self_count(struct exposition *exposition);
void ctd_samples_self_ns(struct exposition *exposition);
void ctd_samples_self_cpu(struct exposition *exposition);
void ctd_samples_names(struct exposition *exposition);
void ctd_samples_kubelet_up(struct exposition *exposition);
void ctd_samples_kubelet_count(struct exposition *exposition);
void ctd_samples_otlp_requests(struct exposition *exposition);
void ctd_samples_otlp_queue(struct exposition *exposition);

/* info.c: what there is to say in words, and once for each container. */
void ctd_samples_start_time(struct exposition *exposition);
void ctd_samples_containers(struct exposition *exposition);
void ctd_samples_source(struct exposition *exposition);
void ctd_samples_build(struct exposition *exposition);
void ctd_samples_state(struct exposition *exposition);
void ctd_samples_simulated(struct exposition *exposition);

/* samples.c: the label of a kind of cores; none where all are alike. */
void ctd_core_label(const struct ctd_ledger_core *core, struct ctd_strbuf *labels);

/* prometheus.c: before each sample, the description of the family, if this is its first. */
void ctd_family_describe(struct exposition *exposition);
/* Begins a sample with the text of its labels, "" for none; then its value, and "\n".
 */
void ctd_sample_begin(struct exposition *exposition, const char *labels);
void ctd_sample_count(struct exposition *exposition, const char *labels, uint64_t count);
void ctd_sample_ns(struct exposition *exposition, const char *labels, uint64_t ns);
/* The time since when a counter counts, after its sample: of families that have it in this format. */
bool ctd_family_has_created(const struct exposition *exposition);
void ctd_sample_created(struct exposition *exposition, const char *labels, uint64_t ns);

#endif
