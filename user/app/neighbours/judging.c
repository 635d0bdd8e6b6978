/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* judging.c - judges neighbours by the views of serve's ledger, and keeps what was learned. */
#include "app/neighbours/judging.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/clock.h"
#include "base/log.h"

#define KEPT_NAME "neighbours"
/* A process that is killed loses so much of its history. 1,000 containers take 3 MB. */
#define SAVE_NS 300000000000ull

/* systemd's StateDirectory=, of which there may be several. The caller's; NULL: none. */
static char *state_directory(const struct ctd_options *options)
{
	const char *directories =
		options->serve.state_dir ? options->serve.state_dir : getenv("STATE_DIRECTORY");

	if (!directories || !*directories)
		return NULL;
	return options->serve.state_dir ? strdup(directories)
					: strndup(directories, strcspn(directories, ":"));
}

static int make_detector(const struct ctd_options *options, struct ctd_judging *judging)
{
	const struct ctd_neighbours_options detector = {.period_ns = options->sample_period_ns};
	int error = ctd_accounts_feed_open(&detector, &judging->feed);

	return error ? ctd_log_error(error, "make room for neighbours") : 0;
}

/* What cannot be used is learned anew. */
static int take_up(const struct ctd_options *options, const char *directory,
		   struct ctd_judging *judging)
{
	struct ctd_neighbours_status status;
	const char *why = "it is damaged";
	autofree void *bytes = NULL;
	size_t count;
	int error = ctd_kept_read(&judging->kept, &bytes, &count);

	if (error == -ENOENT)
		return 0;
	if (!error)
		error = ctd_neighbours_load(judging->feed.neighbours, bytes, count, &why);
	if (!error) {
		ctd_neighbours_status(judging->feed.neighbours, &status);
		ctd_info("neighbours: took up the history of %zu containers from '%s'",
			 status.subjects, directory);
		return 0;
	}
	ctd_warn("'%s/" KEPT_NAME ".0' and .1: %s; the history of containers begins anew",
		 directory, error == -EBADMSG ? why : strerror(-error));
	ctd_accounts_feed_close(&judging->feed);
	return make_detector(options, judging);
}

int ctd_judging_open(const struct ctd_options *options, struct ctd_judging *judging)
{
	autofree char *directory = state_directory(options);
	int error = make_detector(options, judging);

	if (error || !directory)
		return error;
	error = ctd_kept_open(directory, KEPT_NAME, &judging->kept);
	if (error == -EWOULDBLOCK) {
		ctd_warn("another serve has '%s/" KEPT_NAME
			 ".0': the history of containers is not kept here",
			 directory);
		return 0;
	}
	if (error)
		return ctd_log_error(error, "open '%s/" KEPT_NAME ".0', where --state-dir is to be",
				     directory);
	judging->save_ns = ctd_monotonic_ns() + SAVE_NS;
	return take_up(options, directory, judging);
}

static void save(struct ctd_judging *judging)
{
	autofree void *bytes = NULL;
	size_t count;
	int error = ctd_neighbours_save(judging->feed.neighbours, &bytes, &count);

	if (!error)
		error = ctd_kept_write(&judging->kept, bytes, count);
	if (error && !judging->failing)
		ctd_log_error(error, "keep the history of containers; the last one stays");
	judging->failing = error;
}

/* In which part of the last seconds tasks waited: of what a tag names, by the kernel's own word. */
static void add_pressure(struct ctd_neighbours *neighbours, size_t tag,
			 const struct ctd_neighbour_names *names, const char *const evidence[],
			 const struct ctd_collector *collector)
{
	double ratio;

	for (int i = 0; names->cgroup && i < CTD_RESOURCES; i++)
		if (ctd_collector_pressure(collector, names->cgroup, (enum ctd_resource)i, &ratio))
			ctd_neighbours_add_evidence(neighbours, tag, evidence[i], ratio);
}

static void add_pressures(struct ctd_neighbours *neighbours, const struct ctd_collector *collector)
{
	static const char *const of_victim[CTD_RESOURCES] = {"victim_cpu_pressure",
							     "victim_memory_pressure"};
	static const char *const of_antagonist[CTD_RESOURCES] = {"antagonist_cpu_pressure",
								 "antagonist_memory_pressure"};
	size_t count;
	const struct ctd_neighbour_tag *tags = ctd_neighbours_tags(neighbours, &count);

	for (size_t i = 0; i < count; i++) {
		add_pressure(neighbours, i, tags[i].victim, of_victim, collector);
		if (tags[i].antagonists_count)
			add_pressure(neighbours, i, tags[i].antagonists[0].names, of_antagonist,
				     collector);
	}
}

const struct ctd_neighbour_verdicts *ctd_judging_take(struct ctd_judging *judging,
						      const struct ctd_ledger_view *view,
						      const struct ctd_collector *collector)
{
	struct ctd_neighbour_verdicts now, *verdicts = NULL;
	uint64_t now_ns = ctd_monotonic_ns();
	bool judged = false;
	int error = judging->feed.neighbours ? ctd_accounts_feed_take(&judging->feed, view, &judged)
					     : 0;

	if (!error && !judged)
		return NULL;
	if (!error) {
		add_pressures(judging->feed.neighbours, collector);
		now = ctd_neighbours_verdicts(judging->feed.neighbours, view->realtime_ns);
		verdicts = ctd_neighbour_verdicts_copy(&now);
		error = verdicts ? 0 : -ENOMEM;
	}
	/* The sample is lost. */
	if (error) {
		ctd_log_error(error, "judge neighbours");
		return NULL;
	}
	for (int i = 0; i < CTD_MECHANISMS; i++)
		for (int j = 0; j < CTD_BLAMES; j++)
			verdicts->lost_slots[i][j] = (uint64_t)judging->feed.lost_slots[i][j];
	if (judging->kept.fd[0] >= 0 && now_ns >= judging->save_ns) {
		save(judging);
		judging->save_ns = now_ns + SAVE_NS;
	}
	return verdicts;
}

void ctd_judging_look(struct ctd_judging *judging, const struct ctd_ledger_view *view)
{
	int error = judging->feed.neighbours ? ctd_accounts_feed_look(&judging->feed, view) : 0;

	if (error)
		ctd_log_error(error, "add up which neighbours had the CPU");
}

void ctd_judging_close(struct ctd_judging *judging)
{
	if (judging->kept.fd[0] >= 0 && judging->feed.neighbours)
		save(judging);
	ctd_kept_close(&judging->kept);
	ctd_accounts_feed_close(&judging->feed);
}
