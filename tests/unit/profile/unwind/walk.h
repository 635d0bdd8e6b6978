/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* walk.h - unwinds a stack of this process by its tables, in the way that profile_abi.h prescribes.
 */
#ifndef TESTS_UNIT_WALK_H
#define TESTS_UNIT_WALK_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <fcntl.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "base/auto.h"
#include "profile/elf/file.h"
#include "profile/unwind/table.h"

#define WALK_MAPPINGS_MAX 128
#define WALK_REGISTERS 32

struct walk_registers {
	uint64_t pc, sp, fp;
	uint64_t all[WALK_REGISTERS]; /* by DWARF's numbers, of the interrupted frame */
};

enum walk_end { WALK_COMPLETE, WALK_TRUNCATED, WALK_BROKEN };

struct walk {
	struct ctd_unwind_rules rules;
	struct walk_mapping {
		uint64_t start, end, bias;
		struct ctd_unwind_table table;
	} mappings[WALK_MAPPINGS_MAX];
	size_t mappings_count;
	uint32_t broken_by; /* the last rule's number */
};

static inline bool walk_add(struct walk *walk, uint64_t start, uint64_t end, uint64_t offset,
			    struct ctd_elf *file)
{
	struct walk_mapping *mapping = &walk->mappings[walk->mappings_count];
	struct ctd_elf_section section;
	struct ctd_unwind_source source;
	autofree void *bytes = NULL;

	if (walk->mappings_count == WALK_MAPPINGS_MAX ||
	    ctd_elf_bias(&file->segments, start, offset, &mapping->bias) ||
	    ctd_elf_section_named(file, ".eh_frame", 1 << 28, &section) ||
	    ctd_elf_section_copy(file, &section, &bytes))
		return false;
	source = (struct ctd_unwind_source){
		.machine = ctd_unwind_machine(file->machine),
		.eh_frame = bytes,
		.eh_frame_bytes = section.count,
		.eh_frame_address = section.address,
		.code_start = file->code_start,
		.code_end = file->code_end,
	};
	mapping->start = start;
	mapping->end = end;
	if (ctd_unwind_table_make(&source, &walk->rules, &mapping->table))
		return false;
	walk->mappings_count++;
	return true;
}

static inline void walk_add_line(struct walk *walk, const char *line)
{
	uint64_t start, end, offset;
	char flags[8], path[512] = "";
	struct ctd_elf file;
	int fd;

	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s %" SCNx64 " %*s %*s %511s", &start, &end,
		   flags, &offset, path) < 4 ||
	    flags[2] != 'x')
		return;
	if (!strcmp(path, "[vdso]")) {
		if (ctd_elf_open_memory((const void *)(uintptr_t)start, end - start, &file))
			return;
		walk_add(walk, start, end, offset, &file);
		ctd_elf_close(&file);
		return;
	}
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	if (!ctd_elf_open(fd, &file)) {
		walk_add(walk, start, end, offset, &file);
		ctd_elf_close(&file);
	}
	close(fd);
}

/* Tables of all that this process has mapped. */
static inline bool walk_begin(struct walk *walk)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	char line[1024];

	*walk = (struct walk){0};
	if (!maps || ctd_unwind_rules_begin(&walk->rules))
		return false;
	while (fgets(line, sizeof(line), maps))
		walk_add_line(walk, line);
	fclose(maps);
	return walk->mappings_count > 0;
}

static inline void walk_end(struct walk *walk)
{
	for (size_t i = 0; i < walk->mappings_count; i++)
		ctd_unwind_table_free(&walk->mappings[i].table);
	ctd_unwind_rules_free(&walk->rules);
}

static inline uint32_t walk_find(const struct walk *walk, uint64_t pc)
{
	for (size_t i = 0; i < walk->mappings_count; i++) {
		const struct walk_mapping *mapping = &walk->mappings[i];

		if (pc >= mapping->start && pc < mapping->end)
			return ctd_unwind_table_find(&mapping->table, pc - mapping->bias);
	}
	return CTD_RULE_NONE;
}

static inline uint64_t walk_load(uint64_t address)
{
	uint64_t word;

	/* Volatile: the stack is not what the compiler thinks it is. */
	for (size_t i = 0; i < sizeof(word); i++)
		((uint8_t *)&word)[i] = ((const volatile uint8_t *)(uintptr_t)address)[i];
	return word;
}

static inline bool walk_cfa(const struct ctd_unwind_rule *rule, const struct walk_registers *at,
			    bool innermost, uint64_t *ret_cfa)
{
	uint64_t offset = (uint64_t)(int64_t)rule->cfa_offset;
	uint64_t add = (uint64_t)(int64_t)rule->cfa_add;

	switch (rule->cfa) {
	case CTD_CFA_SP:
		*ret_cfa = at->sp + offset;
		return true;
	case CTD_CFA_FP:
		*ret_cfa = at->fp + offset;
		return true;
	case CTD_CFA_SP_DEREF:
		*ret_cfa = walk_load(at->sp + offset) + add;
		return true;
	case CTD_CFA_FP_DEREF:
		*ret_cfa = walk_load(at->fp + offset) + add;
		return true;
	case CTD_CFA_PLT:
		*ret_cfa = at->sp + offset + ((at->pc & 15) >= add ? 8 : 0);
		return true;
	case CTD_CFA_REGISTER:
		*ret_cfa = at->all[rule->cfa_register] + offset;
		return innermost;
	case CTD_CFA_SP_SCALED:
		if (!innermost)
			return false;
		*ret_cfa = walk_load(at->sp + offset + 8 * at->all[rule->cfa_register]) + add;
		return true;
	default:
		return false;
	}
}

static inline uint64_t walk_where(enum ctd_unwind_where where, int16_t offset,
				  const struct walk_registers *at, uint64_t cfa, uint64_t same)
{
	const uint64_t bases[] = {0, cfa, at->sp, at->fp};

	return where == CTD_WHERE_SAME ? same : walk_load(bases[where] + (uint64_t)(int64_t)offset);
}

/* Writes pcs: the interrupted one, then return addresses. */
static inline enum walk_end walk_stack(struct walk *walk, struct walk_registers registers,
				       uint64_t *ret_pcs, size_t pcs_max, size_t *ret_count)
{
	uint64_t pc = registers.pc;
	uint64_t link = registers.all[30];
	bool innermost = true;

	for (*ret_count = 0; *ret_count < pcs_max; innermost = false) {
		const struct ctd_unwind_rule *rule;
		uint64_t cfa, fp;

		ret_pcs[(*ret_count)++] = registers.pc;
		walk->broken_by = walk_find(walk, pc);
		rule = &walk->rules.rules[walk->broken_by];
		if (walk->broken_by == CTD_RULE_END)
			return WALK_COMPLETE;
		if (walk->broken_by < CTD_RULES_FIXED ||
		    !walk_cfa(rule, &registers, innermost, &cfa))
			return WALK_BROKEN;
		fp = walk_where(rule->fp, rule->fp_offset, &registers, cfa, registers.fp);
		registers.pc = walk_where(rule->return_address, rule->return_address_offset,
					  &registers, cfa, link);
		registers.fp = fp;
		registers.sp = cfa;
		pc = registers.pc - !(rule->flags & CTD_UNWIND_SIGNAL);
	}
	return WALK_TRUNCATED;
}

#endif
