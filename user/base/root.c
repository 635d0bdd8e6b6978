/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* root.c - reads small files of /sys and /proc below one root directory. */
#include "base/root.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/input.h"
#include "base/num.h"

static const char *root_directory = "";

void ctd_root_set(const char *directory)
{
	root_directory = directory ? directory : "";
}

const char *ctd_root(void)
{
	return root_directory;
}

__attribute__((format(printf, 2, 0))) static int format_path(char *ret_path, const char *format,
							     va_list arguments)
{
	char path[CTD_PATH_MAX];
	size_t root_bytes = strlen(root_directory);
	int bytes;

	if (root_bytes >= sizeof(path))
		return -ENAMETOOLONG;
	memcpy(path, root_directory, root_bytes);
	bytes = vsnprintf(path + root_bytes, sizeof(path) - root_bytes, format, arguments);
	if (bytes < 0 || (size_t)bytes >= sizeof(path) - root_bytes)
		return -ENAMETOOLONG;
	memcpy(ret_path, path, root_bytes + (size_t)bytes + 1);
	return 0;
}

__attribute__((format(printf, 3, 0))) static ssize_t
read_text(char *ret_text, size_t bytes, const char *format, va_list arguments)
{
	char path[CTD_PATH_MAX];
	autofree char *text = NULL;
	size_t text_bytes;
	int err;

	err = format_path(path, format, arguments);
	if (err)
		return err;
	err = ctd_read_file(path, bytes, &text, &text_bytes);
	if (err)
		return err;
	if (text_bytes && text[text_bytes - 1] == '\n')
		text[--text_bytes] = '\0';
	if (text_bytes >= bytes)
		return -EFBIG;
	memcpy(ret_text, text, text_bytes + 1);
	return (ssize_t)text_bytes;
}

int ctd_root_path(char *ret_path, const char *format, ...)
{
	va_list arguments;
	int err;

	va_start(arguments, format);
	err = format_path(ret_path, format, arguments);
	va_end(arguments);
	return err;
}

ssize_t ctd_root_read(char *ret_text, size_t bytes, const char *format, ...)
{
	va_list arguments;
	ssize_t length;

	va_start(arguments, format);
	length = read_text(ret_text, bytes, format, arguments);
	va_end(arguments);
	return length;
}

int ctd_root_read_integer(long long *ret_value, const char *format, ...)
{
	char text[64];
	char *end;
	va_list arguments;
	ssize_t length;
	long long value;

	va_start(arguments, format);
	length = read_text(text, sizeof(text), format, arguments);
	va_end(arguments);
	if (length < 0)
		return (int)length;
	if (strncmp(text, "0x", 2) != 0)
		return ctd_parse_integer(text, LLONG_MIN, LLONG_MAX, ret_value);
	errno = 0;
	value = strtoll(text, &end, 16);
	if (*end)
		return -EINVAL;
	if (errno)
		return -errno;
	*ret_value = value;
	return 0;
}

static int read_all(int fd, size_t bytes_max, char **ret_text, size_t *ret_bytes)
{
	autofree char *text = NULL;
	size_t bytes = 0, capacity = 0;
	ssize_t got;

	/* The size of a file in /proc is not known before it is read, so the buffer grows. */
	do {
		if (bytes == capacity) {
			char *grown;

			capacity = capacity ? 2 * capacity : 4096;
			grown = realloc(text, capacity + 1);
			if (!grown)
				return -ENOMEM;
			text = grown;
		}
		got = TEMP_FAILURE_RETRY(read(fd, text + bytes, capacity - bytes));
		if (got < 0)
			return -errno;
		bytes += (size_t)got;
		if (bytes > bytes_max)
			return -EFBIG;
	} while (got);
	text[bytes] = '\0';
	*ret_text = take_ptr(text);
	*ret_bytes = bytes;
	return 0;
}

int ctd_read_named_file(const char *path, bool again, size_t bytes_max, char **ret_text,
			size_t *ret_bytes)
{
	/* open() of a FIFO waits for a writer. A terminal must not become our controlling one. */
	autoclose int fd = again ? open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
				 : ctd_input_open(path);
	struct stat status;

	if (fd < 0)
		return again ? -errno : fd;
	if (fstat(fd, &status))
		return -errno;
	if (again && !S_ISREG(status.st_mode))
		return S_ISDIR(status.st_mode) ? -EISDIR : -ESPIPE;
	return read_all(fd, bytes_max, ret_text, ret_bytes);
}

int ctd_read_file(const char *path, size_t bytes_max, char **ret_text, size_t *ret_bytes)
{
	return ctd_read_named_file(path, true, bytes_max, ret_text, ret_bytes);
}
