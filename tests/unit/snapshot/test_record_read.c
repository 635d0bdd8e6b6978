/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_record_read.c - a recording gives back what was written, and nothing else. */
#include <cgtopdown/record.h>

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "base/auto.h"
#include "read_recording.h"
#include "snapshot/record_block.h"

static void what_was_written_is_read_back(void **state)
{
	struct recording recording = sample_recording();
	struct ctd_record_header header;
	struct ctd_record_reader *reader;
	struct found found;
	char why[160];

	(void)state;
	assert_int_equal(
		ctd_record_open_memory(recording.data, recording.bytes, &header, &reader, why), 0);
	assert_string_equal(header.source, "sim");
	assert_string_equal(header.model, "sim");
	assert_int_equal(header.simulated, 1);
	assert_int_equal(header.by, CTD_BY_PROCESS);
	assert_int_equal(header.counters_count, RECORDING_COUNTERS);
	assert_int_equal(header.read, CTD_READ_SIM);
	assert_string_equal(header.host, "host");
	assert_string_equal(header.version, "0.1.0");
	assert_string_equal(header.hierarchy, "v2");
	assert_int_equal(header.groups_count, 2);
	assert_int_equal(header.ipc, 1);
	found = read_all(reader);
	assert_int_equal(found.result, 0);
	assert_int_equal(found.items, SAMPLE_ITEMS);
	/* The end stays the end. */
	assert_int_equal(read_all(reader).items, 0);
	ctd_record_reader_free(reader);
	free(recording.data);
}

static void a_file_is_read_as_memory_is(void **state)
{
	struct memory_file file = memory_file_new();
	struct ctd_record_header header;
	struct ctd_record_reader *reader;
	struct found found;
	char why[160];

	(void)state;
	assert_int_equal(write_sample(file.path), 0);
	assert_int_equal(ctd_record_open(open(file.path, O_RDONLY), &header, &reader, why), 0);
	found = read_all(reader);
	assert_int_equal(found.result, 0);
	assert_int_equal(found.items, SAMPLE_ITEMS);
	ctd_record_reader_free(reader);

	/* Cut while it is open. */
	assert_int_equal(ctd_record_open(open(file.path, O_RDONLY), &header, &reader, why), 0);
	assert_int_equal(ftruncate(file.fd, (off_t)memory_file_bytes(&file) - 1), 0);
	assert_int_equal(read_all(reader).result, -EBADMSG);
	ctd_record_reader_free(reader);
	close(file.fd);
}

static void what_is_no_file_is_a_plain_error(void **state)
{
	struct ctd_record_header header;
	struct ctd_record_reader *reader = NULL;
	char why[160] = "untouched";

	(void)state;
	autoclose int directory = open("/", O_RDONLY), empty = open("/dev/null", O_RDONLY);

	assert_int_equal(ctd_record_open(directory, &header, &reader, why), -EISDIR);
	assert_string_equal(why, "untouched");
	assert_int_equal(ctd_record_open(empty, &header, &reader, why), -EBADMSG);
	assert_string_equal(why, "not a recording: it ends at byte 0");
	assert_null(reader);
	ctd_record_reader_free(NULL);
}

/* Who writes to a pipe may do so byte by byte, and end anywhere. */
static void a_pipe_is_read_as_it_comes(void **state)
{
	struct recording recording = sample_recording();
	const size_t ends[] = {recording.bytes, recording.bytes - 1, recording.bytes / 2, 300};

	(void)state;
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		struct ctd_record_reader *reader = NULL;
		struct ctd_record_header header;
		struct found found = {0}, same;
		int pipe_fds[2];
		pid_t writer;

		assert_int_equal(pipe(pipe_fds), 0);
		writer = fork();
		if (!writer) {
			for (size_t at = 0; at < ends[i]; at++)
				if (write(pipe_fds[1], recording.data + at, 1) != 1)
					_exit(1);
			_exit(0);
		}
		close(pipe_fds[1]);
		same = read_memory(recording.data, ends[i]);
		found.result = ctd_record_open(pipe_fds[0], &header, &reader, found.why);
		if (found.result)
			close(pipe_fds[0]);
		else
			found = read_all(reader);
		ctd_record_reader_free(reader);
		assert_int_equal(found.result, same.result);
		assert_int_equal(found.items, same.items);
		assert_string_equal(found.why, same.why);
		assert_int_equal(waitpid(writer, NULL, 0), writer);
	}
	free(recording.data);
}

/* The size of a block is not believed before its bytes are there. */
static void a_false_size_takes_no_memory(void **state)
{
	struct recording recording = sample_recording();
	struct ctd_record_cursor cursor = {.at = recording.data + CTD_RECORD_PROLOGUE_BYTES + 8,
					   .writing = true};
	uint32_t bytes = CTD_RECORD_PAYLOAD_BYTES_MAX;
	struct memory_file file = memory_file_new();
	struct ctd_record_file record = {.fd = file.fd};
	struct ctd_record_block block;
	char why[160] = "";

	(void)state;
	ctd_record_move_u32(&cursor, &bytes);
	assert_int_equal(write(file.fd, recording.data, recording.bytes), recording.bytes);
	assert_int_equal(lseek(file.fd, 0, SEEK_SET), 0);
	assert_int_equal(ctd_record_read_prologue(&record, why), 0);
	assert_int_equal(ctd_record_read_block(&record, &block, why), -EBADMSG);
	assert_non_null(strstr(why, "cut off"));
	assert_true(record.capacity <= 2 * recording.bytes + 65536);
	ctd_record_file_close(&record);
	free(recording.data);
}

static void a_refusal_is_repeated(void **state)
{
	struct recording recording = sample_recording();
	struct ctd_record_reader *reader;

	(void)state;
	recording.data[recording.bytes - 1] ^= 1;
	reader = open_recording(&recording);
	assert_int_equal(read_all(reader).result, -EBADMSG);
	assert_int_equal(read_all(reader).result, -EBADMSG);
	close_recording(&recording, reader);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_written_is_read_back),
		cmocka_unit_test(a_file_is_read_as_memory_is),
		cmocka_unit_test(what_is_no_file_is_a_plain_error),
		cmocka_unit_test(a_pipe_is_read_as_it_comes),
		cmocka_unit_test(a_false_size_takes_no_memory),
		cmocka_unit_test(a_refusal_is_repeated),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
