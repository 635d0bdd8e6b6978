/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* name_addresses.c - names addresses of a process as profiles do, so that others' stacks can be
 * compared.
 *
 * usage: name_addresses PID <ADDRESSES
 *
 * Prints a line for each: "function", or "file+0xstart" where it has no name.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/namer/namer.h"

static void print_name(const struct ctd_frame_name *name)
{
	const char *slash = strrchr(name->file, '/');

	if (*name->name)
		puts(name->name);
	else
		printf("%s+0x%" PRIx64 "\n", slash ? slash + 1 : name->file, name->address);
}

int main(int argc, char **argv)
{
	struct ctd_sample sample = {.incarnation = 1, .samples = 1};
	struct ctd_samples samples = {.samples = &sample, .samples_count = 1};
	struct ctd_namer *namer;
	char line[64];
	int error;

	if (argc != 2) {
		fprintf(stderr, "usage: name_addresses PID <ADDRESSES\n");
		return 2;
	}
	sample.tgid = (uint32_t)strtoul(argv[1], NULL, 10);
	error = ctd_namer_new(&namer);
	if (!error)
		error = ctd_namer_learn(namer, &samples);
	if (!error)
		error = ctd_namer_work(namer, UINT64_MAX);
	while (!error && fgets(line, sizeof(line), stdin)) {
		uint64_t address = strtoull(line, NULL, 16);
		struct ctd_frame_name name;

		/* Files are read when they are asked for. */
		error = ctd_namer_name(&sample, address, &name, namer);
		if (!error)
			error = ctd_namer_work(namer, UINT64_MAX);
		if (!error)
			error = ctd_namer_name(&sample, address, &name, namer);
		if (!error)
			print_name(&name);
	}
	ctd_namer_free(namer);
	return error ? 1 : 0;
}
