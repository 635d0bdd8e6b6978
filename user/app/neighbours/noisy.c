/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* noisy.c - marks the rows of a report that other containers slow down. */
#include "app/neighbours/noisy.h"

#include <stdlib.h>
#include <string.h>

#include "app/remote/remote.h"
#include "app/stop.h"
#include "base/clock.h"

/* A server that does not answer delays an interval by the first; after the second it is asked
 * again. */
#define ANSWER_MS 1000
#define RETRY_NS 10000000000ull

struct ctd_noisy {
	struct ctd_remote_client *client; /* owned */
	bool judges; /* by the last answer */
	uint64_t next_ns; /* not to be asked before */
};

struct ctd_noisy *ctd_noisy_open(const struct ctd_options *options)
{
	struct ctd_remote_place place = ctd_remote_place_of(options, CTD_REMOTE_TAGS);
	struct ctd_noisy *noisy = calloc(1, sizeof(*noisy));

	place.answer_ms = ANSWER_MS;
	if (noisy && !ctd_remote_client_new(&place, ctd_stop_came, &noisy->client))
		return noisy;
	ctd_noisy_free(noisy);
	return NULL;
}

/* Tags that blame the victim itself mark no row. */
static bool marks(const struct ctd_neighbour_tag *tag)
{
	return (tag->blame == CTD_BLAME_NEIGHBOUR || tag->blame == CTD_BLAME_MACHINE) &&
	       tag->victim->cgroup;
}

/* By cgroup; of one cgroup in the order of the tags, as the first says most. */
static int compare_tags(const void *a, const void *b)
{
	const struct ctd_neighbour_tag *const *first = a, *const *second = b;
	int order = strcmp((*first)->victim->cgroup, (*second)->victim->cgroup);

	return order ? order : (*first > *second) - (*first < *second);
}

void ctd_noisy_take(struct ctd_remote_tags *tags, struct ctd_noisy_tags *ret_tags)
{
	const struct ctd_neighbour_verdicts *verdicts = &ret_tags->tags.verdicts;

	*ret_tags = (struct ctd_noisy_tags){.judged = tags->judged || tags->sample_period_ns,
					    .known = tags->judged,
					    .tags = *tags};
	*tags = (struct ctd_remote_tags){0};
	ret_tags->marks = calloc(verdicts->tags_count + 1, sizeof(*ret_tags->marks));
	if (!ret_tags->marks) {
		ret_tags->known = false;
		return;
	}
	for (size_t i = 0; i < verdicts->tags_count; i++)
		if (marks(&verdicts->tags[i]))
			ret_tags->marks[ret_tags->marks_count++] = &verdicts->tags[i];
	qsort(ret_tags->marks, ret_tags->marks_count, sizeof(*ret_tags->marks), compare_tags);
}

void ctd_noisy_ask(struct ctd_noisy *noisy, struct ctd_noisy_tags *ret_tags)
{
	char why[CTD_REMOTE_WHY_BYTES] = "";
	struct ctd_remote_tags tags = {0};
	uint64_t now_ns = ctd_monotonic_ns();

	*ret_tags = (struct ctd_noisy_tags){.judged = noisy->judges};
	if (now_ns < noisy->next_ns)
		return;
	if (ctd_remote_client_get_tags(noisy->client, &tags, why)) {
		noisy->next_ns = ctd_monotonic_ns() + RETRY_NS;
		return;
	}
	ctd_noisy_take(&tags, ret_tags);
	noisy->judges = ret_tags->judged;
	if (!noisy->judges)
		noisy->next_ns = now_ns + RETRY_NS;
}

/* @return the first tag of that cgroup, or NULL. */
static const struct ctd_neighbour_tag *find(const struct ctd_noisy_tags *tags, const char *cgroup)
{
	size_t from = 0, to = tags->marks_count;

	while (from < to) {
		size_t middle = from + (to - from) / 2;

		if (strcmp(tags->marks[middle]->victim->cgroup, cgroup) < 0)
			from = middle + 1;
		else
			to = middle;
	}
	return from < tags->marks_count && strcmp(tags->marks[from]->victim->cgroup, cgroup) == 0
		       ? tags->marks[from]
		       : NULL;
}

void ctd_noisy_mark(const struct ctd_noisy_tags *tags, struct ctd_report *report)
{
	/* The victim of a tag is a container, or a cgroup outside of containers. */
	if (!tags->judged || report->by != CTD_GROUP_CONTAINER)
		return;
	report->noisy = true;
	for (size_t i = 0; tags->known && i < report->rows_count; i++) {
		struct ctd_report_row *row = &report->rows[i];
		const struct ctd_neighbour_tag *tag =
			row->identity ? find(tags, row->identity->path) : NULL;

		row->noisy = tag ? ctd_mechanism_name(tag->mechanism) : "";
	}
}

void ctd_noisy_tags_free(struct ctd_noisy_tags *tags)
{
	ctd_remote_tags_free(&tags->tags);
	free(tags->marks);
	*tags = (struct ctd_noisy_tags){0};
}

void ctd_noisy_free(struct ctd_noisy *noisy)
{
	if (!noisy)
		return;
	ctd_remote_client_free(noisy->client);
	free(noisy);
}
