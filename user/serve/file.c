/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* file.c - reads small files, and notices when they change. */
#include "serve/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/log.h"
#include "base/root.h"

/* A chain of certificates is some kilobytes. */
#define BYTES_MAX (1 << 20)

int ctd_secret_read(const char *path, bool again, struct ctd_secret *ret_secret)
{
	struct ctd_secret secret = {};
	int error =
		path ? ctd_read_named_file(path, again, BYTES_MAX, &secret.text, &secret.bytes) : 0;

	if (error == -ESPIPE) {
		ctd_log(CTD_LOG_ERROR,
			"read '%s': it is no regular file: a pipe or a device is read at the start only",
			path);
		return error;
	}
	if (error)
		return ctd_log_error(error, "read '%s'", path);
	*ret_secret = secret;
	return 0;
}

void ctd_secret_free(struct ctd_secret *secret)
{
	if (secret->text)
		explicit_bzero(secret->text, secret->bytes);
	free(secret->text);
	*secret = (struct ctd_secret){};
}

bool ctd_watched_file_changed(struct ctd_watched_file *file)
{
	struct ctd_watched_file now = *file;
	struct stat status;
	bool changed;

	if (!file->path || stat(file->path, &status) || !S_ISREG(status.st_mode))
		return false;
	now.changed = status.st_mtim;
	now.inode = status.st_ino;
	now.size = status.st_size;
	changed = now.inode != file->inode || now.size != file->size ||
		  now.changed.tv_sec != file->changed.tv_sec ||
		  now.changed.tv_nsec != file->changed.tv_nsec;
	*file = now;
	return changed;
}

static bool is_regular(const char *path)
{
	struct stat status;

	return !stat(path, &status) && S_ISREG(status.st_mode);
}

static int copy(const struct ctd_secret *secret, struct ctd_secret *ret_copy)
{
	char *text = malloc(secret->bytes + 1);

	if (!text)
		return -ENOMEM;
	memcpy(text, secret->text, secret->bytes + 1);
	*ret_copy = (struct ctd_secret){.text = text, .bytes = secret->bytes};
	return 0;
}

int ctd_watched_file_read(struct ctd_watched_file *file, struct ctd_secret *ret_secret)
{
	struct ctd_secret secret = {};
	bool regular = !file->path || is_regular(file->path);
	int error;

	if (file->once.text && !regular) {
		error = copy(&file->once, ret_secret);
		return error ? ctd_log_error(error, "read '%s'", file->path) : 0;
	}
	error = ctd_secret_read(file->path, file->was_read, &secret);
	if (error)
		return error;
	ctd_secret_free(&file->once);
	error = regular || !secret.text ? 0 : copy(&secret, &file->once);
	if (error) {
		ctd_secret_free(&secret);
		return ctd_log_error(error, "read '%s'", file->path);
	}
	file->was_read = true;
	*ret_secret = secret;
	return 0;
}

void ctd_watched_file_free(struct ctd_watched_file *file)
{
	ctd_secret_free(&file->once);
}
