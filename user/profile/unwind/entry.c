/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* entry.c - the entries of .eh_frame: common ones (CIE) and those of functions (FDE). */
#include "profile/unwind/entry.h"

#include <errno.h>

/* Every function that names a CIE runs its instructions again: compilers write some 10 bytes. */
#define CIE_INSTRUCTIONS_MAX 512
#define AUGMENTATION_MAX 16

void ctd_eh_frame_begin(struct ctd_eh_frame *frame, const void *section, size_t bytes,
			uint64_t address)
{
	*frame = (struct ctd_eh_frame){.cie_at = UINT64_MAX};
	frame->section.at = section;
	frame->section.end = frame->section.at + bytes;
	frame->section.address = address;
}

/* The next entry's bytes behind its length; empty ones for a terminator, which linkers leave in the
 * middle. @return whether there was one. */
static bool next_entry(struct ctd_bytes *cursor, struct ctd_bytes *ret_entry)
{
	uint64_t length;

	if (!ctd_bytes_left(cursor))
		return false;
	length = ctd_bytes_number(cursor, 4);
	if (length == UINT32_MAX)
		length = ctd_bytes_number(cursor, 8);
	*ret_entry = ctd_bytes_take(cursor, length);
	return !cursor->failed;
}

/* What the letters of a CIE's augmentation say of its data. */
static void read_augmentation(struct ctd_bytes *data, const char *letters, struct ctd_cie *cie)
{
	for (; *letters; letters++) {
		switch (*letters) {
		case 'R':
			cie->pointer_encoding = (uint8_t)ctd_bytes_number(data, 1);
			break;
		case 'P':
			/* Where the pointer is relative to does not matter for its length. */
			ctd_bytes_pointer(data,
					  (uint8_t)ctd_bytes_number(data, 1) & CTD_POINTER_FORMAT);
			break;
		case 'L':
			ctd_bytes_number(data, 1);
			break;
		case 'S':
			cie->signal_frame = true;
			break;
		case 'B': /* return addresses are signed with key B */
		case 'G': /* memory tagging */
			break;
		default: /* its data could be anything */
			data->failed = true;
			return;
		}
	}
}

/* Reads the text and sets @p cie->augmented. @return 0 or -EBADMSG. */
static int read_letters(struct ctd_bytes *entry, char letters[AUGMENTATION_MAX],
			struct ctd_cie *cie)
{
	size_t count = 0;

	do {
		if (count == AUGMENTATION_MAX)
			return -EBADMSG;
		letters[count] = (char)ctd_bytes_number(entry, 1);
	} while (letters[count++]);
	cie->augmented = letters[0] == 'z';
	/* Others than 'z' do not say how long their data is. */
	return letters[0] && !cie->augmented ? -EBADMSG : 0;
}

static int read_cie(struct ctd_bytes entry, struct ctd_cie *ret_cie)
{
	struct ctd_cie cie = {.pointer_encoding = CTD_POINTER_ABSOLUTE};
	char letters[AUGMENTATION_MAX];
	uint64_t version, id;

	id = ctd_bytes_number(&entry, 4);
	version = ctd_bytes_number(&entry, 1);
	if (entry.failed || id || (version != 1 && version != 3))
		return -EBADMSG;
	if (read_letters(&entry, letters, &cie))
		return -EBADMSG;
	cie.code_align = ctd_bytes_uleb(&entry);
	cie.data_align = ctd_bytes_sleb(&entry);
	cie.return_address =
		(uint8_t)(version == 1 ? ctd_bytes_number(&entry, 1) : ctd_bytes_uleb(&entry));
	if (cie.augmented) {
		uint64_t length = ctd_bytes_uleb(&entry);
		struct ctd_bytes data = ctd_bytes_take(&entry, length);

		read_augmentation(&data, letters + 1, &cie);
		if (data.failed)
			return -EBADMSG;
	}
	if (entry.failed || ctd_bytes_left(&entry) > CIE_INSTRUCTIONS_MAX)
		return -EBADMSG;
	cie.instructions = entry;
	*ret_cie = cie;
	return 0;
}

/* Makes the CIE at an offset of the section the last one read. @return 0 or -EBADMSG. */
static int find_cie(struct ctd_eh_frame *frame, uint64_t offset)
{
	struct ctd_bytes cursor = frame->section, entry;

	if (offset == frame->cie_at)
		return frame->cie_err;
	frame->cie_at = offset;
	ctd_bytes_take(&cursor, offset);
	frame->cie_err = next_entry(&cursor, &entry) ? read_cie(entry, &frame->cie) : -EBADMSG;
	return frame->cie_err;
}

static int read_fde(struct ctd_eh_frame *frame, struct ctd_bytes entry, uint64_t cie_at,
		    struct ctd_fde *ret_fde)
{
	struct ctd_fde fde;
	uint64_t length;

	if (find_cie(frame, cie_at))
		return -EBADMSG;
	fde.cie = frame->cie;
	fde.start = ctd_bytes_pointer(&entry, fde.cie.pointer_encoding);
	/* The length has the format of a pointer and is relative to nothing. */
	length = ctd_bytes_pointer(&entry, fde.cie.pointer_encoding & CTD_POINTER_FORMAT);
	if (entry.failed || !length || length > UINT32_MAX || fde.start + length < fde.start)
		return -EBADMSG;
	fde.end = fde.start + length;
	if (fde.cie.augmented)
		ctd_bytes_take(&entry, ctd_bytes_uleb(&entry));
	if (entry.failed)
		return -EBADMSG;
	fde.instructions = entry;
	*ret_fde = fde;
	return 1;
}

int ctd_eh_frame_next(struct ctd_eh_frame *frame, struct ctd_bytes *cursor, struct ctd_fde *ret_fde)
{
	struct ctd_bytes entry;

	while (next_entry(cursor, &entry)) {
		uint64_t at = entry.address - frame->section.address;
		uint64_t distance;

		if (!ctd_bytes_left(&entry))
			continue;
		distance = ctd_bytes_number(&entry, 4);
		if (entry.failed)
			return -EBADMSG;
		/* 0: a CIE, read when a function names it. */
		if (distance)
			return distance > at ? -EBADMSG
					     : read_fde(frame, entry, at - distance, ret_fde);
	}
	return 0;
}
