/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* file.c - reads a small file, and notices when it is another one. */
#include "serve/http/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/log.h"
#include "base/root.h"

/* A chain of certificates is some kilobytes. */
#define BYTES_MAX (1 << 20)

int ctd_http_file_open(const char *path, bool again, struct ctd_http_file *ret_file)
{
	struct ctd_http_file file = {};
	struct stat status = {};
	int error;

	if (!path) {
		*ret_file = file;
		return 0;
	}
	/* Before it is read: a change meanwhile is then seen the next time. */
	if (stat(path, &status))
		return ctd_log_error(-errno, "read '%s'", path);
	error = ctd_read_named_file(path, again, BYTES_MAX, &file.text, &file.bytes);
	if (error == -ESPIPE) {
		ctd_log(CTD_LOG_ERROR, "read '%s': " CTD_READ_ONCE, path);
		return error;
	}
	if (error)
		return ctd_log_error(error, "read '%s'", path);
	file.path = strdup(path);
	if (!file.path) {
		ctd_http_file_free(&file);
		return ctd_log_error(-ENOMEM, "read '%s'", path);
	}
	file.changed = status.st_mtim;
	file.inode = status.st_ino;
	file.size = status.st_size;
	*ret_file = file;
	return 0;
}

bool ctd_http_file_changed(const struct ctd_http_file *file)
{
	struct stat status;

	/* One that is away for a moment is about to be replaced. A pipe has nothing more. */
	if (!file->path || stat(file->path, &status) || !S_ISREG(status.st_mode))
		return false;
	return status.st_ino != file->inode || status.st_size != file->size ||
	       status.st_mtim.tv_sec != file->changed.tv_sec ||
	       status.st_mtim.tv_nsec != file->changed.tv_nsec;
}

bool ctd_http_file_is(const struct ctd_http_file *file, const struct ctd_http_file *other)
{
	if (!file->path || !other->path)
		return file->path == other->path;
	return strcmp(file->path, other->path) == 0 && file->inode == other->inode &&
	       file->size == other->size && file->changed.tv_sec == other->changed.tv_sec &&
	       file->changed.tv_nsec == other->changed.tv_nsec && file->bytes == other->bytes &&
	       memcmp(file->text, other->text, file->bytes) == 0;
}

void ctd_http_file_free(struct ctd_http_file *file)
{
	if (file->text)
		explicit_bzero(file->text, file->bytes);
	free(file->text);
	free(file->path);
	*file = (struct ctd_http_file){};
}
