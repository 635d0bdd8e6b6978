/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* svg.c - a flame graph in one file: a picture for every viewer, and a page for browsers. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/strbuf.h"
#include "base/utf8.h"
#include "profile_sink/flame.h"

/* Made from flame.svg. */
extern const char ctd_flame_template[];

/* Around each word in the template that is replaced. */
#define MARK "@@"
#define WIDTH 1200
#define HEAD_HEIGHT 110 /* as the template has it */
#define FRAME_HEIGHT 18
#define CHARACTER_WIDTH 7.3
#define RECT_WIDTH_MIN 0.3

struct drawing {
	struct ctd_flame flame; /* owned */
	struct ctd_strbuf *out;
};

static void drawing_free(struct drawing *drawing)
{
	ctd_flame_free(&drawing->flame);
}

/* What XML cannot hold is shown escaped, or as U+FFFD. */
static void add_xml(struct ctd_strbuf *out, const char *text, size_t characters_max)
{
	int code;

	for (size_t bytes; *text && characters_max; text += bytes, characters_max--) {
		bytes = ctd_utf8_next(text, &code);
		if (code == '<' || code == '>' || code == '&' || code == '"')
			ctd_strbuf_addf(out, "&#%d;", code);
		else if (code < 0 || (code & 0xfffe) == 0xfffe)
			ctd_strbuf_add(out, "\xef\xbf\xbd");
		else if (ctd_utf8_is_control(code))
			ctd_strbuf_addf(out, "\\x%02x", (unsigned int)code);
		else
			ctd_strbuf_add_bytes(out, text, bytes);
	}
}

static const char *name_of(const struct drawing *drawing, size_t at)
{
	const struct ctd_tree_node *node = &drawing->flame.tree.nodes[at];

	if (node->depth == 0)
		return "all";
	if (node->function == CTD_TREE_REST)
		return "(too small to tell)";
	return node->depth == 1 ? drawing->flame.row_names[node->function]
				: drawing->flame.profile->stacks->functions[node->function].label;
}

/* The part of level 1 in which most of the node's slots are: its index in the template's colours. */
static const char *part_of(const struct drawing *drawing, size_t at)
{
	const struct ctd_cpu_model *model = drawing->flame.profile->rollup->plan->model;
	const uint64_t *values = ctd_tree_values(&drawing->flame.tree, at);
	const char *name = "none";
	uint64_t most = 0;

	for (int i = 0; i < drawing->flame.tree.weights_count; i++) {
		const struct ctd_weight *weight = &drawing->flame.tree.weights[i];

		if (weight->kind != CTD_WEIGHT_NODE || model->nodes[weight->node].level != 1 ||
		    values[i] <= most)
			continue;
		most = values[i];
		name = model->nodes[weight->node].name;
	}
	return name;
}

/* Of both profiles. */
static double size_of(const struct drawing *drawing, size_t at)
{
	const struct ctd_flame *flame = &drawing->flame;
	double size = (double)ctd_tree_values(&flame->tree, at)[flame->weight];

	return flame->base ? size + (double)ctd_tree_base(&flame->tree, at)[flame->weight] : size;
}

/* Of one of both its row does not tell the weight. */
static bool is_lacking(const struct ctd_flame *flame, size_t at)
{
	const struct ctd_tree *tree = &flame->tree;
	uint64_t lack = tree->all_lack | tree->all_base_lack;

	while (tree->nodes[at].depth > 1)
		at = tree->nodes[at].parent;
	if (at != CTD_TREE_ROOT)
		lack = tree->lacks[tree->nodes[at].function] |
		       tree->base_lacks[tree->nodes[at].function];
	return lack >> flame->weight & 1;
}

/* The class of its colour. */
static const char *class_of(const struct drawing *drawing, size_t at)
{
	const struct ctd_flame *flame = &drawing->flame;
	uint64_t value = ctd_tree_values(&flame->tree, at)[flame->weight], base;

	if (!flame->base)
		return part_of(drawing, at);
	if (is_lacking(flame, at))
		return "none";
	base = ctd_tree_base(&flame->tree, at)[flame->weight];
	return value > base + base / 4 ? "added" : base > value + value / 4 ? "gone" : "none";
}

static void add_rect(struct drawing *drawing, size_t at, double x, double width)
{
	struct ctd_strbuf *out = drawing->out;
	uint32_t y = HEAD_HEIGHT + drawing->flame.tree.nodes[at].depth * FRAME_HEIGHT;
	size_t fits = width > 2 * CHARACTER_WIDTH ? (size_t)((width - 4) / CHARACTER_WIDTH) : 0;

	ctd_strbuf_addf(out, "<g><title>");
	add_xml(out, name_of(drawing, at), SIZE_MAX);
	ctd_strbuf_addf(
		out,
		"</title><rect class=\"%s\" x=\"%.1f\" y=\"%u\" width=\"%.1f\" height=\"%d\"/>",
		class_of(drawing, at), x, y, width, FRAME_HEIGHT - 1);
	if (fits > 1) {
		ctd_strbuf_addf(out, "<text x=\"%.1f\" y=\"%u\">", x + 2, y + 13);
		add_xml(out, name_of(drawing, at), fits);
		ctd_strbuf_add(out, "</text>");
	}
	ctd_strbuf_add(out, "</g>\n");
}

/* For viewers without script: each node begins where what its parent called before it ends. */
static int add_picture(struct drawing *drawing)
{
	const struct ctd_tree *tree = &drawing->flame.tree;
	double whole = size_of(drawing, CTD_TREE_ROOT);
	autofree double *ends = calloc(tree->nodes_count, sizeof(*ends));

	if (!ends)
		return -ENOMEM;
	for (size_t i = 0; whole > 0 && i < tree->nodes_count; i++) {
		double width = size_of(drawing, i) / whole * WIDTH,
		       x = i ? ends[tree->nodes[i].parent] : 0;

		ends[i] = x;
		if (i)
			ends[tree->nodes[i].parent] += width;
		if (width >= RECT_WIDTH_MIN)
			add_rect(drawing, i, x, width);
	}
	return 0;
}

/* For the script. These three characters are in texts only; in them they could end the script. */
static void add_data(struct drawing *drawing)
{
	auto_ctd_strbuf struct ctd_strbuf text = {0};

	ctd_flame_json(&drawing->flame, &text);
	drawing->out->failed |= text.failed;
	for (size_t at = 0; !text.failed && at < text.bytes;) {
		size_t plain = strcspn(text.text + at, "<>&");

		ctd_strbuf_add_bytes(drawing->out, text.text + at, plain);
		at += plain;
		if (at < text.bytes)
			ctd_strbuf_addf(drawing->out, "\\u%04x", (unsigned int)text.text[at++]);
	}
}

/* Fills in what stands for a word in the template. */
static int add_word(struct drawing *drawing, const char *word, size_t bytes)
{
	if (strncmp(word, "HEIGHT", bytes) == 0)
		ctd_strbuf_addf(drawing->out, "%u",
				HEAD_HEIGHT + (drawing->flame.tree.depth_max + 2) * FRAME_HEIGHT);
	else if (strncmp(word, "PICTURE", bytes) == 0)
		return add_picture(drawing);
	else if (strncmp(word, "DATA", bytes) == 0)
		add_data(drawing);
	return 0;
}

static int svg_write(const struct ctd_profile_sink_options *options,
		     const struct ctd_profile *profile, struct ctd_strbuf *out)
{
	__attribute__((cleanup(drawing_free))) struct drawing drawing = {.out = out};
	const char *at = ctd_flame_template, *begin, *end;
	int error = ctd_flame_make(options, profile, &drawing.flame);

	while (!error && (begin = strstr(at, MARK))) {
		end = strstr(begin + strlen(MARK), MARK);
		ctd_strbuf_add_bytes(out, at, (size_t)(begin - at));
		begin += strlen(MARK);
		error = add_word(&drawing, begin, (size_t)(end - begin));
		at = end + strlen(MARK);
	}
	if (error)
		return error;
	ctd_strbuf_add(out, at);
	return out->failed ? -ENOMEM : 0;
}

const struct ctd_profile_sink ctd_profile_svg = {
	.suffix = ".svg",
	.compares = true,
	.help = "a flame graph for browsers, in one file: as wide as slots, coloured by why they are lost",
	.write = svg_write,
};
