/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* keeper.c - keeps a history's directory within its size: recent times fine, older ones coarser. */
#include "serve/history/keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/log.h"
#include "history/coarsen.h"

#define NS_PER_S 1000000000ull
#define HOUR_NS (3600 * NS_PER_S)
#define TEMPORARY "new.tmp"
/* Where no room could be made it is tried again so often. */
#define RETRY_NS (10 * NS_PER_S)
#define SEGMENT_BYTES_MIN ((uint64_t)64 << 10)
#define SEGMENT_BYTES_USUAL ((uint64_t)4 << 20)

/*
 * In what steps times are kept, and how old they become in these where there is room for just that.
 * Where there is more or less, all ages grow or shrink by one factor: the part that is the oldest
 * for its tier goes to the next one, and from the last one away.
 */
static const struct {
	uint32_t step_s;
	uint64_t age_ns;
} tiers[CTD_HISTORY_TIERS] = {
	{1, 2 * HOUR_NS},
	{10, 24 * HOUR_NS},
	{60, 48 * HOUR_NS},
	{600, 96 * HOUR_NS},
};

static size_t tier_of(uint32_t step_s)
{
	size_t tier = 0;

	while (tier + 1 < CTD_HISTORY_TIERS && tiers[tier + 1].step_s <= step_s)
		tier++;
	return tier;
}

uint64_t ctd_keeper_segment_bytes(uint64_t bytes_max)
{
	uint64_t bytes = bytes_max / 16;

	if (bytes < SEGMENT_BYTES_MIN)
		return SEGMENT_BYTES_MIN;
	if (bytes < SEGMENT_BYTES_USUAL)
		return bytes;
	/* Parts that were put together have half of it or more: there may be as many as that takes.
	 */
	bytes = bytes_max / (CTD_KEEPER_PARTS_MAX / 2);
	return bytes > SEGMENT_BYTES_USUAL ? bytes : SEGMENT_BYTES_USUAL;
}

uint32_t ctd_keeper_step_s(uint64_t interval_ns)
{
	uint64_t seconds = interval_ns / NS_PER_S;

	return tiers[tier_of(seconds < UINT32_MAX ? (uint32_t)seconds : UINT32_MAX)].step_s;
}

void ctd_keeper_init(const char *path, uint64_t bytes_max, struct ctd_keeper *ret_keeper)
{
	*ret_keeper = (struct ctd_keeper){.path = path,
					  .bytes_max = bytes_max,
					  .boot = ctd_part_boot(),
					  .directory_fd = -1,
					  .fd = -1};
}

static void say_damage(const char *name, const struct ctd_segment_damage *damage)
{
	if (*damage->why)
		ctd_log(damage->at_end ? CTD_LOG_INFO : CTD_LOG_WARNING,
			"history: '%s': %s; %" PRIu64 " bytes of it are lost, the rest is read",
			name, damage->why, damage->lost_bytes);
}

static int read_part(const struct ctd_keeper *keeper, const struct ctd_part *part,
		     struct ctd_strbuf *ret_data)
{
	char name[CTD_PART_NAME_BYTES];
	autoclose int fd = -1;

	ctd_part_name(part, name);
	fd = openat(keeper->directory_fd, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	return fd < 0 ? -errno : ctd_part_read(fd, ret_data);
}

/* What cannot be read stays as it is: another version may have written it. */
static void leave(struct ctd_keeper *keeper, struct ctd_part *part, const char *why)
{
	char name[CTD_PART_NAME_BYTES];

	ctd_part_name(part, name);
	part->left = true;
	keeper->bytes -= part->bytes;
	ctd_warn("history: '%s': %s; it is left as it is, and its %" PRIu64
		 " bytes are not counted: remove it if nothing else reads it",
		 name, why, part->bytes);
}

static void look_at(struct ctd_keeper *keeper, struct ctd_part *part)
{
	auto_ctd_strbuf struct ctd_strbuf data = {0};
	struct ctd_segment_damage damage = {0};
	char name[CTD_PART_NAME_BYTES];
	int error = read_part(keeper, part, &data);

	if (!error)
		error = ctd_segment_span(data.text, data.bytes, &part->begin_ns, &part->end_ns,
					 &damage);
	if (error) {
		leave(keeper, part, *damage.why ? damage.why : strerror(-error));
		return;
	}
	ctd_part_name(part, name);
	say_damage(name, &damage);
}

static void forget(struct ctd_keeper *keeper, size_t index)
{
	struct ctd_part *part = &keeper->parts[index];

	if (!part->left)
		keeper->bytes -= part->bytes;
	memmove(part, part + 1, (keeper->parts_count - index - 1) * sizeof(*part));
	keeper->parts_count--;
}

static int remove_part(struct ctd_keeper *keeper, size_t index)
{
	char name[CTD_PART_NAME_BYTES];

	ctd_part_name(&keeper->parts[index], name);
	if (unlinkat(keeper->directory_fd, name, 0) && errno != ENOENT)
		return -errno;
	forget(keeper, index);
	return 0;
}

static void say_what_there_is(const struct ctd_keeper *keeper)
{
	uint64_t begin_ns = UINT64_MAX, end_ns = 0;

	for (size_t i = 0; i < keeper->parts_count; i++) {
		const struct ctd_part *part = &keeper->parts[i];

		if (part->end_ns && part->begin_ns < begin_ns)
			begin_ns = part->begin_ns;
		if (part->end_ns > end_ns)
			end_ns = part->end_ns;
	}
	if (end_ns)
		ctd_info("history: %.1f hours in %.1f of %.1f MB in '%s'",
			 (double)(end_ns - begin_ns) / HOUR_NS, (double)keeper->bytes / 1e6,
			 (double)keeper->bytes_max / 1e6, keeper->path);
	else
		ctd_info("history: begins in '%s', up to %.1f MB", keeper->path,
			 (double)keeper->bytes_max / 1e6);
}

static int take_in(struct ctd_keeper *keeper)
{
	int error = ctd_parts_list(keeper->directory_fd, &keeper->parts, &keeper->parts_count);

	for (size_t i = 0; !error && i < keeper->parts_count; i++)
		keeper->bytes += keeper->parts[i].bytes;
	for (size_t i = 0; !error && i < keeper->parts_count;)
		if (keeper->parts[i].covered)
			error = remove_part(keeper, i);
		else
			look_at(keeper, &keeper->parts[i++]);
	return error;
}

int ctd_keeper_open(struct ctd_keeper *keeper)
{
	int error;

	if (keeper->directory_fd >= 0)
		return 0;
	keeper->directory_fd = open(keeper->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (keeper->directory_fd < 0)
		return -errno;
	/* As during a roll-out: the old pod is about to end. */
	if (flock(keeper->directory_fd, LOCK_EX | LOCK_NB)) {
		error = errno == EWOULDBLOCK ? -EBUSY : -errno;
		ctd_keeper_close(keeper);
		return error;
	}
	unlinkat(keeper->directory_fd, TEMPORARY, 0);
	error = take_in(keeper);
	if (error)
		ctd_keeper_close(keeper);
	else
		say_what_there_is(keeper);
	return error;
}

static int write_all(int fd, const char *data, size_t bytes)
{
	while (bytes) {
		ssize_t written = write(fd, data, bytes);

		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0)
			return -errno;
		data += written;
		bytes -= (size_t)written;
	}
	return 0;
}

/* Whole on the disk, with its name, before what it was made of is removed. */
static int write_part(const struct ctd_keeper *keeper, const struct ctd_part *part,
		      const struct ctd_strbuf *data)
{
	autoclose int fd = openat(keeper->directory_fd, TEMPORARY,
				  O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0640);
	char name[CTD_PART_NAME_BYTES];
	int error = fd < 0 || ftruncate(fd, 0) ? -errno : write_all(fd, data->text, data->bytes);

	ctd_part_name(part, name);
	if (!error && fdatasync(fd))
		error = -errno;
	if (!error && renameat(keeper->directory_fd, TEMPORARY, keeper->directory_fd, name))
		error = -errno;
	if (error && fd >= 0)
		unlinkat(keeper->directory_fd, TEMPORARY, 0);
	/* Its name, too. Some file systems take no fsync() of a directory. */
	if (!error && fsync(keeper->directory_fd) && errno != EINVAL)
		error = -errno;
	return error;
}

/* The part before number @p index, if what that becomes can be added to it. */
static bool takes_more(const struct ctd_keeper *keeper, size_t index, uint32_t step_s)
{
	const struct ctd_part *before = index ? &keeper->parts[index - 1] : NULL;
	const struct ctd_part *part = &keeper->parts[index];

	return before && !before->left && before->boot == part->boot && before->step_s == step_s &&
	       before->last + 1 == part->first &&
	       before->bytes < ctd_keeper_segment_bytes(keeper->bytes_max) / 2;
}

/* Another try may succeed: it says nothing of the part. */
static bool is_lack(int error)
{
	return error == -ENOMEM || error == -ENOSPC || error == -EMFILE || error == -ENFILE;
}

/* So that it is not picked again: it would be in the way of all others. @return -EBADMSG. */
static int put_aside(struct ctd_keeper *keeper, size_t index, int error, const char *why)
{
	char name[CTD_PART_NAME_BYTES];

	ctd_part_name(&keeper->parts[index], name);
	if (error == -ENOENT) {
		ctd_warn("history: '%s' was removed by another program", name);
		forget(keeper, index);
	} else {
		leave(keeper, &keeper->parts[index], *why ? why : ctd_log_reason(error));
	}
	return -EBADMSG;
}

/* Adds one part in steps of @p step_s to @p out. @return as ctd_coarsen(); -EBADMSG: it cannot be
 * read, and was put aside. */
static int add_part(struct ctd_keeper *keeper, size_t index, uint32_t step_s,
		    struct ctd_segment_writer *writer, struct ctd_record_header *header,
		    struct ctd_strbuf *out)
{
	auto_ctd_strbuf struct ctd_strbuf data = {0};
	struct ctd_segment_damage damage = {0};
	bool alone = !writer->record;
	char name[CTD_PART_NAME_BYTES];
	int error = read_part(keeper, &keeper->parts[index], &data);

	if (error)
		return is_lack(error) ? error : put_aside(keeper, index, error, "");
	error = ctd_coarsen(&data, step_s * NS_PER_S, writer, header, out, &damage);
	if (error == -EBADMSG || (error && alone && !is_lack(error)))
		return put_aside(keeper, index, error, damage.why);
	ctd_part_name(&keeper->parts[index], name);
	if (!error)
		say_damage(name, &damage);
	return error;
}

/* Parts @p first to @p index, one or two of them, in steps of @p step_s. */
static int join(struct ctd_keeper *keeper, size_t first, size_t index, uint32_t step_s,
		struct ctd_strbuf *out)
{
	struct ctd_segment_writer writer = {0};
	struct ctd_record_header header;
	int error = 0;

	for (size_t i = first; !error && i <= index; i++)
		error = add_part(keeper, i, step_s, &writer, &header, out);
	ctd_segment_end(&writer);
	return out->failed && !error ? -ENOMEM : error;
}

/* A clock that steps back makes the later one of two parts begin before the other. */
static void take_times(struct ctd_part *part, const struct ctd_part *other)
{
	if (!other->end_ns)
		return;
	if (!part->end_ns || other->begin_ns < part->begin_ns)
		part->begin_ns = other->begin_ns;
	if (other->end_ns > part->end_ns)
		part->end_ns = other->end_ns;
}

static int coarsen(struct ctd_keeper *keeper, size_t index, uint32_t step_s)
{
	size_t first = takes_more(keeper, index, step_s) ? index - 1 : index;
	auto_ctd_strbuf struct ctd_strbuf out = {0};
	struct ctd_part part = keeper->parts[index];
	int error = join(keeper, first, index, step_s, &out);

	/* As where they were counted in other ways: it becomes a part of its own. */
	if (error && error != -EBADMSG && !is_lack(error) && first < index) {
		ctd_strbuf_free(&out);
		out = (struct ctd_strbuf){0};
		first = index;
		error = join(keeper, first, index, step_s, &out);
	}
	if (error == -EBADMSG)
		return 0;
	if (error)
		return error;
	part.first = keeper->parts[first].first;
	take_times(&part, &keeper->parts[first]);
	part.step_s = step_s;
	part.bytes = out.bytes;
	error = write_part(keeper, &part, &out);
	for (size_t i = index + 1; !error && i > first; i--)
		error = remove_part(keeper, i - 1);
	if (error)
		return error;
	/* The array has room: at least one part was removed above. */
	memmove(&keeper->parts[first + 1], &keeper->parts[first],
		(keeper->parts_count - first) * sizeof(part));
	keeper->parts[first] = part;
	keeper->parts_count++;
	keeper->bytes += part.bytes;
	return 0;
}

/* How old it is for its tier: 1 is as old as that is meant to become. @p next_ns: when what came
 * after it began. It ended then, if its own clock was ahead of @p now_ns. */
static double age_of(const struct ctd_part *part, uint64_t next_ns, uint64_t now_ns)
{
	uint64_t end_ns = part->end_ns > now_ns ? next_ns : part->end_ns;

	return end_ns < now_ns
		       ? (double)(now_ns - end_ns) / (double)tiers[tier_of(part->step_s)].age_ns
		       : 0;
}

/* The one that is the oldest for its tier, but the newest, which is written. @return its index, or
 * that behind the last: there is none. */
static size_t pick(const struct ctd_keeper *keeper, uint64_t now_ns, double *ret_age)
{
	size_t picked = keeper->parts_count;
	uint64_t next_ns = now_ns;

	*ret_age = 0;
	for (size_t i = keeper->parts_count; i-- > 0;) {
		const struct ctd_part *part = &keeper->parts[i];
		double age = age_of(part, next_ns, now_ns);

		if (part->end_ns && part->begin_ns < now_ns)
			next_ns = part->begin_ns;
		if (part->left || i + 1 == keeper->parts_count || age < *ret_age)
			continue;
		picked = i;
		*ret_age = age;
	}
	return picked;
}

/* Of those that are left as they are none can be put together with others. */
static bool are_too_many(const struct ctd_keeper *keeper)
{
	size_t count = 0;

	for (size_t i = 0; i < keeper->parts_count; i++)
		count += !keeper->parts[i].left;
	return count > CTD_KEEPER_PARTS_MAX;
}

/* What is too much: bytes, or else files. */
static void say_limit(const struct ctd_keeper *keeper)
{
	if (keeper->bytes > keeper->bytes_max)
		ctd_info(
			"history: %.1f MB are full; older times are kept in longer steps from now on",
			(double)keeper->bytes_max / 1e6);
	else
		ctd_info(
			"history: there are more than %d files, as of a serve that began as often; older times are kept in longer steps from now on",
			CTD_KEEPER_PARTS_MAX);
}

static void say_shorter(struct ctd_keeper *keeper, size_t tier, double age)
{
	double hours = (double)tiers[tier].age_ns / HOUR_NS;

	if (!keeper->full)
		say_limit(keeper);
	keeper->full = true;
	/* No other size has room for more files. */
	if (age >= 1 || keeper->told[tier] || keeper->bytes <= keeper->bytes_max)
		return;
	keeper->told[tier] = true;
	ctd_warn("history: there is more to keep than fits: steps of %" PRIu32
		 " s reach back %.1f hours instead of %.0f; see --history-size",
		 tiers[tier].step_s, age * hours, hours);
}

/* @return 0, or negative errno: there is no more room than before. */
static int make_room(struct ctd_keeper *keeper, uint64_t now_ns)
{
	while (keeper->bytes > keeper->bytes_max || are_too_many(keeper)) {
		double age;
		size_t index = pick(keeper, now_ns, &age), tier;
		int error;

		if (index == keeper->parts_count)
			return 0;
		tier = tier_of(keeper->parts[index].step_s);
		say_shorter(keeper, tier, age);
		error = tier + 1 == CTD_HISTORY_TIERS
				? remove_part(keeper, index)
				: coarsen(keeper, index, tiers[tier + 1].step_s);
		if (error)
			return error;
	}
	return 0;
}

/* Where there can be made none, each try reads a part and adds it up, for nothing. */
static void try_to_make_room(struct ctd_keeper *keeper, uint64_t now_ns)
{
	int error;

	/* A clock that steps back makes this large. */
	if (keeper->stuck && now_ns - keeper->tried_ns < RETRY_NS)
		return;
	error = make_room(keeper, now_ns);
	if (error && error != keeper->stuck)
		ctd_log_error(
			error,
			"history: make room in '%s', which grows beyond its %.1f MB until that is mended",
			keeper->path, (double)keeper->bytes_max / 1e6);
	keeper->stuck = error;
	keeper->tried_ns = now_ns;
}

static int begin_part(struct ctd_keeper *keeper, uint32_t step_s, uint64_t begin_ns)
{
	size_t count = keeper->parts_count;
	struct ctd_part part = {.boot = keeper->boot, .first = 1, .step_s = step_s};
	char name[CTD_PART_NAME_BYTES];
	struct ctd_part *parts = reallocarray(keeper->parts, count + 1, sizeof(*parts));

	if (!parts)
		return -ENOMEM;
	keeper->parts = parts;
	if (count)
		part.first = parts[count - 1].last + 1;
	part.last = part.first;
	part.begin_ns = part.end_ns = begin_ns;
	if (keeper->fd >= 0)
		close(keeper->fd);
	ctd_part_name(&part, name);
	keeper->fd = openat(keeper->directory_fd, name,
			    O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0640);
	if (keeper->fd < 0) {
		int error = -errno;

		/* The directory itself was removed: the next try opens the one that has its name. */
		if (error == -ENOENT)
			ctd_keeper_close(keeper);
		return error;
	}
	parts[keeper->parts_count++] = part;
	return 0;
}

int ctd_keeper_append(struct ctd_keeper *keeper, bool begins, uint32_t step_s, uint64_t begin_ns,
		      uint64_t end_ns, const void *data, size_t bytes)
{
	int error = ctd_keeper_open(keeper);
	struct ctd_part *part;

	if (!error && begins)
		error = begin_part(keeper, step_s, begin_ns);
	if (error)
		return error;
	if (keeper->fd < 0)
		return -EBADF;
	part = &keeper->parts[keeper->parts_count - 1];
	error = write_all(keeper->fd, data, bytes);
	if (error) {
		/* So that the next block is not behind a half one. */
		if (ftruncate(keeper->fd, (off_t)part->bytes) ||
		    lseek(keeper->fd, (off_t)part->bytes, SEEK_SET) < 0)
			ctd_debug("history: cut what could not be written: %s", strerror(errno));
		if (begins && !remove_part(keeper, keeper->parts_count - 1)) {
			close(keeper->fd);
			keeper->fd = -1;
		}
		return error;
	}
	part->bytes += bytes;
	take_times(part, &(struct ctd_part){.begin_ns = begin_ns, .end_ns = end_ns});
	keeper->bytes += bytes;
	try_to_make_room(keeper, end_ns);
	return 0;
}

void ctd_keeper_close(struct ctd_keeper *keeper)
{
	if (keeper->fd >= 0)
		close(keeper->fd);
	if (keeper->directory_fd >= 0)
		close(keeper->directory_fd);
	free(keeper->parts);
	ctd_keeper_init(keeper->path, keeper->bytes_max, keeper);
}
