/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* answer.c - divides the figures of a time among its stacks, and writes them as was asked. */
#include "serve/profile/answer.h"

#include <errno.h>
#include <string.h>

#include "base/auto.h"
#include "base/clock.h"
#include "base/gzip.h"
#include "base/strbuf.h"
#include "decode/rows.h"
#include "ledger/ledger.h"

/* A key that says no core is of all. */
static bool has_key(const struct ctd_account_who *who, const char *key)
{
	return strcmp(who->key_text, key) == 0 ||
	       (strlen(key) == who->key_shared_bytes &&
		memcmp(who->key_text, key, who->key_shared_bytes) == 0);
}

/* Several cgroups of one unit have one key. */
static int keep_key(const char *key, struct ctd_profile *profile)
{
	size_t kept = 0;

	for (size_t i = 0; i < profile->rows_count; i++) {
		const struct ctd_profile_row *row = &profile->rows[i];
		const struct ctd_account_who *who = ctd_who_of(
			row->row, profile->rollup->plan->core_types[row->core_type].name);

		if (!who)
			return -ENOMEM;
		if (has_key(who, key))
			profile->rows[kept++] = profile->rows[i];
		ctd_who_release(who);
	}
	profile->rows_count = kept;
	return 0;
}

static int write_json(const struct ctd_profile_question *question,
		      const struct ctd_profile_sink_options *options,
		      const struct ctd_profile *profile, struct ctd_strbuf *answer)
{
	auto_ctd_strbuf struct ctd_strbuf text = {0};
	autofree char *compressed = NULL;
	size_t bytes;

	if (ctd_profile_json(options, profile, &text))
		return -ENOMEM;
	ctd_strbuf_add(&text, "\n");
	if (text.failed || (question->gzip && ctd_gzip(text.text, text.bytes, &compressed, &bytes)))
		return -ENOMEM;
	if (question->gzip)
		ctd_strbuf_add_bytes(answer, compressed, bytes);
	else
		ctd_strbuf_add_bytes(answer, text.text, text.bytes);
	return answer->failed ? -ENOMEM : 0;
}

static int write_profile(const struct ctd_profile_question *question, struct ctd_profile *profile,
			 struct ctd_strbuf *answer)
{
	const struct ctd_profile_sink_options options = {.no_frames = question->no_frames};
	int error = question->key ? keep_key(question->key, profile) : 0;

	if (error)
		return error;
	ctd_profile_keep_wanted(&question->wanted, profile);
	return question->recent ? write_json(question, &options, profile, answer)
				: ctd_profile_pprof.write(&options, profile, answer);
}

static int make_profile(const struct ctd_profile_question *question,
			const struct ctd_rollup_plan *plan, const struct ctd_identities *identities,
			const struct ctd_interval *interval, const struct ctd_stacks *stacks,
			struct ctd_strbuf *answer)
{
	static const struct ctd_rollup_options by_container = {.by = CTD_GROUP_CONTAINER};
	struct ctd_rollup rollup;
	struct ctd_profile profile;
	int error = ctd_rollup_make(plan, interval, identities, &by_container, &rollup);

	if (error)
		return error;
	error = ctd_profile_make(stacks, interval, &rollup, &profile);
	if (!error) {
		error = write_profile(question, &profile, answer);
		ctd_profile_free(&profile);
	}
	ctd_rollup_free(&rollup);
	return error;
}

int ctd_profile_answer(const struct ctd_profile_question *question,
		       const struct ctd_record_header *header, const struct ctd_rollup_plan *plan,
		       const struct ctd_identities *identities, const struct ctd_profile_sum *sum,
		       uint64_t period_ns, struct ctd_strbuf *answer)
{
	struct ctd_interval nothing = {
		.realtime_ns = ctd_realtime_ns(),
		.counters_count = (uint32_t)plan->counters_count,
		.groups_count = (uint32_t)plan->groups_count,
	};
	const struct ctd_interval *interval =
		sum->interval.groups_count ? &sum->interval : &nothing;
	struct ctd_stacks *none = NULL;
	int error = ctd_interval_reserve(&nothing, 0);

	if (!error)
		error = ctd_interval_reserve_totals(&nothing);
	if (!error && !sum->stacks)
		error = ctd_stacks_new(period_ns, plan->counters_count, plan->groups_count, &none);
	if (!error && question->recording)
		error = ctd_profile_recording(header, interval, identities,
					      none ? none : sum->stacks, answer);
	else if (!error)
		error = make_profile(question, plan, identities, interval,
				     none ? none : sum->stacks, answer);
	ctd_stacks_free(none);
	ctd_interval_free(&nothing);
	return error;
}
