/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* quality.c - the names of qualities. */
#include <cgtopdown/value.h>

#include <assert.h>
#include <stddef.h>

const char *ctd_quality_name(enum ctd_quality quality)
{
	switch (quality) {
	case CTD_OK:
		return "ok";
	case CTD_SCALED:
		return "scaled";
	case CTD_LOW_CONFIDENCE:
		return "low_confidence";
	case CTD_NO_DATA:
		return "no_data";
	case CTD_UNSUPPORTED:
		return "unsupported";
	}
	assert(!"a quality without a name");
	return NULL;
}
