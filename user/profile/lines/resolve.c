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

/* That much one file may take, however many owners are to have their turns. */
#define LIMIT_LEAST_NS UINT64_C(50000000)
/* In less nothing is read. */
#define TIME_LEAST_NS UINT64_C(1000000)

/* A function of the stacks that is a place. */
struct wish {
	uint64_t place;
	uint32_t function;
};

/* The wishes of a file. */
struct job {
	const struct wish *wishes;
	size_t count;
	struct ctd_line_file *file;
	bool done;
	const char *why; /* there are no lines of it, or not all; NULL: not known */
};

struct resolving {
	const struct ctd_line_resolving *how;
	struct wish *wishes; /* owned */
	struct job *jobs; /* owned */
	size_t wishes_count, jobs_count, done;
	size_t owners; /* that have jobs */
	uint64_t end_ns;
	struct ctd_lines *lines;
};

static void resolving_free(struct resolving *resolving)
{
	free(resolving->wishes);
	free(resolving->jobs);
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
	if (!resolving->wishes || !resolving->jobs)
		return -ENOMEM;
	for (uint32_t i = 0; i < stacks->functions_count; i++)
		if (stacks->functions[i].place)
			resolving->wishes[resolving->wishes_count++] =
				(struct wish){stacks->functions[i].place, i};
	qsort(resolving->wishes, resolving->wishes_count, sizeof(*resolving->wishes),
	      compare_wishes);
	return 0;
}

static void add_job(struct resolving *resolving, struct ctd_line_file *file,
		    const struct wish *wishes)
{
	resolving->jobs[resolving->jobs_count++] = (struct job){.wishes = wishes, .file = file};
	resolving->owners += !file->owner->jobs++;
}

static void find_jobs(struct resolving *resolving)
{
	struct ctd_line_files *files = resolving->how->files;
	uint32_t last = 0;

	for (uint32_t i = 0; i < files->count; i++) {
		struct ctd_line_owner *owner = files->files[i].owner;

		if (owner)
			owner->texts_count = owner->texts_bytes = owner->frames_count =
				owner->chains_count = owner->jobs = 0;
	}
	for (size_t i = 0; i < resolving->wishes_count; i++) {
		const struct wish *wish = &resolving->wishes[i];
		uint32_t number = CTD_FRAME_EXECUTABLE(wish->place);
		struct ctd_line_file *file =
			number && number <= files->count ? &files->files[number - 1] : NULL;

		/* Of files that are not there, nothing is wished. */
		if (!file || !file->owner || file->fd < 0)
			continue;
		if (number != last)
			add_job(resolving, file, wish);
		last = number;
		resolving->jobs[resolving->jobs_count - 1].count++;
	}
}

/* The time for one file: an equal part of what is left, of each owner that has jobs. */
static uint64_t limit_of(const struct resolving *resolving)
{
	uint64_t now_ns = ctd_monotonic_ns(), limit_ns;
	uint64_t left_ns = now_ns < resolving->end_ns ? resolving->end_ns - now_ns : 0;

	limit_ns = left_ns / (resolving->owners ? resolving->owners : 1);
	if (limit_ns < LIMIT_LEAST_NS)
		limit_ns = left_ns < LIMIT_LEAST_NS ? left_ns : LIMIT_LEAST_NS;
	return limit_ns < CTD_LINE_WORKER_NS ? limit_ns : CTD_LINE_WORKER_NS;
}

/* Did it take too long in nearly as much time? */
static bool is_hopeless(const struct job *job, uint64_t limit_ns)
{
	return job->file->failed_ns > limit_ns / 2;
}

static bool goes_before(const struct job *job, const struct job *other, uint64_t limit_ns)
{
	const struct ctd_line_file *a = job->file, *b = other->file;

	if (is_hopeless(job, limit_ns) != is_hopeless(other, limit_ns))
		return is_hopeless(other, limit_ns);
	if (a->owner->used_ns != b->owner->used_ns)
		return a->owner->used_ns < b->owner->used_ns;
	return a->failed_ns < b->failed_ns;
}

/* Of the owner that had the least time; NULL: all are done. */
static struct job *next_job(struct resolving *resolving, uint64_t limit_ns)
{
	struct job *next = NULL;

	for (size_t i = 0; i < resolving->jobs_count; i++) {
		struct job *job = &resolving->jobs[i];

		if (!job->done && (!next || goes_before(job, next, limit_ns)))
			next = job;
	}
	return next;
}

/* What is missing of a file that could not be read before has been told then. */
static void end_job(struct resolving *resolving, struct job *job)
{
	job->done = true;
	resolving->done++;
	resolving->owners -= !--job->file->owner->jobs;
	if (job->why)
		resolving->how->lacks(job->file->path, job->why, resolving->how->context);
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

_Static_assert(CTD_DEMANGLED_MAX <= CTD_LINE_TEXT_MAX, "a name is a text");

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
		error = texts->text.failed ? -ENOMEM
					   : ctd_lines_add_text(texts->lines, texts->text.text,
								texts->text.bytes, known);
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

/* Whatever the files of one owner have had of the room for lines, as much is left for others. */
static bool has_share(const struct ctd_lines *lines, const struct ctd_line_owner *owner)
{
	return owner->texts_count < CTD_LINE_TEXTS_MAX - lines->texts_count &&
	       owner->texts_bytes < CTD_LINE_BYTES_MAX - lines->texts_bytes &&
	       owner->frames_count < CTD_LINE_FRAMES_ALL_MAX - lines->frames_count &&
	       owner->chains_count < CTD_LINE_CHAINS_MAX - lines->chains_count;
}

/* The chains of an answer up to @p end_ns: their names may be made to take long.
 * @return 0, -ENOMEM, -EINTR, -ETIME, or -E2BIG. */
static int take_chains(struct texts *texts, const struct ctd_line_resolving *how,
		       const struct job *job, const size_t *first_of, uint64_t end_ns)
{
	struct ctd_lines *lines = texts->lines;
	struct ctd_line_owner *owner = job->file->owner;
	int error = 0;

	for (size_t i = 0; !error && i < texts->answer->chains_count; i++) {
		struct ctd_lines before = *lines;

		if (how->stop(how->context))
			return -EINTR;
		if (ctd_monotonic_ns() >= end_ns)
			return -ETIME;
		if (!has_share(lines, owner))
			return -E2BIG;
		error = take_chain(texts, job, first_of, &texts->answer->chains[i]);
		owner->texts_count += lines->texts_count - before.texts_count;
		owner->texts_bytes += lines->texts_bytes - before.texts_bytes;
		owner->frames_count += lines->frames_count - before.frames_count;
		owner->chains_count += lines->chains_count - before.chains_count;
	}
	return error;
}

/* What has no room, or no time, is missing. @return 0, -ENOMEM or -EINTR. */
static int take_answer(struct resolving *resolving, const struct job *job, const size_t *first_of,
		       const struct ctd_lines *answer, uint64_t end_ns, const char **ret_why)
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
	if (!error)
		error = take_chains(&texts, resolving->how, job, first_of, end_ns);
	if (error == -E2BIG)
		*ret_why = "its cgroup has more lines than are kept";
	if (error == -ETIME)
		*ret_why = "its names take too long to read";
	return error == -E2BIG || error == -ETIME ? 0 : error;
}

/* The addresses of its places, each once, and the first wish of each. @return how many; with
 * *ret_why where there are more. */
static size_t find_addresses(const struct job *job, uint64_t *addresses, size_t *first_of,
			     const char **ret_why)
{
	size_t count = 0;

	for (size_t i = 0; i < job->count; i++) {
		if (i && job->wishes[i].place == job->wishes[i - 1].place)
			continue;
		if (count == CTD_LINE_ADDRESSES_MAX) {
			*ret_why = "it was sampled at more instructions than are looked for";
			break;
		}
		first_of[count] = i;
		addresses[count++] = CTD_FRAME_ADDRESS(job->wishes[i].place);
	}
	return count;
}

/* @return 0, as of ctd_line_helper_ask(), or -ENOMEM. */
static int read_file(struct resolving *resolving, const struct job *job, uint64_t limit_ns,
		     const char **ret_why)
{
	const struct ctd_line_resolving *how = resolving->how;
	autofree uint64_t *addresses = malloc(job->count * sizeof(*addresses));
	autofree size_t *first_of = malloc(job->count * sizeof(*first_of));
	auto_ctd_lines struct ctd_lines answer = {0};
	struct ctd_line_question question = {
		.fd = job->file->fd,
		.addresses = addresses,
		.limit_ns = limit_ns,
		.stop = how->stop,
		.context = how->context,
	};
	uint64_t end_ns = ctd_monotonic_ns() + limit_ns;
	const char *why = NULL;
	int error;

	if (!addresses || !first_of)
		return -ENOMEM;
	if (!ctd_line_file_is_as_it_was(job->file)) {
		*ret_why = "it was changed since";
		return -ENODATA;
	}
	question.count = find_addresses(job, addresses, first_of, &why);
	error = ctd_line_helper_ask(how->helper, &question, &answer, ret_why);
	if (!error)
		error = take_answer(resolving, job, first_of, &answer, end_ns, ret_why);
	*ret_why = *ret_why ? *ret_why : why;
	return error;
}

/* Reads a file; one that takes too long may have its turn again, when there is more time for it.
 * @return 0, -ENOMEM, or another negative errno: it makes no sense to go on. */
static int do_job(struct resolving *resolving, struct job *job, uint64_t limit_ns)
{
	uint64_t begin_ns = ctd_monotonic_ns();
	int error;

	job->why = NULL;
	error = read_file(resolving, job, limit_ns, &job->why);
	job->file->owner->used_ns += ctd_monotonic_ns() - begin_ns;
	switch (error) {
	case -ETIME:
		job->file->failed_ns = limit_ns;
		return 0;
	case -ENODATA:
		job->file->failed_ns = UINT64_MAX;
		break;
	case 0:
	case -EMFILE:
		break;
	default:
		return error;
	}
	end_job(resolving, job);
	return 0;
}

int ctd_lines_resolve(const struct ctd_line_resolving *how, const struct ctd_stacks *stacks,
		      struct ctd_lines *lines)
{
	__attribute__((cleanup(resolving_free))) struct resolving resolving = {
		.how = how, .lines = lines, .end_ns = ctd_monotonic_ns() + how->time_ns};
	int error = find_wishes(&resolving, stacks);
	const char *rest = NULL;
	uint64_t limit_ns;
	struct job *job;

	if (error)
		return error;
	find_jobs(&resolving);
	while (resolving.done < resolving.jobs_count) {
		limit_ns = limit_of(&resolving);
		job = next_job(&resolving, limit_ns);
		if (!rest && limit_ns < TIME_LEAST_NS)
			rest = "there was no time left for it";
		if (rest && !job->file->failed_ns)
			job->why = rest;
		if (rest || is_hopeless(job, limit_ns)) {
			end_job(&resolving, job);
			continue;
		}
		how->progress(resolving.done, resolving.jobs_count, how->context);
		error = do_job(&resolving, job, limit_ns);
		if (error == -ENOMEM)
			return error;
		if (error) {
			rest = error == -EINTR ? "it was given up"
					       : "the process that reads it is gone";
			job->why = rest;
			end_job(&resolving, job);
		}
	}
	how->progress(resolving.jobs_count, resolving.jobs_count, how->context);
	return 0;
}
