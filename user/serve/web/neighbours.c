/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* neighbours.c - writes all tags of the newest sample as JSON. */
#include "serve/web/neighbours.h"

#include <errno.h>

#include "format/format.h"
#include "format/tag_json.h"

int ctd_neighbours_json(const struct ctd_ledger_view *view, const struct ctd_self *self,
			struct ctd_strbuf *text)
{
	const struct ctd_neighbour_verdicts *verdicts = self->neighbours;
	struct ctd_json json = {.out = text};
	char time[CTD_FIGURE_BYTES];

	(void)view;
	ctd_json_begin_object(&json, NULL);
	if (self->sample_period_ns)
		ctd_json_real(&json, "sample_period_s", (double)self->sample_period_ns / 1e9, 1e6);
	if (verdicts) {
		ctd_format_time(verdicts->time_ns, time);
		ctd_json_string(&json, "time", time);
		ctd_json_integer(&json, "containers", verdicts->status.subjects);
		ctd_json_integer(&json, "learning", verdicts->status.learning);
		ctd_json_integer(&json, "refused_samples", verdicts->status.refused_samples);
		/* Absent where they are not told apart. */
		if (verdicts->status.caches) {
			ctd_json_integer(&json, "caches", verdicts->status.caches);
			ctd_json_integer(&json, "nodes", verdicts->status.nodes);
		}
		ctd_json_begin_array(&json, "tags");
		for (size_t i = 0; i < verdicts->tags_count; i++)
			ctd_tag_add_json(&json, &verdicts->tags[i], verdicts->time_ns,
					 CTD_TAG_SERIES);
		ctd_json_end_array(&json);
	} else {
		ctd_json_null(&json, "tags");
	}
	ctd_json_end_object(&json);
	ctd_strbuf_add(text, "\n");
	return text->failed ? -ENOMEM : 0;
}
