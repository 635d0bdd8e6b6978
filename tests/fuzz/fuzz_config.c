/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* fuzz_config.c - no file of --config breaks the table of options that it is stored by. */
#include "app/options/options.h"
#include "disk.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	static char file[sizeof(disk_root) + sizeof("/config")];
	char *arguments[] = {"cgtopdown", "serve", "--config", file, NULL};
	struct ctd_options options;
	int error;

	disk_put("/config", data, bytes);
	snprintf(file, sizeof(file), "%s/config", disk_root);
	error = ctd_options_parse(4, arguments, &options);
	assert(!error || error == -EINVAL);
	if (!error) {
		assert(options.command == CTD_COMMAND_SERVE && options.serve.listen);
		ctd_options_free(&options);
	}
	return 0;
}
