/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* value.h - a figure that may be unknown: a number with its quality. Absent is not zero. */
#ifndef CGTOPDOWN_VALUE_H
#define CGTOPDOWN_VALUE_H

/* In order of decreasing trust; the worse of two is the larger. */
enum ctd_quality {
	CTD_OK, /* counted all the time */
	CTD_SCALED, /* counted part of the time, scaled up */
	CTD_LOW_CONFIDENCE, /* counted too little to be relied on */
	CTD_NO_DATA, /* should have been counted and was not */
	CTD_UNSUPPORTED, /* this source cannot know it */
};

struct ctd_value {
	double ratio; /* 0..1, where its node has no other unit; meaningless unless
			 ctd_value_known() */
	enum ctd_quality quality;
};

/* True for OK, SCALED and LOW_CONFIDENCE: there is a number to show. */
static inline int ctd_value_known(struct ctd_value value)
{
	return value.quality <= CTD_LOW_CONFIDENCE;
}

/* "ok", "scaled", "low_confidence", "no_data", "unsupported": the spelling of every sink. */
const char *ctd_quality_name(enum ctd_quality quality);

#endif
