/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* fuzz_settings.c - no file of settings breaks the parser, and none is refused without a word. */
#include <assert.h>
#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "base/settings.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

static void count(size_t line, const char *what, void *context)
{
	(void)line;
	assert(*what);
	++*(size_t *)context;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	struct ctd_settings settings;
	size_t complaints = 0;
	int error = ctd_settings_parse((const char *)data, bytes, count, &complaints, &settings);

	assert(!error == !complaints);
	if (error)
		return 0;
	for (size_t i = 0; i < settings.count; i++) {
		const struct ctd_setting *setting = &settings.settings[i];

		assert(setting->line >= 1 && setting->line <= bytes + 1);
		assert(setting->list || setting->values_count == 1);
		for (size_t j = 0; j < i; j++)
			assert(strcmp(settings.settings[j].name, setting->name) != 0);
	}
	ctd_settings_free(&settings);
	return 0;
}
