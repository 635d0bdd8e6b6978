/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* show_unwind.c - prints the unwind table of an ELF file, a row per line. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/auto.h"
#include "profile/elf/file.h"
#include "profile/unwind/table.h"

static void print_where(const char *name, enum ctd_unwind_where where, int offset)
{
	static const char *const bases[] = {"same", "c", "sp", "fp"};

	printf(" %s=%s", name, bases[where]);
	if (where != CTD_WHERE_SAME)
		printf("%+d", offset);
}

static void print_rule(const struct ctd_unwind_rule *rule)
{
	switch (rule->cfa) {
	case CTD_CFA_SP:
		printf("sp%+d", rule->cfa_offset);
		break;
	case CTD_CFA_FP:
		printf("fp%+d", rule->cfa_offset);
		break;
	case CTD_CFA_REGISTER:
		printf("r%d%+d", rule->cfa_register, rule->cfa_offset);
		break;
	case CTD_CFA_SP_DEREF:
		printf("*(sp%+d)%+d", rule->cfa_offset, rule->cfa_add);
		break;
	case CTD_CFA_FP_DEREF:
		printf("*(fp%+d)%+d", rule->cfa_offset, rule->cfa_add);
		break;
	case CTD_CFA_SP_SCALED:
		printf("*(sp%+d+8*r%d)%+d", rule->cfa_offset, rule->cfa_register, rule->cfa_add);
		break;
	case CTD_CFA_PLT:
		printf("plt%+d/%d", rule->cfa_offset, rule->cfa_add);
		break;
	}
	print_where("ra", rule->return_address, rule->return_address_offset);
	print_where("fp", rule->fp, rule->fp_offset);
	puts(rule->flags & CTD_UNWIND_SIGNAL ? " signal" : "");
}

static void print_table(const struct ctd_unwind_table *table, const struct ctd_unwind_rules *rules)
{
	static const char *const fixed[] = {"none", "unsupported", "end"};
	const uint32_t *starts = table->words + CTD_UNWIND_HEADER_WORDS;

	for (uint32_t page = 0; page < table->words[1]; page++) {
		for (uint32_t i = starts[page]; i < starts[page + 1]; i++) {
			uint32_t row = table->words[i], rule = CTD_UNWIND_ROW_RULE(row);

			printf("%" PRIx64 " ",
			       (((uint64_t)table->words[0] + page) << CTD_UNWIND_PAGE_BITS) +
				       CTD_UNWIND_ROW_LOW_PC(row));
			if (rule < CTD_RULES_FIXED)
				puts(fixed[rule]);
			else
				print_rule(&rules->rules[rule]);
		}
	}
}

static int show(int fd)
{
	auto_ctd_unwind_rules struct ctd_unwind_rules rules = {0};
	auto_ctd_unwind_table struct ctd_unwind_table table = {0};
	auto_ctd_elf struct ctd_elf file = {0};
	struct ctd_elf_section section;
	struct ctd_unwind_source source;
	autofree void *bytes = NULL;
	int err;

	err = ctd_elf_open(fd, &file);
	if (!err)
		err = ctd_elf_section_named(&file, ".eh_frame", SIZE_MAX, &section);
	if (!err)
		err = ctd_elf_section_copy(&file, &section, &bytes);
	if (!err)
		err = ctd_unwind_rules_begin(&rules);
	if (err)
		return err;
	source = (struct ctd_unwind_source){
		.machine = ctd_unwind_machine(file.machine),
		.eh_frame = bytes,
		.eh_frame_bytes = section.count,
		.eh_frame_address = section.address,
		.code_start = file.code_start,
		.code_end = file.code_end,
	};
	if (!source.machine)
		return -ENOTSUP;
	err = ctd_unwind_table_make(&source, &rules, &table);
	if (err)
		return err;
	print_table(&table, &rules);
	printf("# functions %zu bad %zu rows %zu unsupported %zu words %zu rules %zu\n",
	       table.functions, table.bad_functions, table.rows, table.unsupported_rows,
	       table.words_count, rules.count);
	return 0;
}

int main(int argc, char **argv)
{
	autoclose int fd = argc == 2 ? open(argv[1], O_RDONLY | O_CLOEXEC) : -1;
	int err;

	if (fd < 0) {
		fprintf(stderr, "usage: show_unwind FILE\n");
		return 2;
	}
	err = show(fd);
	if (err)
		fprintf(stderr, "show_unwind: %s: %s\n", argv[1], strerror(-err));
	return err ? 1 : 0;
}
