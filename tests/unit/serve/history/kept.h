/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* kept.h - a history that a test appends to, and what a reader finds of it. */
#ifndef TESTS_UNIT_SERVE_HISTORY_KEPT_H
#define TESTS_UNIT_SERVE_HISTORY_KEPT_H

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "../../history/folder.h"
#include "../../history/made.h"
#include "base/auto.h"
#include "base/log.h"
#include "history/segment.h"
#include "serve/history/keeper.h"

#define CGROUPS 8
#define BYTES_MAX ((uint64_t)1 << 20)

struct world {
	char path[FOLDER_PATH_BYTES];
	struct ctd_keeper keeper;
	uint64_t second; /* the last one that was appended */
	struct made_sum sum;
};

static inline void world_open(struct world *world, uint64_t bytes_max)
{
	*world = (struct world){};
	folder_make(world->path);
	ctd_log_set_level(CTD_LOG_ERROR);
	ctd_keeper_init(world->path, bytes_max, &world->keeper);
}

static inline void world_close(struct world *world)
{
	ctd_keeper_close(&world->keeper);
	folder_remove(world->path);
}

/* Appends a segment of so many seconds, in chunks of one interval. @return the last error. */
static inline int append(struct world *world, uint64_t seconds)
{
	const struct ctd_record_header header = made_header();
	struct ctd_segment_writer writer = {0};
	struct ctd_strbuf text = {0};
	int error;

	assert_int_equal(ctd_segment_begin(&writer, &header, &text), 0);
	for (uint64_t i = 0; i < seconds; i++) {
		struct ctd_interval interval = made_interval(++world->second, CGROUPS);

		assert_int_equal(ctd_segment_write_interval(&writer, &interval), 0);
		error = ctd_keeper_append(&world->keeper, !i, 1,
					  interval.realtime_ns - interval.window_ns,
					  interval.realtime_ns, text.text, text.bytes);
		if (!error)
			made_add(&world->sum, &interval);
		ctd_interval_free(&interval);
		if (!error)
			text.bytes = 0;
	}
	ctd_segment_end(&writer);
	ctd_strbuf_free(&text);
	return error;
}

/* What a reader finds. */
struct found {
	struct made_sum sum;
	uint64_t bytes,
		longest_ns[2]; /* of intervals in the newest fiftieth and in the rest of the time */
	size_t parts;
};

static inline void read_part(int fd, struct found *found, uint64_t now_ns)
{
	struct ctd_segment_damage damage;
	struct ctd_segment_reader reader;
	struct ctd_record_interval coded;
	struct ctd_strbuf data = {0};

	assert_int_equal(ctd_part_read(fd, &data), 0);
	assert_int_equal(ctd_segment_open(data.text, data.bytes, NULL, &reader, &damage), 0);
	while (ctd_segment_next(&reader, &coded) > 0) {
		struct ctd_interval interval;
		int old;

		assert_int_equal(ctd_segment_decode(&reader, &coded, &interval), 0);
		old = 50 * (now_ns - interval.realtime_ns) > now_ns - MADE_BEGIN_NS;
		if (interval.window_ns > found->longest_ns[old])
			found->longest_ns[old] = interval.window_ns;
		made_add(&found->sum, &interval);
		ctd_interval_free(&interval);
	}
	ctd_segment_close(&reader);
	ctd_strbuf_free(&data);
}

static inline struct found find(const struct world *world)
{
	autoclose int directory_fd = open(world->path, O_RDONLY | O_DIRECTORY);
	struct found found = {0};
	struct ctd_part *parts;
	size_t count;

	assert_int_equal(ctd_parts_list(directory_fd, &parts, &count), 0);
	for (size_t i = 0; i < count; i++) {
		char name[CTD_PART_NAME_BYTES];
		autoclose int fd = -1;

		if (parts[i].covered)
			continue;
		ctd_part_name(&parts[i], name);
		fd = openat(directory_fd, name, O_RDONLY);
		assert_true(fd >= 0);
		read_part(fd, &found, MADE_BEGIN_NS + world->second * MADE_S);
		found.bytes += parts[i].bytes;
		found.parts++;
	}
	free(parts);
	return found;
}

#endif
