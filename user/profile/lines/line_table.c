/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* line_table.c - reads .debug_line: which line of which source file an instruction is of. */
#include "profile/lines/line_table.h"

#include <dwarf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/search.h"

#define VERSION_FIRST 2
#define VERSION_LAST 5
/* Of one table; what comes behind is not known. */
#define NAMES_MAX 65536
#define FORMATS_MAX 16

/* The bytes up to a NUL, which is passed. */
static struct ctd_bytes take_string(struct ctd_bytes *from)
{
	const uint8_t *nul = memchr(from->at, '\0', ctd_bytes_left(from));
	struct ctd_bytes text = {.failed = !nul};

	if (!nul) {
		from->failed = true;
		return text;
	}
	text = ctd_bytes_take(from, (uint64_t)(nul - from->at));
	ctd_bytes_number(from, 1);
	return text;
}

static struct ctd_bytes string_at(const struct ctd_bytes *section, uint64_t offset)
{
	struct ctd_bytes rest = *section;

	if (offset >= ctd_bytes_left(section))
		return (struct ctd_bytes){.failed = true};
	rest.at += offset;
	return take_string(&rest);
}

static int add_name(struct ctd_line_name **names, size_t *count, struct ctd_line_name name)
{
	if (!(*count & (*count - 1))) {
		void *larger = reallocarray(*names, *count ? 2 * *count : 1, sizeof(**names));

		if (!larger)
			return -ENOMEM;
		*names = larger;
	}
	(*names)[(*count)++] = name;
	return 0;
}

/* Up to version 4: the unit's directory, and a nameless file, have number 0. */
static int read_names(struct ctd_line_table *table, struct ctd_bytes *header)
{
	struct ctd_line_name name = {0};
	int error = add_name(&table->directories, &table->directories_count, name);

	if (!error)
		error = add_name(&table->files, &table->files_count, name);
	while (!error && table->directories_count < NAMES_MAX) {
		name.text = take_string(header);
		if (header->failed || !ctd_bytes_left(&name.text))
			break;
		error = add_name(&table->directories, &table->directories_count, name);
	}
	while (!error && !header->failed && table->files_count < NAMES_MAX) {
		name.text = take_string(header);
		if (header->failed || !ctd_bytes_left(&name.text))
			break;
		name.directory = ctd_bytes_uleb(header);
		ctd_bytes_uleb(header); /* time */
		ctd_bytes_uleb(header); /* size */
		error = add_name(&table->files, &table->files_count, name);
	}
	return error;
}

/* One value of an entry; *ret_text or *ret_number is set, whichever it is. @return false: its form
 * is not known. */
static bool read_form(const struct ctd_line_table *table, struct ctd_bytes *header, uint64_t form,
		      struct ctd_bytes *ret_text, uint64_t *ret_number)
{
	switch (form) {
	case DW_FORM_string:
		*ret_text = take_string(header);
		return true;
	case DW_FORM_line_strp:
		*ret_text = string_at(&table->sections->line_str,
				      ctd_bytes_number(header, table->offset_bytes));
		return true;
	case DW_FORM_strp:
		*ret_text = string_at(&table->sections->str,
				      ctd_bytes_number(header, table->offset_bytes));
		return true;
	case DW_FORM_udata:
		*ret_number = ctd_bytes_uleb(header);
		return true;
	case DW_FORM_data1:
		*ret_number = ctd_bytes_number(header, 1);
		return true;
	case DW_FORM_data2:
		*ret_number = ctd_bytes_number(header, 2);
		return true;
	case DW_FORM_data4:
		*ret_number = ctd_bytes_number(header, 4);
		return true;
	case DW_FORM_data8:
		*ret_number = ctd_bytes_number(header, 8);
		return true;
	case DW_FORM_data16:
		ctd_bytes_take(header, 16);
		return true;
	case DW_FORM_block:
		ctd_bytes_take(header, ctd_bytes_uleb(header));
		return true;
	default:
		return false;
	}
}

/* From version 5 on: the table says what its entries have. */
static int read_entries(struct ctd_line_table *table, struct ctd_bytes *header,
			struct ctd_line_name **names, size_t *count)
{
	size_t formats = ctd_bytes_number(header, 1);
	uint64_t content[FORMATS_MAX], form[FORMATS_MAX], entries;
	int error = 0;

	if (formats > FORMATS_MAX)
		return -EBADMSG;
	for (size_t i = 0; i < formats; i++) {
		content[i] = ctd_bytes_uleb(header);
		form[i] = ctd_bytes_uleb(header);
	}
	entries = ctd_bytes_uleb(header);
	if (entries > NAMES_MAX)
		return -EBADMSG;
	for (uint64_t k = 0; !error && !header->failed && k < entries; k++) {
		struct ctd_line_name name = {0};

		for (size_t i = 0; i < formats; i++) {
			struct ctd_bytes text = {0};
			uint64_t number = 0;

			if (!read_form(table, header, form[i], &text, &number))
				return -EBADMSG;
			if (content[i] == DW_LNCT_path)
				name.text = text;
			else if (content[i] == DW_LNCT_directory_index)
				name.directory = number;
		}
		error = add_name(names, count, name);
	}
	return error;
}

static int read_header(struct ctd_line_table *table, struct ctd_bytes *unit)
{
	struct ctd_bytes header;
	uint64_t bytes;
	int error, line_base;

	table->version = (unsigned int)ctd_bytes_number(unit, 2);
	if (table->version < VERSION_FIRST || table->version > VERSION_LAST)
		return -EBADMSG;
	/* The sizes of addresses and of segments. */
	if (table->version >= 5)
		ctd_bytes_number(unit, 2);
	bytes = ctd_bytes_number(unit, table->offset_bytes);
	header = ctd_bytes_take(unit, bytes);
	table->program = *unit;
	table->instruction_bytes = ctd_bytes_number(&header, 1);
	/* Operations in an instruction: on our machines one. */
	if (table->version >= 4)
		ctd_bytes_number(&header, 1);
	ctd_bytes_number(&header, 1); /* is_stmt at first */
	line_base = (int)ctd_bytes_number(&header, 1);
	table->line_base = line_base > INT8_MAX ? line_base - (UINT8_MAX + 1) : line_base;
	table->line_range = (unsigned int)ctd_bytes_number(&header, 1);
	table->opcode_base = (unsigned int)ctd_bytes_number(&header, 1);
	if (!table->line_range || !table->opcode_base)
		return -EBADMSG;
	table->opcode_lengths = ctd_bytes_take(&header, table->opcode_base - 1).at;
	if (unit->failed || header.failed)
		return -EBADMSG;
	if (table->version < 5)
		return read_names(table, &header);
	error = read_entries(table, &header, &table->directories, &table->directories_count);
	return error ? error : read_entries(table, &header, &table->files, &table->files_count);
}

int ctd_line_table_open(const struct ctd_line_sections *sections, uint64_t offset,
			const char *unit_directory, struct ctd_line_table *ret_table)
{
	struct ctd_line_table table = {.sections = sections, .unit_directory = unit_directory};
	struct ctd_bytes unit = sections->line;
	uint64_t bytes;
	int error;

	if (offset >= ctd_bytes_left(&unit))
		return -EBADMSG;
	unit.at += offset;
	bytes = ctd_bytes_number(&unit, 4);
	table.offset_bytes = bytes == UINT32_MAX ? 8 : 4;
	if (table.offset_bytes == 8)
		bytes = ctd_bytes_number(&unit, 8);
	unit = ctd_bytes_take(&unit, bytes);
	error = unit.failed ? -EBADMSG : read_header(&table, &unit);
	if (error) {
		ctd_line_table_close(&table);
		return error;
	}
	*ret_table = table;
	return 0;
}

void ctd_line_table_close(struct ctd_line_table *table)
{
	free(table->directories);
	free(table->files);
	table->directories = table->files = NULL;
}

/* Where the program is in its run. */
struct machine {
	const struct ctd_line_table *table;
	const struct ctd_code *code;
	struct ctd_line_row *rows;
	size_t rows_count;
	uint64_t address, file;
	uint32_t line;
	bool in_sequence;
	/* The row before: it holds up to the next one. */
	uint64_t begin, last_address, last_file;
	uint32_t last_line;
};

static void begin_sequence(struct machine *machine)
{
	machine->address = 0;
	machine->file = machine->line = 1;
	machine->in_sequence = false;
}

/* The row before is known to its end now. Of two sequences that are at one place, that is right
 * which begins later: the other one is of something dropped. */
static void end_row(struct machine *machine)
{
	size_t at;

	if (!ctd_code_begins(machine->code, machine->begin) ||
	    machine->last_address >= machine->address || !machine->rows_count ||
	    machine->address <= machine->rows[0].address)
		return;
	at = ctd_search_up_to(machine->rows, machine->rows_count, sizeof(*machine->rows),
			      machine->last_address);
	/* Several may be of this address. */
	while (at && machine->rows[at - 1].address >= machine->last_address)
		at--;
	for (; at < machine->rows_count && machine->rows[at].address < machine->address; at++) {
		struct ctd_line_row *row = &machine->rows[at];

		if (row->line && row->sequence > machine->begin)
			continue;
		row->sequence = machine->begin;
		row->file = machine->last_file;
		row->line = machine->last_line;
	}
}

static void add_row(struct machine *machine)
{
	if (machine->in_sequence)
		end_row(machine);
	else
		machine->begin = machine->address;
	machine->in_sequence = true;
	machine->last_address = machine->address;
	machine->last_file = machine->file;
	machine->last_line = machine->line;
}

static void advance(struct machine *machine, uint64_t instructions)
{
	machine->address += instructions * machine->table->instruction_bytes;
}

static void run_extended(struct machine *machine, struct ctd_bytes *program)
{
	struct ctd_bytes operand = ctd_bytes_take(program, ctd_bytes_uleb(program));
	uint64_t opcode = ctd_bytes_number(&operand, 1);

	if (opcode == DW_LNE_end_sequence) {
		add_row(machine);
		begin_sequence(machine);
	} else if (opcode == DW_LNE_set_address) {
		size_t bytes = ctd_bytes_left(&operand);

		machine->address = bytes == 4 || bytes == 8 ? ctd_bytes_number(&operand, bytes) : 0;
	}
}

static void run_standard(struct machine *machine, unsigned int opcode, struct ctd_bytes *program)
{
	const struct ctd_line_table *table = machine->table;

	switch (opcode) {
	case DW_LNS_copy:
		add_row(machine);
		break;
	case DW_LNS_advance_pc:
		advance(machine, ctd_bytes_uleb(program));
		break;
	case DW_LNS_advance_line:
		machine->line += (uint32_t)ctd_bytes_sleb(program);
		break;
	case DW_LNS_set_file:
		machine->file = ctd_bytes_uleb(program);
		break;
	case DW_LNS_const_add_pc:
		advance(machine, (255 - table->opcode_base) / table->line_range);
		break;
	case DW_LNS_fixed_advance_pc:
		machine->address += ctd_bytes_number(program, 2);
		break;
	default:
		/* Columns, and whatever is not for us. */
		for (uint8_t i = 0; i < table->opcode_lengths[opcode - 1]; i++)
			ctd_bytes_uleb(program);
	}
}

void ctd_line_table_find(const struct ctd_line_table *table, const struct ctd_code *code,
			 struct ctd_line_row *rows, size_t rows_count)
{
	struct machine machine = {
		.table = table, .code = code, .rows = rows, .rows_count = rows_count};
	struct ctd_bytes program = table->program;

	begin_sequence(&machine);
	while (ctd_bytes_left(&program) && !program.failed) {
		unsigned int opcode = (unsigned int)ctd_bytes_number(&program, 1);

		if (!opcode) {
			run_extended(&machine, &program);
		} else if (opcode < table->opcode_base) {
			run_standard(&machine, opcode, &program);
		} else {
			opcode -= table->opcode_base;
			advance(&machine, opcode / table->line_range);
			machine.line +=
				(uint32_t)(table->line_base + (int)(opcode % table->line_range));
			add_row(&machine);
		}
	}
}

static void add_part(struct ctd_bytes part, size_t bytes, char *path)
{
	size_t used = strlen(path), room = bytes - used - 1;
	size_t count = ctd_bytes_left(&part) < room ? ctd_bytes_left(&part) : room;

	if (!count || !part.at)
		return;
	memcpy(path + used, part.at, count);
	path[used + count] = '\0';
}

static bool is_absolute(struct ctd_bytes text)
{
	return ctd_bytes_left(&text) && text.at && *text.at == '/';
}

static void add_directory(struct ctd_bytes directory, size_t bytes, char *path)
{
	static const uint8_t slash[] = "/";

	if (!ctd_bytes_left(&directory))
		return;
	if (is_absolute(directory))
		*path = '\0';
	add_part(directory, bytes, path);
	add_part((struct ctd_bytes){.at = slash, .end = slash + 1}, bytes, path);
}

bool ctd_line_table_path(const struct ctd_line_table *table, uint64_t file, size_t bytes,
			 char *ret_path)
{
	struct ctd_bytes name, unit = {0};
	uint64_t directory;

	if (file >= table->files_count || !ctd_bytes_left(&table->files[file].text))
		return false;
	name = table->files[file].text;
	directory = table->files[file].directory;
	/* As of version 5 it is the first one, too. */
	if (table->unit_directory && table->version < 5)
		unit = (struct ctd_bytes){.at = (const uint8_t *)table->unit_directory,
					  .end = (const uint8_t *)strchr(table->unit_directory, 0)};
	*ret_path = '\0';
	if (!is_absolute(name)) {
		add_directory(unit, bytes, ret_path);
		/* Others may be relative to the first one. */
		if (table->directories_count)
			add_directory(table->directories[0].text, bytes, ret_path);
		if (directory && directory < table->directories_count)
			add_directory(table->directories[directory].text, bytes, ret_path);
	}
	add_part(name, bytes, ret_path);
	return true;
}
