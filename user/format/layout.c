/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* layout.c - shares out the columns of a terminal: figures first, then names, then bars. */
#include "format/layout.h"

#include <limits.h>
#include <string.h>

#include "base/auto.h"
#include "format/format.h"

#define NAME_MIN 8 /* even where it does not fit */
#define BAR_MIN 5
#define BAR_MAX 20
#define FIGURE_WIDTH 6 /* "~100.0" */
#define SHARE_WIDTH 5 /* " 100%" */
#define TITLE_BYTES 64
#define WITHOUT_COUNTERS_WIDTH 30 /* CPU time, switches and slices */

static int max_int(int a, int b)
{
	return a > b ? a : b;
}

static int min_int(int a, int b)
{
	return a < b ? a : b;
}

static bool first_child(const struct ctd_cpu_model *model, int node)
{
	for (int i = 0; i < node; i++)
		if (model->nodes[i].parent == model->nodes[node].parent)
			return false;
	return true;
}

bool ctd_layout_shows(const struct ctd_layout *layout, const struct ctd_report *report, int node)
{
	const struct ctd_cpu_model *model = report->model;
	enum ctd_unit unit = model->nodes[node].unit;
	int level = model->nodes[node].level;

	if (!ctd_report_has(report, node) || model->nodes[node].role == CTD_ROLE_CPI)
		return false;
	if (ctd_node_is_ipc(&model->nodes[node]))
		return layout->ipc == CTD_LAYOUT_IPC_ALL || unit != CTD_UNIT_PER_THOUSAND;
	return level == 1 || layout->nodes == CTD_LAYOUT_ALL ||
	       (layout->nodes == CTD_LAYOUT_HALVES && first_child(model, node));
}

const char *ctd_layout_name(const struct ctd_report *report, const struct ctd_report_row *row)
{
	const char *slash = row->depth > 0 ? strrchr(row->name, '/') : NULL;

	if (!report->tree && row->kind == CTD_ROLLUP_CGROUP && strcmp(row->name, "/") == 0)
		return "/ (root's own tasks)";
	return slash && slash[1] ? slash + 1 : row->name;
}

int ctd_layout_indent(const struct ctd_report_row *row)
{
	return 2 * row->depth;
}

void ctd_layout_title(const struct ctd_report *report, int node, bool path, bool unicode,
		      char *ret_text, size_t bytes)
{
	const struct ctd_node *nodes = report->model->nodes;
	char above[TITLE_BYTES];

	if (!path || nodes[node].parent < 0) {
		snprintf(ret_text, bytes, "%s", nodes[node].title);
		return;
	}
	/* Titles have 9 characters at most; three levels fit. */
	snprintf(above, sizeof(above), "%s", nodes[nodes[node].parent].title);
	snprintf(ret_text, bytes, "%s%s%s", above, unicode ? "›" : ">", nodes[node].title);
}

static int widest_name(const struct ctd_report *report, bool unicode)
{
	int widest = 0;

	for (size_t i = 0; i < report->rows_count; i++) {
		const struct ctd_report_row *row = &report->rows[i];
		auto_ctd_strbuf struct ctd_strbuf name = {0};

		ctd_format_add_short(&name, ctd_layout_name(report, row), INT_MAX, unicode);
		if (name.text)
			widest = max_int(widest,
					 ctd_layout_indent(row) + ctd_format_width(name.text));
	}
	return max_int(widest, (int)strlen("NAME"));
}

/* Room that branches take before any name. */
static int deepest_indent(const struct ctd_report *report)
{
	int deepest = 0;

	for (size_t i = 0; i < report->rows_count; i++)
		deepest = max_int(deepest, ctd_layout_indent(&report->rows[i]));
	return deepest;
}

static int widest_title(const struct ctd_report *report, bool path, bool unicode)
{
	int widest = 0;
	char title[TITLE_BYTES];

	for (size_t i = 0; i < report->rows_count; i++) {
		if (report->rows[i].dominant < 0)
			continue;
		ctd_layout_title(report, report->rows[i].dominant, path, unicode, title,
				 sizeof(title));
		widest = max_int(widest, ctd_format_width(title));
	}
	return widest;
}

/* Where core types differ, of their column, with the gap before it. */
static int core_type_width(const struct ctd_report *report)
{
	int width = (int)strlen(CTD_LAYOUT_CORE_HEAD);

	if (report->core_types_count < 2)
		return 0;
	for (int i = 0; i < report->core_types_count; i++)
		width = max_int(width, ctd_format_width(report->core_types[i].name));
	return 1 + width;
}

/* Of the columns of waits, with the gaps before them. */
static int waits_width(const struct ctd_report *report)
{
	int wait = (int)strlen(CTD_LAYOUT_WAIT_HEAD), other = (int)strlen(CTD_LAYOUT_OTHER_HEAD);
	char text[CTD_FIGURE_BYTES];

	for (size_t i = 0; report->waits && i < report->rows_count; i++) {
		const struct ctd_waits *waits = &report->rows[i].waits;

		ctd_format_cpu(ctd_waits_ns(waits), report->window_ns, text);
		wait = max_int(wait, (int)strlen(text));
		ctd_format_cpu(waits->ns[CTD_WAIT_OTHER], report->window_ns, text);
		other = max_int(other, (int)strlen(text));
	}
	return report->waits ? 2 + wait + other : 0;
}

/* Of the column of what slows rows down, with the gap before it. */
static int noisy_width(const struct ctd_report *report)
{
	int width = (int)strlen(CTD_LAYOUT_NOISY_HEAD);

	for (size_t i = 0; report->noisy && i < report->rows_count; i++)
		if (report->rows[i].noisy)
			width = max_int(width, (int)strlen(report->rows[i].noisy));
	return report->noisy ? 1 + width : 0;
}

/* Columns of all but the name, with the gaps between. */
static int figures_width(const struct ctd_report *report, const struct ctd_layout *layout)
{
	char cpu[CTD_FIGURE_BYTES];
	int cpu_width = (int)strlen("CPU%");
	int width = report->simulated ? (int)strlen("sim ") : 0;
	struct ctd_report_sum sum;

	for (size_t i = 0; i < report->rows_count; i++) {
		ctd_format_cpu(report->rows[i].cpu_ns, report->window_ns, cpu);
		cpu_width = max_int(cpu_width, (int)strlen(cpu));
	}
	ctd_report_add_up(report, &sum);
	ctd_format_cpu(sum.cpu_ns, report->window_ns, cpu);
	cpu_width = max_int(cpu_width, (int)strlen(cpu));
	width +=
		1 + cpu_width + core_type_width(report) + waits_width(report) + noisy_width(report);
	for (int i = 0; i < report->model->nodes_count; i++)
		if (ctd_layout_shows(layout, report, i))
			width += 1 +
				 max_int(FIGURE_WIDTH, (int)strlen(report->model->nodes[i].title));
	return width + 1 +
	       max_int((int)strlen("BOTTLENECK"),
		       layout->title_width + (layout->share ? SHARE_WIDTH : 0) +
			       (layout->bar_cells ? 1 + layout->bar_cells : 0));
}

/* Spends what is left on the bottleneck: its path, if that is more than its title, and the bar. */
static void spend(const struct ctd_report *report, bool unicode, int spare,
		  struct ctd_layout *layout)
{
	int path_width = widest_title(report, true, unicode);
	int path_cost = path_width - layout->title_width;

	if (path_cost > 0 && path_cost <= spare) {
		layout->path = true;
		layout->title_width = path_width;
		spare -= path_cost;
	}
	/* Where there is none yet, a blank comes before it. */
	if (!layout->bar_cells && --spare < BAR_MIN)
		return;
	layout->bar_cells += max_int(0, min_int(spare, BAR_MAX - layout->bar_cells));
}

/* In order of preference; the first is taken that leaves enough for the names. */
static const struct choice {
	struct ctd_layout layout;
	int name_enough;
} choices[] = {
	{{.nodes = CTD_LAYOUT_ALL, .bar_cells = BAR_MIN}, 24},
	{{.nodes = CTD_LAYOUT_HALVES, .bar_cells = BAR_MIN, .share = true}, 24},
	{{.nodes = CTD_LAYOUT_HALVES, .bar_cells = BAR_MIN}, 22},
	{{.nodes = CTD_LAYOUT_LEVEL1, .bar_cells = BAR_MIN, .share = true}, 24},
	{{.nodes = CTD_LAYOUT_LEVEL1, .share = true}, 12},
	{{.nodes = CTD_LAYOUT_LEVEL1, .bar_cells = BAR_MIN}, 12},
	{{.nodes = CTD_LAYOUT_LEVEL1}, 0},
};

void ctd_layout_make(const struct ctd_report *report, const struct ctd_sink_options *options,
		     struct ctd_layout *ret_layout)
{
	int wanted = widest_name(report, options->unicode);
	struct ctd_layout layout = {0};
	int name_min = deepest_indent(report) + NAME_MIN;
	int room = 0;

	if (!report->model) {
		room = options->width - WITHOUT_COUNTERS_WIDTH - core_type_width(report) -
		       waits_width(report) - noisy_width(report);
		*ret_layout =
			(struct ctd_layout){.name_width = max_int(min_int(wanted, room), NAME_MIN)};
		return;
	}
	/* Each first with all IPC metrics, then with few. */
	for (size_t i = 0; i < 2 * sizeof(choices) / sizeof(choices[0]); i++) {
		const struct choice *choice = &choices[i / 2];

		layout = choice->layout;
		layout.ipc = i % 2 ? CTD_LAYOUT_IPC_FEW : CTD_LAYOUT_IPC_ALL;
		layout.title_width = widest_title(report, false, options->unicode);
		/* On level 1 the share is in a column already: then the bar comes first. */
		if (report->level <= 1 && layout.share && !layout.bar_cells)
			continue;
		layout.share = layout.share && report->level > 1;
		room = options->width - figures_width(report, &layout);
		if (room >= min_int(wanted, max_int(choice->name_enough, name_min)))
			break;
	}
	layout.name_width = max_int(min_int(wanted, room), name_min);
	spend(report, options->unicode, room - layout.name_width, &layout);
	*ret_layout = layout;
}
