/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* walk.c - goes through the intervals of a history's directory, in order. */
#include "history/walk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/clock.h"
#include "base/log.h"

/* A serve that runs may put parts together while they are opened. */
#define TRIES 5
/* The kernel's clock for files may be behind by so much. */
#define FILE_TIME_NS 1000000000ull

/* A file that was written last before the time that is wanted has nothing of it. */
static bool is_older(int fd, uint64_t since_ns)
{
	struct stat status;

	if (fstat(fd, &status) || status.st_mtim.tv_sec < 0)
		return false;
	return ctd_timespec_ns(&status.st_mtim) + FILE_TIME_NS < since_ns;
}

/* The oldest and the newest say from when to when there is anything. */
static void leave_older(struct ctd_walk *walk)
{
	size_t first = 0, last = walk->parts_count;

	while (first < walk->parts_count && walk->fds[first] < 0)
		first++;
	while (last && walk->fds[last - 1] < 0)
		last--;
	for (size_t i = first + 1; i + 1 < last; i++)
		if (walk->fds[i] >= 0 && is_older(walk->fds[i], walk->since_ns)) {
			close(walk->fds[i]);
			walk->fds[i] = -1;
		}
}

static void tell(const struct ctd_walk *walk, const struct ctd_part *part, const char *why,
		 bool read_on, uint64_t lost_bytes)
{
	char name[CTD_PART_NAME_BYTES];

	ctd_part_name(part, name);
	if (walk->damaged)
		walk->damaged(name, why, read_on, lost_bytes);
}

/* It says nothing of the part that was to be read. */
static bool is_lack(int error)
{
	return error == -ENOMEM || error == -EMFILE || error == -ENFILE;
}

/* Where one cannot be opened its descriptor is the negative errno less one. @return 0, -ENOENT: a
 * part has gone meanwhile; or other negative errno. */
static int open_parts(struct ctd_walk *walk, int directory_fd, bool last_try)
{
	walk->fds = calloc(walk->parts_count + 1, sizeof(*walk->fds));
	if (!walk->fds)
		return -ENOMEM;
	for (size_t i = 0; i < walk->parts_count; i++)
		walk->fds[i] = -1;
	for (size_t i = 0; i < walk->parts_count; i++) {
		char name[CTD_PART_NAME_BYTES];

		if (walk->parts[i].covered)
			continue;
		ctd_part_name(&walk->parts[i], name);
		walk->fds[i] = openat(directory_fd, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
		if (walk->fds[i] >= 0)
			continue;
		if (is_lack(-errno) || (errno == ENOENT && !last_try))
			return -errno;
		walk->fds[i] = -errno - 1;
	}
	return 0;
}

/* @return 0, or negative errno: none of the parts could be opened, if there are any. */
static int tell_closed_ones(struct ctd_walk *walk)
{
	bool any = false;
	int error = 0;

	for (size_t i = 0; i < walk->parts_count; i++)
		if (walk->fds[i] >= 0)
			any = true;
		else if (walk->fds[i] < -1)
			error = walk->fds[i] + 1;
	if (error && !any)
		return error;
	for (size_t i = 0; i < walk->parts_count; i++)
		if (walk->fds[i] < -1) {
			tell(walk, &walk->parts[i], ctd_log_reason(walk->fds[i] + 1), false, 0);
			walk->fds[i] = -1;
		}
	return 0;
}

static void close_parts(struct ctd_walk *walk)
{
	for (size_t i = 0; walk->fds && i < walk->parts_count; i++)
		if (walk->fds[i] >= 0)
			close(walk->fds[i]);
	free(walk->fds);
	free(walk->parts);
	walk->fds = NULL;
	walk->parts = NULL;
	walk->parts_count = 0;
}

int ctd_walk_open(const char *directory, struct ctd_walk *walk)
{
	autoclose int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int error = -ENOENT;

	if (fd < 0)
		return -errno;
	for (int i = 0; i < TRIES && error == -ENOENT; i++) {
		close_parts(walk);
		error = ctd_parts_list(fd, &walk->parts, &walk->parts_count);
		if (!error)
			error = open_parts(walk, fd, i == TRIES - 1);
	}
	if (!error)
		error = tell_closed_ones(walk);
	if (!error)
		leave_older(walk);
	return error;
}

static bool is_wanted(struct ctd_walk *walk, uint64_t begin_ns, uint64_t end_ns)
{
	if (!walk->end_ns || begin_ns < walk->begin_ns)
		walk->begin_ns = begin_ns;
	if (end_ns > walk->end_ns)
		walk->end_ns = end_ns;
	return end_ns > walk->since_ns && begin_ns < walk->until_ns;
}

/* Ids of cgroups begin anew with each boot. */
static int take_boot(struct ctd_walk *walk, const struct ctd_part *part)
{
	struct ctd_identities *identities;
	int error;

	if (walk->identities && walk->boot == part->boot)
		return 0;
	error = ctd_identities_new(&identities);
	if (error)
		return error;
	/* The caller has seen none of a boot of which nothing could be read. */
	if (walk->identities_before)
		ctd_identities_free(walk->identities);
	else
		walk->identities_before = walk->identities;
	walk->identities = identities;
	walk->boot = part->boot;
	walk->has_header = false;
	return 0;
}

/* Opens the reader where the part has something that is wanted. */
static int open_part(struct ctd_walk *walk, const struct ctd_part *part, int fd)
{
	struct ctd_segment_damage damage = {0};
	uint64_t begin_ns, end_ns, lost_bytes = 0;
	int error;

	ctd_strbuf_free(&walk->data);
	error = ctd_part_read(fd, &walk->data);
	if (!error)
		error = ctd_segment_span(walk->data.text, walk->data.bytes, &begin_ns, &end_ns,
					 &damage);
	lost_bytes = damage.lost_bytes;
	if (!error && !end_ns && *damage.why && !damage.at_end)
		tell(walk, part, damage.why, false, 0);
	if (!error && (!end_ns || !is_wanted(walk, begin_ns, end_ns)))
		return 0;
	if (!error)
		error = take_boot(walk, part);
	if (!error)
		error = ctd_segment_open(walk->data.text, walk->data.bytes, walk->identities,
					 &walk->reader, &damage);
	if (error && !is_lack(error)) {
		tell(walk, part, *damage.why ? damage.why : ctd_log_reason(error), false, 0);
		return 0;
	}
	if (error)
		return error;
	walk->is_open = true;
	if (*damage.why && !damage.at_end)
		tell(walk, part, damage.why, true, lost_bytes);
	return 0;
}

static void close_part(struct ctd_walk *walk)
{
	if (walk->is_open)
		ctd_segment_close(&walk->reader);
	walk->is_open = false;
}

/* The next one of the part that is wanted. Skips an interval whose checksum is right but whose
 * content is invalid. @return 1, 0: there is none; or negative errno. */
static int next_of_part(struct ctd_walk *walk, struct ctd_interval *ret_interval)
{
	struct ctd_record_interval coded;
	int result;

	while ((result = ctd_segment_next(&walk->reader, &coded)) > 0) {
		struct ctd_interval interval;
		int error = ctd_segment_decode(&walk->reader, &coded, &interval);

		if (error == -EBADMSG)
			continue;
		if (error)
			return error;
		if (is_wanted(walk, interval.realtime_ns - interval.window_ns,
			      interval.realtime_ns)) {
			*ret_interval = interval;
			return 1;
		}
		ctd_interval_free(&interval);
	}
	return result;
}

static bool takes_header(struct ctd_walk *walk)
{
	if (walk->has_header && ctd_segment_is_same(&walk->header, &walk->reader.header))
		return false;
	walk->header = walk->reader.header;
	walk->has_header = true;
	return true;
}

int ctd_walk_next(struct ctd_walk *walk, struct ctd_interval *ret_interval)
{
	ctd_identities_free(take_ptr(walk->identities_before));
	for (;;) {
		int result = walk->is_open ? next_of_part(walk, ret_interval) : 0;

		if (result)
			return result < 0 ? result : CTD_WALK_INTERVAL;
		close_part(walk);
		while (walk->part < walk->parts_count && walk->fds[walk->part] < 0)
			walk->part++;
		if (walk->part == walk->parts_count)
			return CTD_WALK_END;
		result = open_part(walk, &walk->parts[walk->part], walk->fds[walk->part]);
		walk->part++;
		if (result)
			return result;
		if (walk->is_open && takes_header(walk))
			return CTD_WALK_BREAK;
	}
}

void ctd_walk_close(struct ctd_walk *walk)
{
	close_part(walk);
	close_parts(walk);
	ctd_strbuf_free(&walk->data);
	ctd_identities_free(walk->identities);
	ctd_identities_free(walk->identities_before);
	*walk = (struct ctd_walk){0};
}
