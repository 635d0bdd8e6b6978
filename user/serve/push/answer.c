/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* answer.c - reads what a receiver of OTLP says, without trusting it. */
#include "serve/push/answer.h"

/* Bytes that are left to be read. */
struct reader {
	const unsigned char *at, *end;
};

enum { VARINT = 0, FIXED64 = 1, BYTES = 2, FIXED32 = 5 };

struct field {
	uint64_t number, value; /* value: of a VARINT */
	struct reader bytes; /* of BYTES */
	unsigned int type;
};

static bool read_varint(struct reader *reader, uint64_t *ret_value)
{
	uint64_t value = 0;

	for (int shift = 0; shift < 64 && reader->at < reader->end; shift += 7) {
		unsigned char byte = *reader->at++;

		value |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80)) {
			*ret_value = value;
			return true;
		}
	}
	return false;
}

static bool skip(struct reader *reader, uint64_t bytes)
{
	if (bytes > (uint64_t)(reader->end - reader->at))
		return false;
	reader->at += bytes;
	return true;
}

/* @return false at the end, and where what follows is no field. */
static bool read_field(struct reader *reader, struct field *ret_field)
{
	uint64_t key, length;

	*ret_field = (struct field){0};
	if (!read_varint(reader, &key))
		return false;
	ret_field->number = key >> 3;
	ret_field->type = key & 7;
	switch (ret_field->type) {
	case VARINT:
		return read_varint(reader, &ret_field->value);
	case BYTES:
		if (!read_varint(reader, &length))
			return false;
		ret_field->bytes.at = reader->at;
		if (!skip(reader, length))
			return false;
		ret_field->bytes.end = reader->at;
		return true;
	case FIXED64:
		return skip(reader, 8);
	case FIXED32:
		return skip(reader, 4);
	default:
		return false;
	}
}

/* For a line in the log: what a terminal may take for a command is a blank. */
static void copy_text(struct reader from, struct ctd_push_answer *answer)
{
	size_t bytes = 0;

	for (; from.at < from.end && bytes < sizeof(answer->text) - 1; from.at++)
		answer->text[bytes++] = (char)(*from.at > ' ' && *from.at < 0x7f ? *from.at : ' ');
	while (bytes && answer->text[bytes - 1] == ' ')
		bytes--;
	answer->text[bytes] = '\0';
}

/* ExportMetricsPartialSuccess: rejected_data_points = 1, error_message = 2. */
static void read_partial_success(struct reader reader, struct ctd_push_answer *answer)
{
	struct field field;

	while (read_field(&reader, &field)) {
		/* An int64: below 0 is nonsense. */
		if (field.number == 1 && field.type == VARINT && field.value <= INT64_MAX)
			answer->rejected_points = field.value;
		else if (field.number == 2 && field.type == BYTES)
			copy_text(field.bytes, answer);
	}
}

enum ctd_push_verdict ctd_push_judge(long status)
{
	if (status >= 200 && status <= 299)
		return CTD_PUSH_TAKEN;
	if (status == 429 || status == 502 || status == 503 || status == 504)
		return CTD_PUSH_LATER;
	return CTD_PUSH_REFUSED;
}

void ctd_push_answer_read(const char *body, size_t bytes, bool taken, bool protobuf,
			  struct ctd_push_answer *ret_answer)
{
	struct reader reader = {(const unsigned char *)body, (const unsigned char *)body + bytes};
	struct field field;

	*ret_answer = (struct ctd_push_answer){0};
	if (!taken && !protobuf) {
		copy_text(reader, ret_answer);
		return;
	}
	while (read_field(&reader, &field)) {
		if (field.type != BYTES)
			continue;
		/* ExportMetricsServiceResponse: partial_success = 1. Status: message = 2. */
		if (taken && field.number == 1)
			read_partial_success(field.bytes, ret_answer);
		else if (!taken && field.number == 2)
			copy_text(field.bytes, ret_answer);
	}
}
