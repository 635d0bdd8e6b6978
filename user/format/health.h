/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* health.h - what outputs call the health counters. */
#ifndef FORMAT_HEALTH_H
#define FORMAT_HEALTH_H

#include <cgtopdown/abi.h>
#include <stdbool.h>
#include <stddef.h>

struct ctd_health_name {
	enum ctd_health counter;
	bool fault; /* not 0: something is missing or estimated */
	const char *key; /* of jsonl */
	const char *label; /* of tables, which show faults only, and those that there are */
	const char *metric; /* Prometheus' name of its total, without _total */
	const char *otlp, *otlp_unit; /* OpenTelemetry's */
	const char *help;
};

/* Those that are shown, in their order. */
extern const struct ctd_health_name ctd_health_names[];
extern const size_t ctd_health_names_count;

#endif
