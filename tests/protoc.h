/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* protoc.h - a protobuf message as text, by the protocol's own compiler. */
#ifndef TESTS_PROTOC_H
#define TESTS_PROTOC_H

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/strbuf.h"

/*
 * What protoc reads in @p message, the caller's; the test is skipped where there is no protoc.
 * @p unpack: the command whose output is the message, such as "gzip -dc"; @p schema: a .proto file.
 */
static inline char *protoc_decode(const char *unpack, const char *schema, const char *type,
				  const struct ctd_strbuf *message)
{
	char path[] = "/tmp/ctd-protoc-XXXXXX", command[256], *text = NULL;
	int fd = mkstemp(path), status;
	size_t capacity = 0;
	FILE *pipe;

	if (system("protoc --version >/dev/null 2>&1") != 0) {
		close(fd);
		unlink(path);
		print_message("protoc is missing (package protobuf-compiler)\n");
		skip();
	}
	assert_true(fd >= 0 && write(fd, message->text, message->bytes) == (ssize_t)message->bytes);
	close(fd);
	snprintf(command, sizeof(command), "%s <%s | protoc --decode=%s -Itests %s 2>&1", unpack,
		 path, type, schema);
	pipe = popen(command, "r");
	if (getdelim(&text, &capacity, '\0', pipe) < 0)
		text = calloc(1, 1);
	status = pclose(pipe);
	unlink(path);
	if (status != 0)
		fail_msg("%s: %s", command, text);
	return text;
}

#endif
