/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* resolve.c - finds the lines of all places in stacks, file by file, in turn for each cgroup. */
#include "profile/lines/resolve.h"

#include <cgtopdown/profile_abi.h>
#include <errno.h>
#include <stdlib.h>

#include "base/auto.h"
#include "base/clock.h"
#include "base/utf8.h"
#include "profile/symbols/demangle.h"

/* A function of the stacks that is a place. */
struct wish {
	uint64_t place;
	uint32_t function;
};

/* The wishes of a file. */
struct job {
	const struct wish *wishes;
	size_t count;
	const struct ctd_line_file *file;
	bool done;
};

struct resolving {
	const struct ctd_line_resolving *how;
	struct wish *wishes; /* owned */
	struct job *jobs; /* owned */
	size_t wishes_count, jobs_count;
	uint64_t *used_ns; /* owned; by jobs: time that its owner has had */
	struct ctd_lines *lines;
};

static void resolving_free(struct resolving *resolving)
{
	free(resolving->wishes);
	free(resolving->jobs);
	free(resolving->used_ns);
}

static int compare_wishes(const void *left, const void *right)
{
	const struct wish *a = left, *b = right;

	if (a->place != b->place)
		return a->place < b->place ? -1 : 1;
	return a->function < b->function ? -1 : a->function > b->function;
}

static int find_wishes(struct resolving *resolving, const struct ctd_stacks *stacks)
{
	resolving->wishes = malloc((stacks->functions_count + 1) * sizeof(*resolving->wishes));
	resolving->jobs = calloc(CTD_LINE_FILES_MAX + 1, sizeof(*resolving->jobs));
	resolving->used_ns = calloc(CTD_LINE_FILES_MAX + 1, sizeof(*resolving->used_ns));
	if (!resolving->wishes || !resolving->jobs || !resolving->used_ns)
		return -ENOMEM;
	for (uint32_t i = 0; i < stacks->functions_count; i++)
		if (stacks->functions[i].place)
			resolving->wishes[resolving->wishes_count++] =
				(struct wish){stacks->functions[i].place, i};
	qsort(resolving->wishes, resolving->wishes_count, sizeof(*resolving->wishes),
	      compare_wishes);
	return 0;
}

static void find_jobs(struct resolving *resolving)
{
	struct job *job = NULL;

	for (size_t i = 0; i < resolving->wishes_count; i++) {
		const struct wish *wish = &resolving->wishes[i];
		uint32_t number = CTD_FRAME_EXECUTABLE(wish->place);

		/* Of files that are not there, nothing is wished. */
		if (!number || number > resolving->how->files->count ||
		    resolving->how->files->files[number - 1].fd < 0)
			continue;
		if (!job || job->file != &resolving->how->files->files[number - 1]) {
			job = &resolving->jobs[resolving->jobs_count++];
			*job = (struct job){.wishes = wish,
					    .file = &resolving->how->files->files[number - 1]};
		}
		job->count++;
	}
}

/* Of the owner that had the least time; NULL: all are done. */
static struct job *next_job(struct resolving *resolving)
{
	struct job *next = NULL;
	uint64_t least_ns = UINT64_MAX;

	for (size_t i = 0; i < resolving->jobs_count; i++) {
		if (resolving->jobs[i].done || resolving->used_ns[i] >= least_ns)
			continue;
		next = &resolving->jobs[i];
		least_ns = resolving->used_ns[i];
	}
	return next;
}

static void account(struct resolving *resolving, const struct job *job, uint64_t took_ns)
{
	for (size_t i = 0; i < resolving->jobs_count; i++)
		if (resolving->jobs[i].file->owner == job->file->owner)
			resolving->used_ns[i] += took_ns;
}

/* Texts of an answer, by what they stand for in the lines; 0: not taken yet. */
struct texts {
	const struct ctd_lines *answer;
	struct ctd_lines *lines;
	uint32_t *names, *sources; /* owned */
	struct ctd_strbuf text; /* owned */
};

static void texts_free(struct texts *texts)
{
	free(texts->names);
	free(texts->sources);
	ctd_strbuf_free(&texts->text);
}

static int take_text(struct texts *texts, uint32_t from, bool is_name, uint32_t *to)
{
	uint32_t *known = is_name ? &texts->names[from] : &texts->sources[from];
	int error = 0;

	if (from && !*known) {
		texts->text.bytes = 0;
		ctd_strbuf_add(&texts->text, "");
		if (is_name)
			ctd_demangle(&texts->text, texts->answer->texts[from]);
		else
			ctd_utf8_add(&texts->text, texts->answer->texts[from], CTD_LINE_TEXT_MAX);
		error = texts->text.failed
				? -ENOMEM
				: ctd_lines_add_text(texts->lines, texts->text.text,
						     texts->text.bytes < CTD_LINE_TEXT_MAX
							     ? texts->text.bytes
							     : CTD_LINE_TEXT_MAX,
						     known);
	}
	*to = *known;
	return error;
}

static int take_chain(struct texts *texts, const struct job *job, const size_t *first_of,
		      const struct ctd_line_chain *chain)
{
	struct ctd_line_frame frames[CTD_LINE_FRAMES_MAX];
	const struct wish *wish = &job->wishes[first_of[chain->key]];
	uint64_t place = wish->place;
	int error = 0;

	for (uint32_t i = 0; !error && i < chain->count; i++) {
		frames[i] = texts->answer->frames[chain->first + i];
		error = take_text(texts, frames[i].name, true, &frames[i].name);
		if (!error)
			error = take_text(texts, frames[i].source, false, &frames[i].source);
	}
	/* A function may have been found by two names. */
	for (; !error && wish < job->wishes + job->count && wish->place == place; wish++)
		error = ctd_lines_add(texts->lines, wish->function, frames, chain->count);
	return error;
}

static int take_answer(struct resolving *resolving, const struct job *job, const size_t *first_of,
		       const struct ctd_lines *answer)
{
	__attribute__((cleanup(texts_free))) struct texts texts = {
		.answer = answer,
		.lines = resolving->lines,
		.names = calloc(answer->texts_count + 1, sizeof(uint32_t)),
		.sources = calloc(answer->texts_count + 1, sizeof(uint32_t)),
	};
	uint32_t nothing;
	int error = texts.names && texts.sources ? 0 : -ENOMEM;

	if (!error && !resolving->lines->texts_count)
		error = ctd_lines_add_text(resolving->lines, "", 0, &nothing);
	for (size_t i = 0; !error && i < answer->chains_count; i++)
		error = take_chain(&texts, job, first_of, &answer->chains[i]);
	return error;
}

/* @return 0, -EINTR: given up, -ENOMEM, or another negative errno: it makes no sense to go on. */
static int read_file(struct resolving *resolving, const struct job *job, const char **ret_why)
{
	const struct ctd_line_resolving *how = resolving->how;
	autofree uint64_t *addresses = malloc(job->count * sizeof(*addresses));
	autofree size_t *first_of = malloc(job->count * sizeof(*first_of));
	auto_ctd_lines struct ctd_lines answer = {0};
	size_t count = 0;
	int error;

	if (!addresses || !first_of)
		return -ENOMEM;
	for (size_t i = 0; i < job->count && count < CTD_LINE_ADDRESSES_MAX; i++) {
		if (i && job->wishes[i].place == job->wishes[i - 1].place)
			continue;
		first_of[count] = i;
		addresses[count++] = CTD_FRAME_ADDRESS(job->wishes[i].place);
	}
	if (!ctd_line_file_is_as_it_was(job->file)) {
		*ret_why = "it was changed since";
		return 0;
	}
	error = ctd_line_helper_ask(how->helper, job->file->fd, addresses, count, how->stop,
				    how->context, &answer, ret_why);
	if (error)
		return error == -ENODATA ? 0 : error;
	error = take_answer(resolving, job, first_of, &answer);
	if (error == -E2BIG)
		*ret_why = "there are more lines than are kept";
	return error == -E2BIG ? 0 : error;
}

int ctd_lines_resolve(const struct ctd_line_resolving *how, const struct ctd_stacks *stacks,
		      struct ctd_lines *lines)
{
	__attribute__((cleanup(resolving_free))) struct resolving resolving = {.how = how,
									       .lines = lines};
	uint64_t end_ns = ctd_monotonic_ns() + how->time_ns;
	int error = find_wishes(&resolving, stacks);
	const char *rest = NULL;
	struct job *job;

	if (error)
		return error;
	find_jobs(&resolving);
	for (size_t done = 0; (job = next_job(&resolving)); done++) {
		uint64_t begin_ns = ctd_monotonic_ns();
		const char *why = rest;

		job->done = true;
		if (!rest && begin_ns >= end_ns)
			rest = why = "there was no time left for it";
		if (!rest) {
			how->progress(done, resolving.jobs_count, how->context);
			error = read_file(&resolving, job, &why);
			account(&resolving, job, ctd_monotonic_ns() - begin_ns);
		}
		if (error == -ENOMEM)
			return error;
		if (error)
			rest = why = error == -EINTR ? "it was given up"
						     : "the process that reads it is gone";
		error = 0;
		if (why)
			how->lacks(job->file->path, why, how->context);
	}
	how->progress(resolving.jobs_count, resolving.jobs_count, how->context);
	return 0;
}
