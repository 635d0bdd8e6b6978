/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* noisy.c - marks the rows of a report that other containers slow down. */
#include "app/noisy.h"

#include <stdlib.h>
#include <string.h>

#include "app/remote.h"
#include "app/stop.h"

struct ctd_noisy {
	struct ctd_remote_client *client; /* owned */
};

struct ctd_noisy *ctd_noisy_open(const struct ctd_options *options)
{
	const struct ctd_remote_place place = ctd_remote_place_of(options, true);
	struct ctd_noisy *noisy = calloc(1, sizeof(*noisy));
	char why[CTD_REMOTE_WHY_BYTES] = "";
	struct ctd_remote_tags tags;
	bool judges = false;

	if (noisy && !ctd_remote_client_new(&place, ctd_stop_came, &noisy->client) &&
	    !ctd_remote_client_get_tags(noisy->client, &tags, why)) {
		judges = tags.judged || tags.sample_period_ns;
		ctd_remote_tags_free(&tags);
	}
	if (judges)
		return noisy;
	ctd_noisy_free(noisy);
	return NULL;
}

/* What it does to itself is no neighbour's doing. */
static bool is_of(const struct ctd_neighbour_tag *tag, const struct ctd_report_row *row)
{
	return (tag->blame == CTD_BLAME_NEIGHBOUR || tag->blame == CTD_BLAME_MACHINE) &&
	       tag->victim->cgroup && row->identity &&
	       strcmp(tag->victim->cgroup, row->identity->path) == 0;
}

void ctd_noisy_mark_by(const struct ctd_neighbour_verdicts *verdicts, struct ctd_report *report)
{
	report->noisy = true;
	for (size_t i = 0; verdicts && i < report->rows_count; i++) {
		struct ctd_report_row *row = &report->rows[i];
		size_t at = 0;

		while (at < verdicts->tags_count && !is_of(&verdicts->tags[at], row))
			at++;
		row->noisy = at < verdicts->tags_count
				     ? ctd_mechanism_name(verdicts->tags[at].mechanism)
				     : "";
	}
}

void ctd_noisy_mark(struct ctd_noisy *noisy, struct ctd_report *report)
{
	char why[CTD_REMOTE_WHY_BYTES] = "";
	struct ctd_remote_tags tags;

	/* Tags are of containers, and of cgroups that are in none. */
	if (!noisy || report->by != CTD_GROUP_CONTAINER)
		return;
	if (ctd_remote_client_get_tags(noisy->client, &tags, why)) {
		ctd_noisy_mark_by(NULL, report);
		return;
	}
	ctd_noisy_mark_by(tags.judged ? &tags.verdicts : NULL, report);
	ctd_remote_tags_free(&tags);
}

void ctd_noisy_free(struct ctd_noisy *noisy)
{
	if (!noisy)
		return;
	ctd_remote_client_free(noisy->client);
	free(noisy);
}
