/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* show_lines.c - prints lines and inlined functions of a file's addresses as llvm-symbolizer does. */
#include <fcntl.h>
#include <inttypes.h>
#include <libelf.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/auto.h"
#include "profile/lines/dwarf.h"
#include "profile/lines/worker.h"

/* Addresses in order, in hexadecimal, from standard input. */
static size_t read_addresses(uint64_t **ret_addresses)
{
	size_t count = 0, capacity = 0;
	uint64_t *addresses = NULL, address;

	while (scanf("%" SCNx64, &address) == 1) {
		if (count == capacity) {
			capacity = capacity ? 2 * capacity : 1024;
			addresses = reallocarray(addresses, capacity, sizeof(*addresses));
			if (!addresses)
				exit(1);
		}
		addresses[count++] = address;
	}
	*ret_addresses = addresses;
	return count;
}

/* "NAME\nPATH:LINE" for each frame; the name of the function that symbols tell is "-". */
static void show(const struct ctd_lines *lines, const struct ctd_line_chain *chain)
{
	for (uint32_t i = 0; i < chain->count; i++) {
		const struct ctd_line_frame *frame = &lines->frames[chain->first + i];

		printf("%s\n%s:%" PRIu32 "\n", frame->name ? lines->texts[frame->name] : "-",
		       frame->source ? lines->texts[frame->source] : "??", frame->line);
	}
}

int main(int argc, char **argv)
{
	auto_ctd_lines struct ctd_lines lines = {0};
	autofree uint64_t *addresses = NULL;
	autoclose int fd = argc == 2 ? open(argv[1], O_RDONLY | O_CLOEXEC) : -1;
	size_t count = read_addresses(&addresses), at = 0;
	size_t bytes;
	void *image = fd >= 0 ? ctd_worker_map(fd, &bytes) : NULL;
	Elf *elf;
	int error;

	elf_version(EV_CURRENT);
	elf = image ? elf_memory(image, bytes) : NULL;
	error = elf && addresses ? ctd_dwarf_find(elf, addresses, count, &lines) : -1;
	if (error) {
		fprintf(stderr, "usage: show_lines FILE <ADDRESSES (%d)\n", error);
		return 1;
	}
	for (size_t i = 0; i < count; i++) {
		if (at < lines.chains_count && lines.chains[at].key == i)
			show(&lines, &lines.chains[at++]);
		else
			printf("-\n??:0\n");
		putchar('\n');
	}
	elf_end(elf);
	return 0;
}
