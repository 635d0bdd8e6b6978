/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_pprof.c - what protoc reads in the message is what the profile says. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "golden.h"
#include "unit/profile_sink/sample_profile.h"

/* The message as text, the caller's. */
static char *decode(const struct ctd_strbuf *out)
{
	char path[] = "/tmp/ctd-pprof-XXXXXX", command[256], *text = NULL;
	int fd = mkstemp(path);
	size_t capacity = 0;
	FILE *pipe;

	if (system("protoc --version >/dev/null 2>&1") != 0) {
		close(fd);
		unlink(path);
		print_message("protoc is missing (package protobuf-compiler)\n");
		skip();
	}
	assert_true(fd >= 0 && write(fd, out->text, out->bytes) == (ssize_t)out->bytes);
	close(fd);
	snprintf(command, sizeof(command),
		 "gzip -dc %s | protoc --decode=pprof.Profile -Itests/pprof profile.proto 2>&1",
		 path);
	pipe = popen(command, "r");
	if (getdelim(&text, &capacity, '\0', pipe) < 0)
		text = calloc(1, 1);
	assert_int_equal(pclose(pipe), 0);
	unlink(path);
	return text;
}

static void protoc_reads_the_whole_profile(void **state)
{
	struct sample sample;

	(void)state;
	sample_make(&sample);
	struct ctd_strbuf out = sample_write(&sample, &ctd_profile_pprof);
	char *text = decode(&out);

	golden_compare("profile-pprof.txt", text);
	free(text);
	ctd_strbuf_free(&out);
	sample_end(&sample);
}

static void a_profile_of_nothing_is_valid(void **state)
{
	struct sample sample;

	(void)state;
	sample_make_empty(&sample);
	struct ctd_strbuf out = sample_write(&sample, &ctd_profile_pprof);
	char *text = decode(&out);

	assert_non_null(strstr(text, "sample_type"));
	assert_non_null(strstr(text, "string_table: \"\""));
	assert_null(strstr(text, "sample {"));
	free(text);
	ctd_strbuf_free(&out);
	sample_end(&sample);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(protoc_reads_the_whole_profile),
		cmocka_unit_test(a_profile_of_nothing_is_valid),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
