/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* recording.h - what was counted and sampled in a time, as a recording. */
#ifndef SERVE_PROFILE_RECORDING_H
#define SERVE_PROFILE_RECORDING_H

#include <cgtopdown/identity.h>
#include <cgtopdown/interval.h>
#include <cgtopdown/record.h>
#include <cgtopdown/stacks.h>

struct ctd_strbuf; /* base/strbuf.h */

/* Appends a whole file: two snapshots, whose difference is @p interval, and stacks between them.
 * @return 0, -EOPNOTSUPP: groups of counters rotate, which two snapshots cannot tell; or other
 * negative errno. */
int ctd_profile_recording(const struct ctd_record_header *header,
			  const struct ctd_interval *interval,
			  const struct ctd_identities *identities, const struct ctd_stacks *stacks,
			  struct ctd_strbuf *out);

#endif
