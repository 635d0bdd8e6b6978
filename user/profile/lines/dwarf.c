/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* dwarf.c - finds lines and inlined functions of instructions in the debugging information of a
 * file.
 */
#include "profile/lines/dwarf.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <errno.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/auto.h"
#include "base/search.h"
#include "profile/lines/line_table.h"

#define NONE UINT32_MAX
/* Of functions, blocks and classes in each other. */
#define DEPTH_MAX 256
#define NODES_MAX (1U << 20)

/* An instruction. */
struct place {
	uint64_t address;
	uint64_t sequence; /* of the row that it has its line from */
	uint64_t function_begin; /* of the function that is taken for its own */
	uint32_t function; /* number of that; 0: none */
	uint32_t node; /* the innermost that was inlined there; NONE */
	uint32_t source, line, start_line; /* as of a frame */
};

/* A function that was inlined. */
struct node {
	uint32_t parent; /* that it is in; NONE */
	uint32_t name, start_line;
	uint32_t call_source, call_line;
};

struct search {
	Dwarf *dwarf; /* owned */
	struct ctd_lines *lines;
	struct ctd_code code;
	struct ctd_line_sections sections;
	struct place *places; /* owned; by address */
	size_t places_count;
	struct ctd_line_row *rows; /* owned; those of the unit at hand */
	size_t rows_count;
	struct node *nodes; /* owned */
	uint32_t nodes_count;
	uint32_t inlined; /* a text, for those without a name */
	uint32_t functions; /* that were looked at */
	/* Of the unit at hand. */
	struct ctd_line_table *table; /* NULL: none */
	uint32_t function; /* the one at hand */
	uint32_t function_start_line;
	int error;
};

static void search_free(struct search *search)
{
	dwarf_end(search->dwarf);
	free(search->places);
	free(search->rows);
	free(search->nodes);
}

static void find_code(Elf *elf, struct ctd_code *code)
{
	size_t count = 0;
	GElf_Phdr segment;

	code->start = UINT64_MAX;
	elf_getphdrnum(elf, &count);
	for (size_t i = 0; i < count && gelf_getphdr(elf, (int)i, &segment); i++) {
		if (segment.p_type != PT_LOAD || !(segment.p_flags & PF_X))
			continue;
		if (segment.p_vaddr < code->start)
			code->start = segment.p_vaddr;
		if (segment.p_vaddr + segment.p_memsz > code->end)
			code->end = segment.p_vaddr + segment.p_memsz;
	}
}

/* Also by its old name, with which it may have been compressed: libdw has made it plain. */
static bool is_named(const char *its, const char *name)
{
	return strcmp(its, name) == 0 ||
	       (its[0] == '.' && its[1] == 'z' && strcmp(its + 2, name + 1) == 0);
}

static void take_section(Elf *elf, const char *name, struct ctd_bytes *ret_bytes)
{
	Elf_Scn *scn = NULL;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return;
	while ((scn = elf_nextscn(elf, scn))) {
		GElf_Shdr header;
		const char *its =
			gelf_getshdr(scn, &header) ? elf_strptr(elf, names, header.sh_name) : NULL;
		const Elf_Data *data;

		if (!its || !is_named(its, name))
			continue;
		data = header.sh_flags & SHF_COMPRESSED ? NULL : elf_getdata(scn, NULL);
		if (data && data->d_buf)
			*ret_bytes = (struct ctd_bytes){.at = data->d_buf,
							.end = (const uint8_t *)data->d_buf +
							       data->d_size};
		return;
	}
}

/* The first place at or behind an address. */
static size_t first_place(const struct search *search, uint64_t address)
{
	return address ? ctd_search_up_to(search->places, search->places_count,
					  sizeof(*search->places), address - 1)
		       : 0;
}

/* Calls @p visit for each place that is in the ranges of a DIE. @return whether there is any. */
static bool visit_places(struct search *search, Dwarf_Die *die,
			 void (*visit)(struct search *search, struct place *place,
				       uint64_t range_begin, void *context),
			 void *context)
{
	Dwarf_Addr base, begin, end;
	ptrdiff_t offset = 0;
	bool any = false;

	while ((offset = dwarf_ranges(die, offset, &base, &begin, &end)) > 0) {
		if (!ctd_code_begins(&search->code, begin))
			continue;
		for (size_t i = first_place(search, begin);
		     i < search->places_count && search->places[i].address < end; i++) {
			any = true;
			visit(search, &search->places[i], begin, context);
		}
	}
	return any;
}

static const char *text_of(Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attribute;

	/* From what it stands for, too: up to 16 steps. */
	return dwarf_attr_integrate(die, name, &attribute) ? dwarf_formstring(&attribute) : NULL;
}

static uint64_t number_of(Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attribute;
	Dwarf_Word number;

	return dwarf_attr_integrate(die, name, &attribute) && !dwarf_formudata(&attribute, &number)
		       ? number
		       : 0;
}

static uint32_t line_of(Dwarf_Die *die, unsigned int name)
{
	uint64_t number = number_of(die, name);

	return number < UINT32_MAX ? (uint32_t)number : 0;
}

static uint32_t take_text(struct search *search, const char *text)
{
	uint32_t at = 0;

	if (!search->error)
		search->error = ctd_lines_find_text(search->lines, text, &at);
	return at;
}

static uint32_t take_path(struct search *search, uint64_t file)
{
	char path[CTD_LINE_TEXT_MAX + 1];

	return search->table && ctd_line_table_path(search->table, file, sizeof(path), path)
		       ? take_text(search, path)
		       : 0;
}

/* Names in a language of which symbols tell more are the symbols'. */
static uint32_t take_name(struct search *search, Dwarf_Die *die)
{
	const char *name = text_of(die, DW_AT_linkage_name);

	if (!name)
		name = text_of(die, DW_AT_MIPS_linkage_name);
	if (!name)
		name = text_of(die, DW_AT_name);
	return take_text(search, name ? name : "");
}

/* Where two functions are at one place, that is there which begins later: the other was dropped. */
static void visit_function(struct search *search, struct place *place, uint64_t range_begin,
			   void *context)
{
	(void)context;
	if (place->function && place->function_begin > range_begin)
		return;
	place->function = search->function;
	place->function_begin = range_begin;
	place->node = NONE;
	place->start_line = search->function_start_line;
}

/* @return 0, -ENOMEM, or -E2BIG: there are too many. */
static int reserve_node(struct search *search)
{
	return search->nodes_count >= NODES_MAX
		       ? -E2BIG
		       : ctd_array_reserve(&search->nodes, search->nodes_count, 1,
					   sizeof(*search->nodes));
}

static void visit_inlined(struct search *search, struct place *place, uint64_t range_begin,
			  void *context)
{
	uint32_t *node = context;

	(void)range_begin;
	if (place->function != search->function)
		return;
	/* The first place that needs it makes room. */
	if (*node == NONE) {
		search->error = search->error ? search->error : reserve_node(search);
		if (search->error)
			return;
		*node = search->nodes_count++;
	}
	place->node = *node;
}

static void visit_nothing(struct search *search, struct place *place, uint64_t range_begin,
			  void *context)
{
	(void)search;
	(void)place;
	(void)range_begin;
	(void)context;
}

/* *ret_node: of the function, NONE: it is at none of the places. */
static void take_inlined(struct search *search, Dwarf_Die *die, uint32_t parent, uint32_t *ret_node)
{
	uint32_t at = NONE;

	visit_places(search, die, visit_inlined, &at);
	if (at != NONE)
		search->nodes[at] = (struct node){
			.parent = parent,
			.name = take_name(search, die),
			.start_line = line_of(die, DW_AT_decl_line),
			.call_source = take_path(search, number_of(die, DW_AT_call_file)),
			.call_line = line_of(die, DW_AT_call_line),
		};
	*ret_node = at;
}

/* What is in a DIE that is inlined as @p node, or in none. */
static void walk(struct search *search, Dwarf_Die *die, uint32_t node, int depth)
{
	Dwarf_Die child;
	uint32_t inner, function = search->function;

	if (depth == DEPTH_MAX || search->error || dwarf_child(die, &child))
		return;
	do {
		switch (dwarf_tag(&child)) {
		case DW_TAG_subprogram:
			search->function = ++search->functions;
			search->function_start_line = 0;
			if (visit_places(search, &child, visit_nothing, NULL)) {
				search->function_start_line = line_of(&child, DW_AT_decl_line);
				visit_places(search, &child, visit_function, NULL);
			}
			walk(search, &child, NONE, depth + 1);
			search->function = function;
			break;
		case DW_TAG_inlined_subroutine:
			take_inlined(search, &child, node, &inner);
			if (inner != NONE)
				walk(search, &child, inner, depth + 1);
			break;
		case DW_TAG_lexical_block:
		case DW_TAG_try_block:
		case DW_TAG_catch_block:
			if (visit_places(search, &child, visit_nothing, NULL))
				walk(search, &child, node, depth + 1);
			break;
		case DW_TAG_namespace:
		case DW_TAG_module:
		case DW_TAG_class_type:
		case DW_TAG_structure_type:
		case DW_TAG_union_type:
			walk(search, &child, NONE, depth + 1);
			break;
		default:
			break;
		}
	} while (!search->error && !dwarf_siblingof(&child, &child));
}

static void visit_unit(struct search *search, struct place *place, uint64_t range_begin,
		       void *context)
{
	(void)range_begin;
	(void)context;
	/* Ranges that have a place in common, again and again, are nobody's. */
	if (search->rows_count < search->places_count)
		search->rows[search->rows_count++] =
			(struct ctd_line_row){.address = place->address};
}

static int compare_rows(const void *left, const void *right)
{
	const struct ctd_line_row *a = left, *b = right;

	return a->address < b->address ? -1 : a->address > b->address;
}

static void take_rows(struct search *search)
{
	qsort(search->rows, search->rows_count, sizeof(*search->rows), compare_rows);
	ctd_line_table_find(search->table, &search->code, search->rows, search->rows_count);
	for (size_t i = 0; i < search->rows_count; i++) {
		const struct ctd_line_row *row = &search->rows[i];
		struct place *place = &search->places[first_place(search, row->address)];

		if (!row->sequence || row->sequence < place->sequence)
			continue;
		place->sequence = row->sequence;
		place->source = row->line ? take_path(search, row->file) : 0;
		place->line = place->source ? row->line : 0;
	}
}

static void search_unit(struct search *search, Dwarf_Die *unit)
{
	auto_ctd_line_table struct ctd_line_table table = {0};
	Dwarf_Attribute attribute;
	Dwarf_Word offset;

	search->rows_count = 0;
	if (!visit_places(search, unit, visit_unit, NULL))
		return;
	if (dwarf_attr(unit, DW_AT_stmt_list, &attribute) &&
	    !dwarf_formudata(&attribute, &offset) &&
	    !ctd_line_table_open(&search->sections, offset, text_of(unit, DW_AT_comp_dir), &table))
		search->table = &table;
	if (search->table)
		take_rows(search);
	walk(search, unit, NONE, 0);
	search->table = NULL;
}

static void add_chain(struct search *search, size_t at)
{
	const struct place *place = &search->places[at];
	struct ctd_line_frame frames[CTD_LINE_FRAMES_MAX];
	uint32_t source = place->source, line = place->line;
	size_t count = 0;

	for (uint32_t i = place->node; i != NONE; i = search->nodes[i].parent) {
		const struct node *node = &search->nodes[i];

		if (count < CTD_LINE_FRAMES_MAX - 1)
			frames[count++] =
				(struct ctd_line_frame){node->name, source, line, node->start_line};
		source = node->call_source;
		line = source ? node->call_line : 0;
	}
	if (!count && !source)
		return;
	/* Of which there was no name, or no room for it. */
	for (size_t i = 0; i < count; i++)
		frames[i].name = frames[i].name ? frames[i].name : search->inlined;
	frames[count++] = (struct ctd_line_frame){0, source, line, place->start_line};
	search->error = ctd_lines_add(search->lines, at, frames, count);
}

int ctd_dwarf_find(struct Elf *elf, const uint64_t *addresses, size_t count,
		   struct ctd_lines *lines)
{
	__attribute__((cleanup(search_free))) struct search search = {
		.dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL),
		.lines = lines,
		.places = calloc(count + 1, sizeof(struct place)),
		.rows = calloc(count + 1, sizeof(struct ctd_line_row)),
		.places_count = count,
	};
	Dwarf_CU *unit = NULL;
	Dwarf_Half version;
	Dwarf_Die die;
	uint8_t type;
	int error;

	if (!search.places || !search.rows)
		return -ENOMEM;
	if (!search.dwarf)
		return -ENOEXEC;
	for (size_t i = 0; i < count; i++)
		search.places[i] = (struct place){.address = addresses[i], .node = NONE};
	find_code(elf, &search.code);
	take_section(elf, ".debug_line", &search.sections.line);
	take_section(elf, ".debug_line_str", &search.sections.line_str);
	take_section(elf, ".debug_str", &search.sections.str);
	search.inlined = take_text(&search, "[inlined]");
	while (!search.error &&
	       !dwarf_get_units(search.dwarf, unit, &unit, &version, &type, &die, NULL))
		if (type == DW_UT_compile || type == DW_UT_skeleton)
			search_unit(&search, &die);
	/* What is there is told. */
	error = search.error;
	search.error = 0;
	for (size_t i = 0; i < count && !search.error && error != -ENOMEM; i++)
		add_chain(&search, i);
	return error ? error : search.error;
}
