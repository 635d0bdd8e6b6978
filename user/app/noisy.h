/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* noisy.h - rows that other containers slow down, as a running serve judges. */
#ifndef APP_NOISY_H
#define APP_NOISY_H

#include <cgtopdown/report.h>

#include "app/options/options.h"
#include "remote/tags.h"

struct ctd_noisy;

/* @return NULL: that serve judges no neighbours, or is not there. */
struct ctd_noisy *ctd_noisy_open(const struct ctd_options *options);
/* The tags of now. @return false: there is no answer, and *ret_tags is not judged; it
 * is to be freed in any case. */
bool ctd_noisy_ask(struct ctd_noisy *noisy, struct ctd_remote_tags *ret_tags);
/* Asks for them, and marks the rows that they are of. NULL is fine: marks nothing. */
void ctd_noisy_mark(struct ctd_noisy *noisy, struct ctd_report *report);
/* By tags that are there; not judged: it is not known now which rows have one. */
void ctd_noisy_mark_by(const struct ctd_remote_tags *tags, struct ctd_report *report);
void ctd_noisy_free(struct ctd_noisy *noisy);

#endif
