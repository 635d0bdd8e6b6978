/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* history.c - hands intervals to a thread that writes them into a directory. */
#include "serve/history/history.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/thread.h"
#include "history/coarsen.h"
#include "serve/history/keeper.h"

#define NS_PER_S 1000000000ull
/* Shorter intervals, as scrapes make them, are added up to about a second. */
#define LEAST_NS (950 * NS_PER_S / 1000)
/* A disk that takes nothing is tried again so often, and so much waits for it. */
#define RETRY_NS (10 * NS_PER_S)
#define WAITING_BYTES_MAX ((size_t)8 << 20)

/* Blocks of one segment that wait to be written. */
struct chunk {
	struct chunk *next;
	bool begins;
	uint64_t begin_ns, end_ns;
	struct ctd_strbuf text; /* owned */
};

struct ctd_history {
	struct ctd_history_options options;
	pthread_t thread;
	bool has_thread;

	/* Of the collector's thread. */
	struct ctd_record_header header;
	struct ctd_coarsener sum; /* owned */
	struct ctd_segment_writer writer; /* owned; not begun: the next interval begins a segment */
	struct ctd_strbuf text; /* owned; what the writer wrote since the last chunk */
	uint64_t segment_bytes; /* that were handed on of this segment */

	pthread_mutex_t lock; /* of these: */
	pthread_cond_t changed;
	struct chunk *first, **last; /* owned */
	size_t waiting_bytes;
	bool lost; /* chunks: what follows has to begin a segment */
	bool stop;
	uint64_t lost_intervals, bytes; /* bytes: of the files, as of the last try */
	bool failing; /* the last try did */
	bool stuck; /* it grows beyond its size */

	struct ctd_keeper keeper; /* owned; of the thread */
};

static void chunk_free(struct chunk *chunk)
{
	if (chunk)
		ctd_strbuf_free(&chunk->text);
	free(chunk);
}

/* Takes the first chunk out. */
static struct chunk *take_first(struct ctd_history *history)
{
	struct chunk *chunk = history->first;

	if (!chunk)
		return NULL;
	history->first = chunk->next;
	if (!history->first)
		history->last = &history->first;
	history->waiting_bytes -= chunk->text.bytes;
	return chunk;
}

/* One line when it begins, one when it is over. */
static void tell(struct ctd_history *history, int error)
{
	bool was_failing;

	pthread_mutex_lock(&history->lock);
	was_failing = history->failing;
	history->failing = error;
	history->stuck = history->keeper.stuck;
	history->bytes = history->keeper.bytes;
	pthread_mutex_unlock(&history->lock);
	if (error && !was_failing)
		ctd_log(CTD_LOG_ERROR,
			"history: nothing can be written in '%s': %s; it is tried again, and what does not fit into 8 MB of memory until then is lost",
			history->options.directory,
			error == -EBUSY ? "another serve writes there" : ctd_log_reason(error));
	else if (!error && was_failing)
		ctd_info("history: '%s' is written again", history->options.directory);
}

static int write_chunk(struct ctd_history *history, const struct chunk *chunk)
{
	uint32_t step_s = ctd_keeper_step_s(history->options.interval_ns);
	int error = ctd_keeper_append(&history->keeper, chunk->begins, step_s, chunk->begin_ns,
				      chunk->end_ns, chunk->text.text, chunk->text.bytes);

	tell(history, error);
	return error;
}

/* Waits for a chunk, or after a failure for RETRY_NS. @return the chunk, or NULL: the end. */
static struct chunk *wait_for_chunk(struct ctd_history *history, bool failed)
{
	uint64_t until_ns = ctd_monotonic_ns() + RETRY_NS;
	const struct timespec until = {.tv_sec = (time_t)(until_ns / NS_PER_S),
				       .tv_nsec = (long)(until_ns % NS_PER_S)};
	int expired = !failed;

	while (!history->stop && (!history->first || !expired))
		if (failed && !expired)
			expired = pthread_cond_timedwait(&history->changed, &history->lock, &until);
		else
			pthread_cond_wait(&history->changed, &history->lock);
	return take_first(history);
}

static void put_back(struct ctd_history *history, struct chunk *chunk)
{
	chunk->next = history->first;
	if (!history->first)
		history->last = &chunk->next;
	history->first = chunk;
	history->waiting_bytes += chunk->text.bytes;
}

static void *run(void *context)
{
	struct ctd_history *history = context;
	struct chunk *chunk;
	int error = ctd_keeper_open(&history->keeper);

	tell(history, error);
	pthread_mutex_lock(&history->lock);
	while ((chunk = wait_for_chunk(history, error))) {
		pthread_mutex_unlock(&history->lock);
		error = write_chunk(history, chunk);
		pthread_mutex_lock(&history->lock);
		if (error && !history->stop) {
			put_back(history, chunk);
			continue;
		}
		chunk_free(chunk);
	}
	pthread_mutex_unlock(&history->lock);
	return NULL;
}

void ctd_history_prepare(const char *directory)
{
	if (mkdir(directory, 0750) && errno != EEXIST)
		ctd_log_error(-errno, "history: make the directory '%s'", directory);
}

int ctd_history_new(const struct ctd_history_options *options, struct ctd_history **ret_history)
{
	struct ctd_history *history = calloc(1, sizeof(*history));
	int error;

	if (!history)
		return ctd_log_error(-ENOMEM, "keep a history");
	history->options = *options;
	pthread_mutex_init(&history->lock, NULL);
	ctd_cond_init(&history->changed);
	history->last = &history->first;
	ctd_keeper_init(options->directory, options->bytes_max, &history->keeper);
	error = ctd_thread_start(&history->thread, "ctd-history", run, history);
	history->has_thread = !error;
	if (error) {
		ctd_history_free(history, NULL);
		return ctd_log_error(error, "start a thread that keeps a history");
	}
	*ret_history = history;
	return 0;
}

static void end_segment(struct ctd_history *history)
{
	ctd_coarsener_clear(&history->sum);
	ctd_segment_end(&history->writer);
	/* A begin of it that could not be handed on is not of the next one. */
	ctd_strbuf_free(&history->text);
	history->text = (struct ctd_strbuf){0};
}

/* Everything that waits is lost where it is too much: in parts it could not be read. */
static void hand_on(struct ctd_history *history, struct chunk *chunk)
{
	pthread_mutex_lock(&history->lock);
	if (history->waiting_bytes + chunk->text.bytes > WAITING_BYTES_MAX) {
		for (; history->first; history->lost_intervals++)
			chunk_free(take_first(history));
		history->lost = true;
		history->lost_intervals++;
		chunk_free(chunk);
	} else {
		*history->last = chunk;
		history->last = &chunk->next;
		history->waiting_bytes += chunk->text.bytes;
	}
	pthread_cond_signal(&history->changed);
	pthread_mutex_unlock(&history->lock);
}

static bool take_loss(struct ctd_history *history)
{
	bool lost;

	pthread_mutex_lock(&history->lock);
	lost = history->lost;
	history->lost = false;
	pthread_mutex_unlock(&history->lock);
	return lost;
}

/* What is in the sum becomes blocks of a segment. @return 0 or -ENOMEM. */
static int write_sum(struct ctd_history *history, const struct ctd_identities *identities,
		     bool *ret_begins)
{
	struct ctd_segment_writer *writer = &history->writer;
	int error = 0;

	*ret_begins = !writer->record;
	if (!writer->record)
		error = ctd_segment_begin(writer, &history->header, &history->text);
	if (!error)
		error = ctd_segment_write_names(writer, &history->sum.sum, identities);
	return error ? error : ctd_segment_write_interval(writer, &history->sum.sum);
}

static int hand_sum_on(struct ctd_history *history, const struct ctd_identities *identities)
{
	const struct ctd_interval *sum = &history->sum.sum;
	struct chunk *chunk;
	bool begins;

	if (take_loss(history) ||
	    history->segment_bytes >= ctd_keeper_segment_bytes(history->options.bytes_max))
		ctd_segment_end(&history->writer);
	chunk = calloc(1, sizeof(*chunk));
	if (!chunk || write_sum(history, identities, &begins)) {
		free(chunk);
		return -ENOMEM;
	}
	if (begins)
		history->segment_bytes = 0;
	*chunk = (struct chunk){.begins = begins,
				.begin_ns = sum->realtime_ns - sum->window_ns,
				.end_ns = sum->realtime_ns,
				.text = history->text};
	history->text = (struct ctd_strbuf){0};
	history->segment_bytes += chunk->text.bytes;
	hand_on(history, chunk);
	return 0;
}

static void lose(struct ctd_history *history, int error)
{
	pthread_mutex_lock(&history->lock);
	history->lost_intervals++;
	pthread_mutex_unlock(&history->lock);
	ctd_log_error(error, "keep an interval in the history, which is lost");
}

void ctd_history_replan(struct ctd_history *history, const struct ctd_record_header *header,
			const struct ctd_identities *identities)
{
	if (history->sum.sum.groups_count && hand_sum_on(history, identities))
		lose(history, -ENOMEM);
	end_segment(history);
	history->header = *header;
}

void ctd_history_enter(struct ctd_history *history, const struct ctd_interval *interval,
		       bool looked, const struct ctd_identities *identities)
{
	int error = ctd_coarsener_add(&history->sum, interval);

	if (!error && (looked || history->sum.sum.window_ns < LEAST_NS))
		return;
	if (!error)
		error = hand_sum_on(history, identities);
	ctd_coarsener_clear(&history->sum);
	if (!error)
		return;
	/* What the writer wrote may be half of it. */
	ctd_strbuf_free(&history->text);
	history->text = (struct ctd_strbuf){0};
	ctd_segment_end(&history->writer);
	lose(history, error);
}

void ctd_history_tell(struct ctd_history *history, struct ctd_self *self)
{
	pthread_mutex_lock(&history->lock);
	self->history_bytes = history->bytes;
	self->history_bytes_max = history->options.bytes_max;
	self->history_lost_intervals = history->lost_intervals;
	self->history_failing = history->failing || history->stuck;
	pthread_mutex_unlock(&history->lock);
}

void ctd_history_free(struct ctd_history *history, const struct ctd_identities *identities)
{
	if (!history)
		return;
	if (history->has_thread && history->sum.sum.groups_count)
		hand_sum_on(history, identities);
	pthread_mutex_lock(&history->lock);
	history->stop = true;
	pthread_cond_signal(&history->changed);
	pthread_mutex_unlock(&history->lock);
	if (history->has_thread)
		pthread_join(history->thread, NULL);
	while (history->first)
		chunk_free(take_first(history));
	ctd_keeper_close(&history->keeper);
	end_segment(history);
	pthread_cond_destroy(&history->changed);
	pthread_mutex_destroy(&history->lock);
	free(history);
}
