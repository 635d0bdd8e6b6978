/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* state.c - what keys change. */
#include "top/state.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

#define WHEEL_LINES 3
#define JUMP_FRAMES 10

const struct ctd_top_key_help ctd_top_keys[] = {
	{"Up Down PgUp PgDn Home End", "choose a row; the mouse wheel and a click do so, too"},
	{"Enter",
	 "the row's own screen: all levels, history, functions, what it is; Escape leads back"},
	{"< >", "sort by the column to the left or right; so does a click on its head"},
	{"R", "sort the other way round; so does another click on the head"},
	{"b", "group by container, pod, namespace, owner, node, cgroup, tree"},
	{"Space + - *", "in the tree: fold or unfold a row, fold, unfold, or all rows"},
	{"l", "level 1 or 2 of the figures"},
	{"/", "show only rows with a text in their name, namespace, pod, image or owner"},
	{"e", "explain what the row loses most to, or what it is sorted by"},
	{"p", "pause, and go on; while paused counting goes on"},
	{"Left Right [ ]", "one interval back or forward in time, or ten"},
	{"r", "record to a file, or end it: for 'cgtopdown report' or --input"},
	{"?", "this page"},
	{"q", "leave"},
	{NULL, NULL},
};

static void __attribute__((format(printf, 2, 3)))
say(struct ctd_top_state *state, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(state->said, sizeof(state->said), format, arguments);
	va_end(arguments);
}

static void select_line(struct ctd_top_state *state, const struct ctd_top_view *view, size_t line)
{
	if (!view->lines_count)
		return;
	if (line >= view->lines_count)
		line = view->lines_count - 1;
	state->selected = view->lines[line].id;
	state->selected_key = view->lines[line].key;
	state->selected_core_type = view->lines[line].trend_core_type;
	state->selected_at = line;
}

static size_t selected_line(const struct ctd_top_state *state, const struct ctd_top_view *view)
{
	size_t line =
		state->selected ? ctd_top_view_find(view, state->selected) : view->lines_count;

	return line < view->lines_count ? line : state->selected_at;
}

/* The first key that moves chooses the first row that is seen. */
static void move(struct ctd_top_state *state, const struct ctd_top_view *view, long lines)
{
	size_t line = selected_line(state, view);

	if (!state->selected)
		line = state->first;
	else if (lines < 0 && (size_t)-lines > line)
		line = 0;
	else
		line += (size_t)lines;
	select_line(state, view, line);
}

static void show_frame(struct ctd_top_state *state, const struct ctd_top_view *view, long place)
{
	const struct ctd_top_history *history = view->history;

	if (!view->frame)
		return;
	if (place < 0)
		place = 0;
	if (place >= (long)history->count) {
		place = (long)history->count - 1;
		if (!history->has_ended)
			say(state, "this is the newest interval; p goes on");
	}
	state->paused = true;
	state->number = history->frames[place]->number;
}

static void pause_or_go_on(struct ctd_top_state *state, const struct ctd_top_view *view)
{
	state->paused = !state->paused && view->frame;
	if (state->paused)
		state->number = view->frame->number;
}

static void group_otherwise(struct ctd_top_state *state)
{
	static const enum ctd_group_by order[] = {CTD_GROUP_CONTAINER, CTD_GROUP_POD,
						  CTD_GROUP_NAMESPACE, CTD_GROUP_OWNER,
						  CTD_GROUP_NODE,      CTD_GROUP_CGROUP};
	size_t at = 0, count = sizeof(order) / sizeof(*order);

	if (state->grouping.by == CTD_GROUP_CGROUP && !state->grouping.tree && state->may_tree) {
		state->grouping.tree = true;
	} else if (state->grouping.by == CTD_GROUP_CGROUP && state->division) {
		state->grouping =
			(struct ctd_top_grouping){.by = (enum ctd_group_by)state->division};
	} else {
		while (at < count && order[at] != state->grouping.by)
			at++;
		at += at + 1 < count && order[at + 1] == CTD_GROUP_NODE && !state->has_nodes;
		state->grouping = (struct ctd_top_grouping){.by = order[(at + 1) % count]};
		if (at >= count)
			state->grouping.by = order[0];
	}
	state->selected = 0;
	state->first = 0;
}

static bool has_column(const struct ctd_top_seen *seen, const char *sort)
{
	for (int i = 0; i < seen->heads_count; i++)
		if (strcmp(seen->heads[i].sort, sort) == 0)
			return true;
	return false;
}

/* What can be sorted by, by number: columns as they are seen, then what there was no room for. */
static const char *sort_of(const struct ctd_top_seen *seen, const struct ctd_top_view *view,
			   int number)
{
	const char *sort;

	for (int i = 0; i < seen->heads_count; i++)
		if (*seen->heads[i].sort && number-- == 0)
			return seen->heads[i].sort;
	for (int i = 0; (sort = ctd_top_view_sort(view, i)); i++)
		if (!has_column(seen, sort) && number-- == 0)
			return sort;
	return NULL;
}

static void sort_beside(struct ctd_top_state *state, const struct ctd_top_view *view, int step)
{
	const char *sort;
	int count = 0, at = -1;

	/* What is asked for, also where lines cannot be sorted by it and are by another. */
	for (; (sort = sort_of(&state->seen, view, count)); count++)
		if (strcmp(sort, state->sort) == 0 || (at < 0 && strcmp(sort, view->sort) == 0))
			at = count;
	/* One that is not here any more. */
	at = at < 0 ? 1 : (at + step + count) % count;
	snprintf(state->sort, sizeof(state->sort), "%s", sort_of(&state->seen, view, at));
	state->reversed = false;
}

static void other_level(struct ctd_top_state *state, const struct ctd_top_view *view)
{
	if (!view->frame)
		return;
	if (view->rollup.plan->level < 2)
		say(state, "level 2 is not counted here: it takes --level 2 at the start");
	else
		state->level = state->level == 1 ? 2 : 1;
}

static bool is_folded(const struct ctd_top_state *state, uint64_t key)
{
	uintptr_t folded;

	return ctd_idmap_get(&state->folded, key, &folded);
}

static void fold(struct ctd_top_state *state, uint64_t key, bool wanted)
{
	if (wanted)
		(void)ctd_idmap_set(&state->folded, key, 1);
	else
		ctd_idmap_remove(&state->folded, key);
}

/* '+' and '-' are what they say; a blank is the other one. */
static void fold_selected(struct ctd_top_state *state, const struct ctd_top_view *view, int key)
{
	size_t line = selected_line(state, view);

	if (!state->grouping.tree)
		say(state, "there is nothing to fold: b leads to the cgroup tree");
	else if (state->selected && line < view->lines_count && view->lines[line].has_parts)
		fold(state, view->lines[line].key,
		     key == ' ' ? !view->lines[line].folded : key == '-');
}

/* The topmost stay: the tree would be one row. */
static void fold_all(struct ctd_top_state *state, const struct ctd_top_view *view)
{
	bool wanted = !state->folded.count;

	for (size_t i = 0; i < view->lines_count && wanted && state->grouping.tree; i++)
		if (view->lines[i].has_parts && view->report.rows[view->lines[i].row].depth > 0)
			fold(state, view->lines[i].key, !is_folded(state, view->lines[i].key));
	if (!wanted)
		ctd_idmap_free(&state->folded);
	if (!wanted)
		state->folded = (struct ctd_idmap){0};
}

static void open_page(struct ctd_top_state *state, enum ctd_top_page page)
{
	if (page == CTD_TOP_EXPLAIN || page == CTD_TOP_HELP)
		state->back = state->page;
	state->page = page;
	state->text_first = 0;
}

static void open_detail(struct ctd_top_state *state, const struct ctd_top_view *view)
{
	if (!state->selected)
		select_line(state, view, state->first);
	if (state->selected)
		open_page(state, CTD_TOP_DETAIL);
}

/* Asked for again: the other way round. */
static void sort_by(struct ctd_top_state *state, const struct ctd_top_view *view, const char *sort)
{
	state->reversed = strcmp(view->sort, sort) == 0 && !state->reversed;
	snprintf(state->sort, sizeof(state->sort), "%s", sort);
}

/* The first interval whose mark is not before that column of the bar. */
static void click_time(struct ctd_top_state *state, int column, const struct ctd_top_view *view)
{
	long last = (long)view->history->count - 1, most = state->seen.time_width - 1;

	if (column >= 0 && column <= most)
		show_frame(state, view, (last * column + most - 1) / most);
}

static void click(struct ctd_top_state *state, const struct ctd_top_input *input,
		  const struct ctd_top_view *view)
{
	size_t line = state->first + (size_t)(input->row - state->seen.list_row);

	if (input->row == state->seen.time_row)
		click_time(state, input->column - state->seen.time_from, view);
	for (int i = 0; input->row == state->seen.head_row && i < state->seen.heads_count; i++)
		if (input->column >= state->seen.heads[i].from &&
		    input->column < state->seen.heads[i].to && *state->seen.heads[i].sort)
			sort_by(state, view, state->seen.heads[i].sort);
	if (input->row < state->seen.list_row ||
	    (size_t)(input->row - state->seen.list_row) >= state->seen.page_lines ||
	    line >= view->lines_count)
		return;
	if (state->selected == view->lines[line].id)
		open_detail(state, view);
	else
		select_line(state, view, line);
}

/* Keys that do the same on the list and on a row's own screen. */
static void take_common(struct ctd_top_state *state, int key, const struct ctd_top_view *view)
{
	switch (key) {
	case CTD_KEY_LEFT:
		show_frame(state, view, (long)view->place - 1);
		break;
	case CTD_KEY_RIGHT:
		show_frame(state, view, (long)view->place + 1);
		break;
	case '[':
		show_frame(state, view, (long)view->place - JUMP_FRAMES);
		break;
	case ']':
		show_frame(state, view, (long)view->place + JUMP_FRAMES);
		break;
	case 'p':
		pause_or_go_on(state, view);
		break;
	case 'l':
		other_level(state, view);
		break;
	case 'r':
		state->record = true;
		break;
	case 'e':
		open_page(state, CTD_TOP_EXPLAIN);
		break;
	case '?':
	case 'h':
		open_page(state, CTD_TOP_HELP);
		break;
	default:
		break;
	}
}

static void take_on_list(struct ctd_top_state *state, const struct ctd_top_input *input,
			 const struct ctd_top_view *view)
{
	long page = state->seen.page_lines > 1 ? (long)state->seen.page_lines - 1 : 1;

	switch (input->key) {
	case CTD_KEY_UP:
		move(state, view, -1);
		break;
	case CTD_KEY_DOWN:
		move(state, view, 1);
		break;
	case CTD_KEY_WHEEL_UP:
		move(state, view, -WHEEL_LINES);
		break;
	case CTD_KEY_WHEEL_DOWN:
		move(state, view, WHEEL_LINES);
		break;
	case CTD_KEY_PAGE_UP:
		move(state, view, -page);
		break;
	case CTD_KEY_PAGE_DOWN:
		move(state, view, page);
		break;
	case CTD_KEY_HOME:
		/* No row is chosen: the largest stay at the top. */
		state->selected = 0;
		state->selected_at = state->first = 0;
		break;
	case CTD_KEY_END:
		select_line(state, view, SIZE_MAX);
		break;
	case CTD_KEY_CLICK:
		click(state, input, view);
		break;
	case CTD_KEY_ENTER:
		open_detail(state, view);
		break;
	case CTD_KEY_ESCAPE:
		state->filter[0] = '\0';
		break;
	case '<':
		sort_beside(state, view, -1);
		break;
	case '>':
		sort_beside(state, view, 1);
		break;
	case 'R':
		state->reversed = !state->reversed;
		break;
	case 'b':
		group_otherwise(state);
		break;
	case ' ':
	case '+':
	case '-':
		fold_selected(state, view, input->key);
		break;
	case '*':
		fold_all(state, view);
		break;
	case '/':
		state->typing = true;
		break;
	case 'q':
		state->quit = true;
		break;
	default:
		take_common(state, input->key, view);
		break;
	}
}

/* Pages of text, and a row's own screen, which may be one. */
static void take_on_text(struct ctd_top_state *state, const struct ctd_top_input *input,
			 const struct ctd_top_view *view)
{
	size_t last = state->seen.text_lines > state->seen.text_page
			      ? state->seen.text_lines - state->seen.text_page
			      : 0;
	size_t step = input->key == CTD_KEY_PAGE_UP || input->key == CTD_KEY_PAGE_DOWN
			      ? state->seen.text_page
			      : 1;

	switch (input->key) {
	case CTD_KEY_UP:
	case CTD_KEY_WHEEL_UP:
	case CTD_KEY_PAGE_UP:
		state->text_first = state->text_first > step ? state->text_first - step : 0;
		break;
	case CTD_KEY_DOWN:
	case CTD_KEY_WHEEL_DOWN:
	case CTD_KEY_PAGE_DOWN:
		state->text_first += step;
		break;
	case CTD_KEY_HOME:
		state->text_first = 0;
		break;
	case CTD_KEY_END:
		state->text_first = last;
		break;
	case CTD_KEY_ENTER:
	case CTD_KEY_ESCAPE:
	case 'q':
		open_page(state, state->page == CTD_TOP_DETAIL ? CTD_TOP_LIST : state->back);
		break;
	default:
		if (state->page == CTD_TOP_DETAIL)
			take_common(state, input->key, view);
		else if (input->key == '?' || input->key == 'e')
			open_page(state, state->back);
		break;
	}
	if (state->text_first > last)
		state->text_first = last;
}

/* As far as there is room for all of a character. */
static void type(struct ctd_top_state *state, int code)
{
	size_t bytes = strlen(state->filter);
	char text[5];

	if (code < 0x20 || code == 0x7f || code >= CTD_KEY_UP)
		return;
	if (bytes + ctd_utf8_encode(code, text) < sizeof(state->filter))
		strcpy(state->filter + bytes, text);
}

static void take_typed(struct ctd_top_state *state, int key)
{
	size_t bytes = strlen(state->filter);

	switch (key) {
	case CTD_KEY_ENTER:
		state->typing = false;
		break;
	case CTD_KEY_ESCAPE:
		state->typing = false;
		state->filter[0] = '\0';
		break;
	case CTD_KEY_BACKSPACE:
		while (bytes && ((unsigned char)state->filter[bytes - 1] & 0xc0) == 0x80)
			bytes--;
		state->filter[bytes ? bytes - 1 : 0] = '\0';
		break;
	default:
		type(state, key);
		break;
	}
	state->selected = 0;
	state->first = 0;
}

/* Other rows are chosen, and nothing else happens. */
static bool only_moves(const struct ctd_top_state *state, int key)
{
	return !state->typing && state->page == CTD_TOP_LIST &&
	       (key == CTD_KEY_UP || key == CTD_KEY_DOWN || key == CTD_KEY_PAGE_UP ||
		key == CTD_KEY_PAGE_DOWN || key == CTD_KEY_WHEEL_UP || key == CTD_KEY_WHEEL_DOWN ||
		key == CTD_KEY_HOME || key == CTD_KEY_END);
}

bool ctd_top_state_take(struct ctd_top_state *state, const struct ctd_top_input *input,
			const struct ctd_top_view *view)
{
	bool moves = only_moves(state, input->key);

	if (input->key == CTD_KEY_RESIZE)
		return false;
	state->said[0] = '\0';
	if (state->typing)
		take_typed(state, input->key);
	else if (state->page == CTD_TOP_LIST)
		take_on_list(state, input, view);
	else
		take_on_text(state, input, view);
	return !moves;
}

void ctd_top_state_settle(struct ctd_top_state *state, const struct ctd_top_view *view)
{
	size_t line;

	/* On its own screen a row stays itself, also where it is not there for a while. */
	if (state->selected && state->page == CTD_TOP_LIST) {
		line = selected_line(state, view);
		select_line(state, view, line);
		line = state->selected_at;
		if (line < state->first)
			state->first = line;
		if (state->seen.page_lines && line >= state->first + state->seen.page_lines)
			state->first = line - state->seen.page_lines + 1;
	}
	if (state->first + state->seen.page_lines > view->lines_count)
		state->first = view->lines_count > state->seen.page_lines
				       ? view->lines_count - state->seen.page_lines
				       : 0;
}

void ctd_top_state_free(struct ctd_top_state *state)
{
	ctd_idmap_free(&state->folded);
}
