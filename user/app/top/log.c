/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* log.c - takes what is written to stderr aside. */
#include "app/top/log.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"

/* More is not kept: what went wrong first tells most. */
#define KEPT_BYTES_MAX 65536
#define OURS "cgtopdown: "

void ctd_top_log_begin(struct ctd_top_log *log)
{
	int ends[2];

	*log = (struct ctd_top_log){.fd = -1, .stderr_fd = -1};
	if (!isatty(STDERR_FILENO) || pipe2(ends, O_CLOEXEC | O_NONBLOCK))
		return;
	log->stderr_fd = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0);
	if (log->stderr_fd < 0 || dup2(ends[1], STDERR_FILENO) < 0) {
		close(ends[0]);
		close(ends[1]);
		return;
	}
	close(ends[1]);
	log->fd = ends[0];
}

static char *last_line(const char *text)
{
	const char *end = text + strlen(text), *line;

	while (end > text && end[-1] == '\n')
		end--;
	for (line = end; line > text && line[-1] != '\n'; line--)
		;
	if ((size_t)(end - line) >= strlen(OURS) && memcmp(line, OURS, strlen(OURS)) == 0)
		line += strlen(OURS);
	return end > line ? strndup(line, (size_t)(end - line)) : NULL;
}

char *ctd_top_log_read(struct ctd_top_log *log)
{
	char *line = NULL, text[4096];
	ssize_t bytes;

	while (log->fd >= 0 && (bytes = read(log->fd, text, sizeof(text) - 1)) > 0) {
		char *newer;

		text[bytes] = '\0';
		if (log->text.bytes < KEPT_BYTES_MAX)
			ctd_strbuf_add(&log->text, text);
		newer = last_line(text);
		if (newer) {
			free(line);
			line = newer;
		}
	}
	return line;
}

void ctd_top_log_end(struct ctd_top_log *log)
{
	if (log->fd >= 0) {
		dup2(log->stderr_fd, STDERR_FILENO);
		free(ctd_top_log_read(log));
		for (size_t at = 0; at < log->text.bytes;) {
			ssize_t written = TEMP_FAILURE_RETRY(
				write(STDERR_FILENO, log->text.text + at, log->text.bytes - at));

			if (written <= 0)
				break;
			at += (size_t)written;
		}
		close(log->fd);
	}
	if (log->stderr_fd >= 0)
		close(log->stderr_fd);
	ctd_strbuf_free(&log->text);
	*log = (struct ctd_top_log){.fd = -1, .stderr_fd = -1};
}
