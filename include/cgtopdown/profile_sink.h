/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* profile_sink.h - outputs of a profile: files for viewers, and a summary for people. */
#ifndef CGTOPDOWN_PROFILE_SINK_H
#define CGTOPDOWN_PROFILE_SINK_H

#include <cgtopdown/profile.h>
#include <stdbool.h>
#include <stddef.h>

struct ctd_strbuf; /* base/strbuf.h */

/* A figure of a stack: what a flame graph is as wide as, or functions are sorted by. */
enum ctd_weight_kind {
	CTD_WEIGHT_SAMPLES,
	CTD_WEIGHT_CPU, /* in ns */
	CTD_WEIGHT_SLOTS,
	CTD_WEIGHT_NODE, /* slots of one node */
	CTD_WEIGHT_EVENT, /* how often the event came that was sampled */
};
struct ctd_weight {
	enum ctd_weight_kind kind;
	int node; /* of the plan's model */
};

struct ctd_profile_sink_options {
	const struct ctd_weight *weight; /* what is looked at; NULL: the event that was sampled, or
					    slots, or else CPU time; in the summary each row's
					    bottleneck */
	/* What the profile is compared with: of the same stacks (ctd_profile_translate()) and
	 * nodes; NULL: nothing. Its figures are scaled so that both have as many slots, or as much
	 * CPU time where slots are not known. */
	const struct ctd_profile *base;
	int top; /* functions of each row in the summary; 0: all */
	bool no_frames; /* of the flame graph as data: all but its nodes */
	/* Of the summary. */
	bool colour, unicode;
	int width; /* columns of the terminal */
};

/* Which rows are looked at: globs of names or ids; NULL: any. */
struct ctd_profile_wanted {
	const char *container, *pod, *namespace_name;
};
/* Leaves the other rows out. */
bool ctd_profile_is_wanted(const struct ctd_profile_wanted *wanted, enum ctd_rollup_kind kind,
			   const struct ctd_identity *identity);
void ctd_profile_keep_wanted(const struct ctd_profile_wanted *wanted, struct ctd_profile *profile);

struct ctd_profile_sink {
	const char *suffix; /* of files: ".pb.gz"; NULL: the summary */
	const char *help;
	bool compares; /* heeds `base` */
	/* Appends the whole of it. @return 0 or -ENOMEM. */
	int (*write)(const struct ctd_profile_sink_options *options,
		     const struct ctd_profile *profile, struct ctd_strbuf *out);
};

/* ctd_profile_difference: the summary of a comparison. */
extern const struct ctd_profile_sink ctd_profile_summary, ctd_profile_difference, ctd_profile_pprof,
	ctd_profile_svg, ctd_profile_folded, ctd_profile_speedscope;

/* Those for files, ended by NULL. */
extern const struct ctd_profile_sink *const ctd_profile_file_sinks[];
/* @return that whose suffix @p file has; NULL: none. */
const struct ctd_profile_sink *ctd_profile_sink_find(const char *file);

/* The flame graph as data: appends one JSON object, docs/api.md. @return 0 or -ENOMEM. */
int ctd_profile_json(const struct ctd_profile_sink_options *options,
		     const struct ctd_profile *profile, struct ctd_strbuf *out);

/* "samples", "cpu", "slots", or the name of a node or event. @return 0, or -EINVAL: the profile has
 * no such figure. */
int ctd_weight_parse(const struct ctd_profile *profile, const char *name,
		     struct ctd_weight *ret_weight);
/* Can a profile of what @p plan counts have it? */
bool ctd_weight_is_counted(const struct ctd_rollup_plan *plan, const char *name);

#endif
