/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* past.h - a history of containers and cgroups, without a terminal or a thread. */
#ifndef TESTS_UNIT_TOP_PAST_H
#define TESTS_UNIT_TOP_PAST_H

#include "decode/rows.h"
#include "top/draw.h"
#include "unit/rollup/scene.h"

#define PAST_BEGIN_NS 1772467440000000000ull /* 2026-03-02 16:04:00 UTC */
#define PAST_WEB "/kubepods/burstable/pod11112222-3333-4444-5555-666677778888/" SCENE_ID_A
#define PAST_DB "/kubepods/burstable/pod11112222-3333-4444-5555-666677778888/" SCENE_ID_B

struct past {
	struct ctd_top_history history;
	struct ctd_top_state state;
	struct ctd_top_source source;
	struct ctd_canvas canvas;
	const char *noisy; /* of the first row; NULL: no neighbours are judged */
	const struct ctd_top_functions *functions; /* NULL: the source has none */
};

static inline void past_name(struct past *past, uint64_t id, const char *path)
{
	struct ctd_record_item item = {.kind = CTD_RECORD_NAME, .name = {id, 0, 0, path}};

	assert_int_equal(ctd_top_history_take(&past->history, &item), 0);
}

static inline void past_begin(struct past *past)
{
	static const struct ctd_record_header header = {.host = "node",
							.source = "sim",
							.model = "sim",
							.simulated = 1,
							.counters_count = 9,
							.groups_count = 1};
	const char *unknown;

	*past = (struct past){
		.state = {.grouping = {.by = CTD_GROUP_CONTAINER},
			  .may_tree = true,
			  .level = 1,
			  .sort = "cpu"},
		.source = {"node", false},
	};
	assert_int_equal(ctd_top_history_init(1 << 20, &past->history), 0);
	assert_int_equal(ctd_top_history_plan(&past->history, &header, &unknown), 0);
	past_name(past, 1, "/kubepods");
	past_name(past, 2, "/kubepods/burstable");
	past_name(past, 3, "/kubepods/burstable/pod11112222-3333-4444-5555-666677778888");
	past_name(past, 4, PAST_WEB);
	past_name(past, 5, PAST_DB);
	past_name(past, 6, "/system.slice/ssh.service");
}

static inline void past_end(struct past *past)
{
	ctd_top_history_free(&past->history);
	ctd_top_state_free(&past->state);
	ctd_canvas_free(&past->canvas);
}

/* A second, of which the cgroups 4, 5 and 6 had so many milliseconds; 0: they did not run. */
static inline void past_add(struct past *past, uint64_t web_ms, uint64_t db_ms, uint64_t ssh_ms)
{
	const uint64_t ms[] = {web_ms, db_ms, ssh_ms};
	struct ctd_interval interval = {
		.realtime_ns = PAST_BEGIN_NS + (past->history.numbers + 1) * 1000000000ull,
		.window_ns = 1000000000,
		.counters_count = (uint32_t)past->history.pipeline.plan->counters_count,
		.groups_count = 1,
		.cpus_online = 2,
		.has_waits = true,
	};

	assert_int_equal(ctd_interval_reserve(&interval, 3), 0);
	assert_int_equal(ctd_interval_reserve_totals(&interval), 0);
	for (uint64_t i = 0; i < 3; i++) {
		struct ctd_interval_row *row = &interval.rows[interval.rows_count];

		if (!ms[i])
			continue;
		row->cgroup_id = 4 + i;
		row->kind = CTD_ROW_CGROUP;
		row->oncpu_ns = row->running_ns = ms[i] * 1000000;
		row->group_ns[0] = row->count_ns[0] = row->running_ns;
		/* Half as long as they ran, for others. */
		row->waits->ns[CTD_WAIT_OTHER] = ms[i] * 500000;
		row->waits->histogram[3] = 7;
		row->raw = row->count;
		interval.rows_count++;
		row->count[0] = ms[i] * SCENE_SLOTS_PER_MS;
		/* The first loses most to the back end, the others to speculation. */
		row->count[i ? 2 : 4] = row->count[0] / 5 * 3;
		row->count[1] = row->count[0] - row->count[i ? 2 : 4];
	}
	assert_int_equal(ctd_top_history_add(&past->history, past->history.pipeline.plan, &interval,
					     NULL),
			 0);
}

static inline struct ctd_top_view past_view(struct past *past)
{
	struct ctd_top_view view;

	assert_int_equal(ctd_top_view_make(&past->history, &past->state, &view), 0);
	return view;
}

/* The screen as text, the caller's. */
static inline char *past_draw(struct past *past, int width, int height)
{
	struct ctd_top_view view = past_view(past);
	char *text;

	assert_int_equal(ctd_canvas_init(width, height, &past->canvas), 0);
	if (past->noisy && view.report.rows_count) {
		view.report.noisy = true;
		view.report.rows[0].noisy = past->noisy;
	}
	view.functions = past->functions;
	ctd_top_draw(&past->canvas, &past->state, &view, &past->source);
	text = ctd_canvas_text(&past->canvas);
	assert_non_null(text);
	ctd_top_view_free(&view);
	return text;
}

static inline void past_key(struct past *past, int key)
{
	struct ctd_top_view view = past_view(past);
	struct ctd_top_input input = {.key = key};

	ctd_top_state_take(&past->state, &input, &view);
	ctd_top_view_free(&view);
}

/* The names of the lines, with blanks between. */
static inline const char *past_names(struct past *past)
{
	static char names[1024];
	struct ctd_top_view view = past_view(past);
	size_t bytes = 0;

	names[0] = '\0';
	for (size_t i = 0; i < view.lines_count; i++)
		bytes += (size_t)snprintf(names + bytes, sizeof(names) - bytes, "%s%s",
					  i ? " " : "", ctd_top_view_row(&view, i)->name);
	ctd_top_view_free(&view);
	return names;
}

#endif
