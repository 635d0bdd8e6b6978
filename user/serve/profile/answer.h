/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* answer.h - a profile of some time, as bytes for who asked. */
#ifndef SERVE_PROFILE_ANSWER_H
#define SERVE_PROFILE_ANSWER_H

#include <cgtopdown/profile_sink.h>

#include "serve/profile/recording.h"
#include "serve/profile/sum.h"

/* Texts are borrowed. */
struct ctd_profile_question {
	bool recent; /* of the time that is over, as JSON; else of the time to come, for pprof */
	bool recording; /* of the time to come, all that there is, as record would have it */
	bool gzip; /* the JSON */
	bool no_frames; /* in the JSON */
	uint64_t length_ns;
	struct ctd_profile_wanted wanted;
	const char *key; /* of a row of the view; NULL: all rows */
};

/* @p sum may be empty, and so is the profile then. @p header: of the plan. @p period_ns: between
 * two samples, where none tells. Appends the whole of it. @return 0, -ENOMEM, or as
 * ctd_profile_recording(). */
int ctd_profile_answer(const struct ctd_profile_question *question,
		       const struct ctd_record_header *header, const struct ctd_rollup_plan *plan,
		       const struct ctd_identities *identities, const struct ctd_profile_sum *sum,
		       uint64_t period_ns, struct ctd_strbuf *answer);

#endif
