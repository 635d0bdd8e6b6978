/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* fields.c - reads single fields of an entry. */
#include "vendor/fields.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/strbuf.h"

#define NUMBER_BYTES 32

const char *ctd_field_text(const json_t *entry, const char *name)
{
	const char *text = json_string_value(json_object_get(entry, name));

	return text ? text : "";
}

const char *ctd_field_keep(struct ctd_vendor_table *table, const json_t *entry, const char *name)
{
	return ctd_vendor_keep(table, ctd_field_text(entry, name));
}

int ctd_vendor_number(const char *text, size_t bytes, uint64_t *ret_number)
{
	char digits[NUMBER_BYTES], *end;
	unsigned long long number;
	bool hexadecimal = bytes > 2 && text[0] == '0' && (text[1] | 0x20) == 'x';

	if (bytes == 0 || bytes >= sizeof(digits) || text[0] < '0' || text[0] > '9')
		return -EINVAL;
	memcpy(digits, text, bytes);
	digits[bytes] = 0;
	errno = 0;
	number = strtoull(digits, &end, hexadecimal ? 16 : 10);
	if (*end || errno)
		return -EINVAL;
	*ret_number = number;
	return 0;
}

int ctd_field_number(const json_t *entry, const char *name, uint64_t *ret_number)
{
	const json_t *field = json_object_get(entry, name);
	const char *text = json_string_value(field);
	size_t bytes;

	*ret_number = 0;
	if (json_is_integer(field) && json_integer_value(field) >= 0) {
		*ret_number = (uint64_t)json_integer_value(field);
		return 0;
	}
	if (!field || json_is_null(field))
		return 0;
	if (!text)
		return -EINVAL;
	text += strspn(text, " ");
	bytes = strcspn(text, ", ");
	if (bytes == 0 || strcasecmp(text, "null") == 0)
		return 0;
	return ctd_vendor_number(text, bytes, ret_number);
}

bool ctd_field_is(const json_t *entry, const char *name)
{
	uint64_t number;

	if (json_is_true(json_object_get(entry, name)))
		return true;
	return ctd_field_number(entry, name, &number) == 0 && number;
}

const char *ctd_field_join(struct ctd_vendor_table *table, const json_t *array, char separator)
{
	auto_ctd_strbuf struct ctd_strbuf text = {0};
	const json_t *element;
	size_t i;

	json_array_foreach(array, i, element)
	{
		if (!json_is_string(element))
			continue;
		if (text.bytes)
			ctd_strbuf_add_bytes(&text, &separator, 1);
		ctd_strbuf_add(&text, json_string_value(element));
	}
	if (text.failed)
		return NULL;
	return ctd_vendor_keep(table, text.text ? text.text : "");
}
