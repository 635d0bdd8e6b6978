/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* banner.h - the lines above and below a table. */
#ifndef FORMAT_BANNER_H
#define FORMAT_BANNER_H

#include "base/strbuf.h"
#include <cgtopdown/report.h>
#include <cgtopdown/sink.h>

/* When, how, how deep, on how many CPUs. */
void ctd_banner_add_head(struct ctd_strbuf *out, const struct ctd_report *report,
			 const struct ctd_sink_options *options);
/* The totals and the collector's health. */
void ctd_banner_add_health(struct ctd_strbuf *out, const struct ctd_report *report,
			   const struct ctd_sink_options *options);

#endif
