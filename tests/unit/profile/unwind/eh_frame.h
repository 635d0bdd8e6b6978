/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* eh_frame.h - writes .eh_frame by hand, byte by byte, for tests. */
#ifndef TESTS_UNIT_EH_FRAME_H
#define TESTS_UNIT_EH_FRAME_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Where the section is said to be. */
#define SECTION_ADDRESS UINT64_C(0x900000)

struct section {
	uint8_t bytes[1 << 17];
	size_t count;
};

#define INSTRUCTIONS(...) (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__})

static inline void add(struct section *section, const void *bytes, size_t count)
{
	assert(section->count + count <= sizeof(section->bytes));
	memcpy(section->bytes + section->count, bytes, count);
	section->count += count;
}

static inline void add_u32(struct section *section, uint32_t number)
{
	add(section, &number, sizeof(number));
}

/* The length of the entry that begins at @p start is now known. */
static inline void end_entry(struct section *section, size_t start)
{
	uint32_t length = (uint32_t)(section->count - start - 4);

	memcpy(section->bytes + start, &length, sizeof(length));
}

/* A CIE as gcc writes it on x86-64: "zR" with pointers that are relative and of 4 bytes; then
 * @p letters, without data. @return its place. */
static inline size_t add_cie(struct section *section, const char *letters, uint8_t return_address,
			     const uint8_t *instructions, size_t count)
{
	static const uint8_t version = 1, encoding = 0x1b;
	const uint8_t align[] = {1, 0x78, return_address};
	size_t start = section->count;

	add_u32(section, 0);
	add_u32(section, 0);
	add(section, &version, 1);
	add(section, "zR", 2);
	add(section, letters, strlen(letters) + 1);
	add(section, align, sizeof(align));
	add(section, &version, 1); /* bytes of augmentation: the encoding */
	add(section, &encoding, 1);
	add(section, instructions, count);
	end_entry(section, start);
	return start;
}

static inline void add_fde(struct section *section, size_t cie, uint64_t pc, uint32_t bytes,
			   const uint8_t *instructions, size_t count)
{
	size_t start = section->count;

	add_u32(section, 0);
	add_u32(section, (uint32_t)(section->count - cie));
	add_u32(section, (uint32_t)(pc - SECTION_ADDRESS - section->count));
	add_u32(section, bytes);
	add(section, "", 1);
	add(section, instructions, count);
	end_entry(section, start);
}

/* x86-64: CFA = rsp + 8, return address at CFA - 8. */
static inline size_t add_usual_cie(struct section *section)
{
	return add_cie(section, "", 16, INSTRUCTIONS(0x0c, 7, 8, 0x80 | 16, 1));
}

/* The CIE, and functions of which each has a rule of its own: rsp + @p offset, + 1 and so on. */
static inline void add_functions(struct section *section, uint64_t pc, uint32_t count,
				 uint32_t offset)
{
	size_t cie = add_usual_cie(section);

	for (uint32_t i = 0; i < count; i++, offset++)
		add_fde(section, cie, pc + UINT64_C(0x20) * i, 0x10,
			INSTRUCTIONS(0x0e, (uint8_t)(offset | 0x80), (uint8_t)(offset >> 7 | 0x80),
				     (uint8_t)(offset >> 14)));
}

#endif
