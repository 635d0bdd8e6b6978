// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// png_text.mjs - a comment within a PNG file.

const HEAD = 8 + 4 + 4 + 13 + 4; // the signature, and the chunk that comes first
const KEYWORD = "Comment\0";

function crc32(bytes) {
	let crc = ~0;

	for (const byte of bytes) {
		crc ^= byte;
		for (let bit = 0; bit < 8; bit++)
			crc = crc >>> 1 ^ (crc & 1 ? 0xedb88320 : 0);
	}
	return ~crc >>> 0;
}

export function addComment(png, text) {
	const body = Buffer.from(`tEXt${KEYWORD}${text}`, "latin1"), bytes = Buffer.alloc(4), crc = Buffer.alloc(4);

	bytes.writeUInt32BE(body.length - 4);
	crc.writeUInt32BE(crc32(body));
	return Buffer.concat([png.subarray(0, HEAD), bytes, body, crc, png.subarray(HEAD)]);
}

// Of what addComment() made; else undefined.
export function commentOf(png) {
	const begin = HEAD + 8, bytes = png.readUInt32BE(HEAD), text = png.subarray(begin, begin + bytes).toString("latin1");

	return png.subarray(HEAD + 4, begin).toString("latin1") === "tEXt" && text.startsWith(KEYWORD) ? text.slice(KEYWORD.length) : undefined;
}
