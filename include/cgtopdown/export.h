/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* export.h - a ledger as others read it: metrics texts, protocol messages. */
#ifndef CGTOPDOWN_EXPORT_H
#define CGTOPDOWN_EXPORT_H

#include <cgtopdown/ledger.h>
#include <cgtopdown/neighbour.h>
#include <cgtopdown/sampler_abi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Why the HTTP server refused a connection or a request. */
enum ctd_http_refusal {
	CTD_REFUSED_CROWDED, /* its address had all its places */
	CTD_REFUSED_DISPLACED, /* it held a place without using it, and others wanted in */
	CTD_REFUSED_UNAUTHORIZED, /* without a token or password that is in the files */
	CTD_REFUSED_NAME, /* for a host of another name */
	CTD_REFUSALS,
};

/* Of what the profiler keeps tables: unwinding rules, functions, mappings. */
enum ctd_profile_table {
	CTD_TABLE_EXECUTABLE, /* a file with code */
	CTD_TABLE_JIT, /* a map that a process wrote of its code */
	CTD_TABLE_MAPPINGS, /* where files are in a process */
	CTD_PROFILE_TABLES,
};
/* How well stacks are sampled and named; totals. */
struct ctd_profile_health {
	uint64_t sampling[CTD_SAMPLING_HEALTH];
	uint64_t refused[CTD_PROFILE_TABLES]; /* times that there was no room */
	uint64_t forgotten[CTD_PROFILE_TABLES]; /* to make room; not of mappings */
};

/* What the process knows of itself and its outputs; gathered by the caller for each export. All
 * totals are since its start. */
struct ctd_self {
	const char *version;
	const char *node; /* this machine's name; NULL: not known */
	const char *boot_id; /* another one after each boot; NULL: not known */
	uint64_t interval_ns; /* how often a view is to be expected; 0: not known */
	uint64_t look_ns; /* how often the reader may have one made for him; 0: he may not */
	uint64_t started_ns; /* since 1970 */
	uint64_t cpu_ns; /* user and system */
	uint64_t resident_bytes, virtual_bytes, open_fds, max_fds;
	uint64_t scrapes, scrape_errors; /* of /metrics; refused and failed ones */
	uint64_t http_refusals[CTD_REFUSALS];
	uint64_t names_waiting, names_found, names_missing; /* containers: being asked for, ... */
	uint64_t names_refused; /* cgroups that are called like containers, and are none */
	bool kubelet; /* it is asked */
	bool kubelet_up; /* its last answer was good */
	uint64_t kubelet_requests, kubelet_errors;
	bool otlp; /* figures are pushed */
	uint64_t otlp_sent, otlp_failed, otlp_dropped, otlp_queued; /* requests; queued: now */
	bool kubernetes_events; /* Kubernetes is told of tags */
	/* Events that it has, requests that failed, and events that waited until it was too late. */
	uint64_t kubernetes_events_sent, kubernetes_events_failed, kubernetes_events_dropped;
	bool no_created; /* OpenMetrics without series _created */
	bool wait_histogram; /* metrics have one of each row */
	bool profiles; /* stacks are sampled */
	bool history; /* times that are over are kept, and can be asked for */
	uint64_t history_bytes, history_bytes_max; /* of its files, and at most */
	uint64_t history_lost_intervals; /* there was no memory, or the disk took nothing for long */
	bool history_failing; /* the last try to write it failed */
	uint64_t profile_samples, profile_other_samples; /* other: their stacks found no room */
	uint64_t profile_missed_intervals; /* in no profile: the thread that samples was behind */
	struct ctd_profile_health profile_health;
	uint64_t config_errors; /* changed files that were no good */
	uint64_t lost_log_lines;
	/* Held for this export; NULL: not judged, or not yet. */
	uint64_t sample_period_ns; /* of neighbours; 0: they are not judged */
	const struct ctd_neighbour_verdicts *neighbours;
};

struct ctd_strbuf; /* base/strbuf.h */

enum ctd_exposition {
	CTD_PROMETHEUS_TEXT, /* text/plain; version=0.0.4; charset=utf-8 */
	CTD_OPENMETRICS_TEXT, /* application/openmetrics-text; version=1.0.0; charset=utf-8 */
};

/*
 * Each appends the whole of it. Texts have no NUL, lines end with "\n", there are no timestamps,
 * and what is not known is left out. @return 0 or -ENOMEM.
 */
int ctd_export_metrics(enum ctd_exposition format, const struct ctd_ledger_view *view,
		       const struct ctd_self *self, struct ctd_strbuf *text);

/* The sender, as attributes of OTLP's resources. "" or NULL: left out. */
struct ctd_otlp_resource {
	const char *host_name, *node_name, *cluster_name;
};
/*
 * An ExportMetricsServiceRequest in protobuf, of the accounts from @p first on, at most
 * @p accounts_max of them; the node's own figures come with first = 0. @return 0 or -ENOMEM.
 */
int ctd_export_otlp(const struct ctd_ledger_view *view, const struct ctd_self *self,
		    const struct ctd_otlp_resource *resource, size_t first, size_t accounts_max,
		    struct ctd_strbuf *message);

#endif
