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
	struct ctd_remote_tags tags = {0};
	bool judges = false;

	if (noisy && !ctd_remote_client_new(&place, ctd_stop_came, &noisy->client) &&
	    ctd_noisy_ask(noisy, &tags)) {
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

void ctd_noisy_mark_by(const struct ctd_remote_tags *tags, struct ctd_report *report)
{
	const struct ctd_neighbour_verdicts *verdicts = &tags->verdicts;

	/* Tags are of containers, and of cgroups that are in none. */
	if (report->by != CTD_GROUP_CONTAINER)
		return;
	report->noisy = true;
	for (size_t i = 0; tags->judged && i < report->rows_count; i++) {
		struct ctd_report_row *row = &report->rows[i];
		size_t at = 0;

		while (at < verdicts->tags_count && !is_of(&verdicts->tags[at], row))
			at++;
		row->noisy = at < verdicts->tags_count
				     ? ctd_mechanism_name(verdicts->tags[at].mechanism)
				     : "";
	}
}

bool ctd_noisy_ask(struct ctd_noisy *noisy, struct ctd_remote_tags *ret_tags)
{
	char why[CTD_REMOTE_WHY_BYTES] = "";

	*ret_tags = (struct ctd_remote_tags){0};
	return ctd_remote_client_get_tags(noisy->client, ret_tags, why) == 0;
}

void ctd_noisy_mark(struct ctd_noisy *noisy, struct ctd_report *report)
{
	struct ctd_remote_tags tags = {0};

	if (!noisy || report->by != CTD_GROUP_CONTAINER)
		return;
	(void)ctd_noisy_ask(noisy, &tags);
	ctd_noisy_mark_by(&tags, report);
	ctd_remote_tags_free(&tags);
}

void ctd_noisy_free(struct ctd_noisy *noisy)
{
	if (!noisy)
		return;
	ctd_remote_client_free(noisy->client);
	free(noisy);
}
