#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# screen_svg.py - draws what `tmux capture-pane -e -p` prints as an SVG.
#
# usage: tmux capture-pane -e -p | tests/tools/screen_svg.py COLUMNS >FILE
import re
import sys
import unicodedata
from xml.sax.saxutils import escape

CELL, LINE, SIZE, MARGIN = 8.4, 18, 14, 12
GROUND, TEXT = "#1b1f24", "#d7dce2"
# The first eight colours of a terminal, then those of them that are light.
FEW = ["#1b1f24", "#e0605a", "#6fae5c", "#d3a94e", "#5f87d7", "#c678c9", "#55b3c4", "#d7dce2",
       "#5c6370", "#ff7b72", "#8fd17a", "#f0c674", "#82aaff", "#e29be6", "#7fd4e2", "#ffffff"]


def colour_of(number):
    if number < 16:
        return FEW[number]
    if number >= 232:
        return "#%02x%02x%02x" % ((8 + 10 * (number - 232),) * 3)
    levels = [0, 95, 135, 175, 215, 255]
    number -= 16
    return "#%02x%02x%02x" % (levels[number // 36], levels[number // 6 % 6], levels[number % 6])


class Style:
    def __init__(self):
        self.paint = self.ground = None
        self.bold = self.dim = self.reverse = False

    def take(self, codes):
        while codes:
            code = codes.pop(0)
            if code in (38, 48) and codes[:1] == [5]:
                setattr(self, "paint" if code == 38 else "ground", colour_of(codes[1]))
                del codes[:2]
            elif code == 0:
                self.__init__()
            elif code in (1, 2, 7):
                setattr(self, {1: "bold", 2: "dim", 7: "reverse"}[code], True)
            elif code in (22, 27):
                self.bold, self.dim, self.reverse = (False, False, self.reverse) if code == 22 else (self.bold, self.dim, False)
            elif 30 <= code <= 37 or 90 <= code <= 97:
                self.paint = FEW[code - 30 if code < 40 else code - 82]
            elif 40 <= code <= 47 or 100 <= code <= 107:
                self.ground = FEW[code - 40 if code < 50 else code - 92]
            elif code in (39, 49):
                setattr(self, "paint" if code == 39 else "ground", None)

    def colours(self):
        paint, ground = self.paint or TEXT, self.ground
        return (ground or GROUND, paint) if self.reverse else (paint, ground)


def width_of(character):
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def rect(x, y, width, height, fill):
    return '<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="%s"/>' % (x, y, width, height, fill)


def block(character, x, y, paint):
    """Blocks are drawn, as fonts leave gaps between them; None: it is no block."""
    code = ord(character)
    if 0x2588 <= code <= 0x258F:
        return rect(x, y, CELL * (0x2590 - code) / 8, LINE, paint)
    if 0x2581 <= code < 0x2588:
        height = LINE * (code - 0x2580) / 8
        return rect(x, y + LINE - height, CELL, height, paint)
    return None


def draw_line(line, row, style):
    column, y, out = 0, MARGIN + row * LINE, []
    run = None  # [x, style key, text]

    def flush():
        nonlocal run
        if run and run[2].strip():
            x, (paint, bold, dim), text, columns = run
            out.append('<text x="%.1f" y="%.1f" fill="%s"%s%s textLength="%.1f" xml:space="preserve">%s</text>' % (
                x, y + SIZE, paint, ' font-weight="bold"' if bold else "", ' opacity="0.6"' if dim else "",
                columns * CELL, escape(text)))
        run = None

    for piece in re.findall(r"\x1b\[[0-9;:]*m|.", line):
        if piece.startswith("\x1b"):
            style.take([int(code or 0) for code in re.split("[;:]", piece[2:-1])])
            continue
        paint, ground = style.colours()
        x, columns = MARGIN + column * CELL, width_of(piece)
        if ground:
            out.append(rect(x, y, columns * CELL + 0.2, LINE, ground))
        drawn = block(piece, x, y, paint)
        key = (paint, style.bold, style.dim)
        if drawn:
            flush()
            out.append(drawn)
        # What is not ASCII stands by itself: where a terminal has it, whatever a font makes of it.
        elif run and run[1] == key and piece.isascii() and run[2].isascii():
            run[2] += piece
            run[3] += columns
        else:
            flush()
            run = [x, key, piece, columns]
        column += columns
    flush()
    return out


def main():
    columns = int(sys.argv[1])
    lines = sys.stdin.read().rstrip("\n").split("\n")
    width, height = 2 * MARGIN + columns * CELL, 2 * MARGIN + len(lines) * LINE
    print('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" width="%.0f" height="%.0f" '
          'font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, DejaVu Sans Mono, monospace" font-size="%d" shape-rendering="crispEdges">'
          % (width, height, width, height, SIZE))
    print('<rect width="100%%" height="100%%" rx="8" fill="%s"/>' % GROUND)
    style = Style()
    for row, line in enumerate(lines):
        print("\n".join(draw_line(line, row, style)))
    print("</svg>")


main()
