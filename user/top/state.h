/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* state.h - what the screen shows, and how keys change it. */
#ifndef TOP_STATE_H
#define TOP_STATE_H

#include <cgtopdown/report.h>

#include "base/idmap.h"
#include "top/row_key.h"
#include "top/view.h"

/* Characters are keys, too. */
enum ctd_top_key {
	CTD_KEY_ENTER = '\n',
	CTD_KEY_ESCAPE = 27,
	CTD_KEY_UP = 0x110000, /* beyond Unicode */
	CTD_KEY_DOWN,
	CTD_KEY_LEFT,
	CTD_KEY_RIGHT,
	CTD_KEY_PAGE_UP,
	CTD_KEY_PAGE_DOWN,
	CTD_KEY_HOME,
	CTD_KEY_END,
	CTD_KEY_BACKSPACE,
	CTD_KEY_WHEEL_UP,
	CTD_KEY_WHEEL_DOWN,
	CTD_KEY_CLICK, /* at a row and column of the screen */
	CTD_KEY_RESIZE, /* draw everything again */
};

struct ctd_top_input {
	int key; /* enum ctd_top_key, or a character */
	int row, column; /* of a click */
};

enum ctd_top_page { CTD_TOP_LIST, CTD_TOP_DETAIL, CTD_TOP_EXPLAIN, CTD_TOP_HELP };

/* Where things are on the screen, for clicks and pages. */
struct ctd_top_seen {
	size_t page_lines; /* that the list has room for */
	int list_row; /* of the first of them */
	int time_row, head_row; /* of the time line, of the heads of columns; -1: there is none */
	int time_from, time_width; /* columns of its bar; 0: there is none */
	struct {
		int from, to; /* columns of the screen */
		char sort[40]; /* what a click on it sorts by; "": nothing */
	} heads[CTD_NODES_MAX + 10];
	int heads_count;
	size_t text_lines, text_page; /* of a page of text: how many there are, how many are seen */
};

#define CTD_TOP_FILTER_BYTES 64
#define CTD_TOP_SORT_BYTES 40

struct ctd_top_state {
	enum ctd_top_page page;
	enum ctd_top_page back; /* where help and explanations lead back to */
	struct ctd_top_grouping grouping;
	bool may_tree; /* the source tells which cgroup lies in which */
	bool has_nodes; /* its rows are of several machines */
	bool may_record;
	int division; /* a grouping that only this source has: CTD_GROUP_PROCESS, ...; 0: none */
	int level;
	int top; /* as in the report's options */
	char sort[CTD_TOP_SORT_BYTES]; /* "cpu", "name", "slots", "bottleneck", or a node's name */
	bool reversed; /* sorted the other way round */
	char filter[CTD_TOP_FILTER_BYTES];
	bool typing; /* the filter */
	struct ctd_idmap folded; /* keys of rows whose parts are not shown */
	uint64_t selected; /* id of a line; 0: none */
	uint64_t selected_key; /* of its row */
	int selected_core_type; /* of its trend */
	size_t selected_at; /* its line, for when it is gone */
	size_t first; /* the first line that is seen */
	size_t text_first; /* the same, of a page of text */
	bool paused;
	uint64_t number; /* of the frame that is shown while paused */
	char said[160]; /* in the last line, until the next key */
	bool quit, record; /* asked for */
	struct ctd_top_seen seen;
};

/* What a key does, for the page of help. Ended by a NULL key. */
struct ctd_top_key_help {
	const char *keys, *text;
};
extern const struct ctd_top_key_help ctd_top_keys[];

/* Changes the state as @p input asks for. @p view is what was seen when it came. @return true:
 * another view is to be made. */
bool ctd_top_state_take(struct ctd_top_state *state, const struct ctd_top_input *input,
			const struct ctd_top_view *view);
/* Brings the selection back to a line that there is, and into sight. */
void ctd_top_state_settle(struct ctd_top_state *state, const struct ctd_top_view *view);
void ctd_top_state_free(struct ctd_top_state *state);

#endif
