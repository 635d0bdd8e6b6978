# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# expression.py - the language in which perf's, Intel's and Arm's files have their formulas.
"""
From low to high, as in tools/perf/util/expr.y of Linux:

    A if C else B    |    ^    &    < > <= >=    + -    * / %    -A

and min(A, B), max(A, B), d_ratio(A, B), which is 0 where B is, and other functions that the caller
knows. A name may have any character behind a backslash: topdown\\-retiring, cpu@EVENT\\,cmask\\=1@.
A literal begins with '#'. What divides by 0 is NaN.
"""
import functools
import math
import re

TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+\.?\d*(?:[eE][-+]?\d+)?(?![\w.])|0x[0-9a-fA-F]+)"
    r"|(?P<name>[A-Za-z_](?:[\w.:@?\[\]]|=(?=\w)|\\.)*)"
    r"|(?P<literal>#\w+)"
    r"|(?P<operator>[<>]\s*=|[-+*/%()<>|&^,]))"
)
LEVELS = [["|"], ["^"], ["&"], ["<", ">", "<=", ">="], ["+", "-"], ["*", "/", "%"]]


def divide(a, b):
    return a / b if b else math.nan


OPERATORS = {
    "|": lambda a, b: float(bool(a) or bool(b)),
    "^": lambda a, b: float(bool(a) != bool(b)),
    "&": lambda a, b: float(bool(a) and bool(b)),
    "<": lambda a, b: float(a < b),
    ">": lambda a, b: float(a > b),
    "<=": lambda a, b: float(a <= b),
    ">=": lambda a, b: float(a >= b),
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": divide,
    "%": lambda a, b: math.fmod(a, b) if b else math.nan,
}
FUNCTIONS = {
    "min": min,
    "max": max,
    "d_ratio": lambda a, b: a / b if b else 0.0,
}


class Malformed(ValueError):
    """It is not of this language."""


def split(text):
    tokens, at = [], 0
    text = text.rstrip()
    while at < len(text):
        match = TOKEN.match(text, at)
        if not match:
            raise Malformed(f"'{text[at:at + 20]}' in '{text}'")
        text_of = match[match.lastgroup]
        if match.lastgroup == "operator":  # Intel's files have "> =" for ">="
            text_of = "".join(text_of.split())
        tokens.append((match.lastgroup, text_of))
        at = match.end()
    return tokens


class Parser:
    """
    Each method takes what it names from the front of the tokens, and returns a function of
    value_of(name) that computes it: of a conditional only the side that counts is looked at.
    """

    def __init__(self, text):
        self.text, self.tokens, self.at = text, split(text), 0

    def next_is(self, *wanted):
        return self.at < len(self.tokens) and self.tokens[self.at][1] in wanted

    def take(self, *wanted):
        if self.at >= len(self.tokens) or (wanted and not self.next_is(*wanted)):
            raise Malformed(f"{' or '.join(wanted) or 'more'} is missing in '{self.text}'")
        self.at += 1
        return self.tokens[self.at - 1]

    def whole(self):
        value = self.conditional()
        if self.at < len(self.tokens):
            raise Malformed(f"'{self.tokens[self.at][1]}' is too much in '{self.text}'")
        return value

    def conditional(self):
        value = self.binary(0)
        if not self.next_is("if"):
            return value
        self.take("if")
        condition = self.binary(0)
        self.take("else")
        other = self.conditional()
        return lambda value_of: (value if condition(value_of) else other)(value_of)

    def binary(self, level):
        if level == len(LEVELS):
            return self.unary()
        value = self.binary(level + 1)
        while self.next_is(*LEVELS[level]):
            operator = OPERATORS[self.take()[1]]
            value = self.apply(operator, value, self.binary(level + 1))
        return value

    @staticmethod
    def apply(function, *arguments):
        return lambda value_of: function(*[argument(value_of) for argument in arguments])

    def unary(self):
        if self.next_is("-"):
            self.take()
            return self.apply(lambda value: -value, self.unary())
        if self.next_is("("):
            self.take()
            value = self.conditional()
            self.take(")")
            return value
        kind, text = self.take()
        if kind == "number":
            value = float(int(text, 16)) if text.startswith("0x") else float(text)
            return lambda value_of: value
        if kind == "name" and self.next_is("("):
            return self.call(text)
        if kind in ("name", "literal"):
            return lambda value_of: value_of(text.replace("\\", ""))
        raise Malformed(f"'{text}' stands where a value should in '{self.text}'")

    def call(self, name):
        self.take("(")
        if name not in FUNCTIONS:  # of something that is not a number: an event's or a CPU's id
            argument = self.take()[1]
            self.take(")")
            return lambda value_of: value_of(f"{name}({argument})")
        arguments = [self.conditional()]
        while self.next_is(","):
            self.take()
            arguments.append(self.conditional())
        self.take(")")
        return self.apply(FUNCTIONS[name], *arguments)


@functools.lru_cache(maxsize=None)
def parse(text):
    return Parser(text).whole()


def evaluate(text, value_of):
    """Its value, with value_of(name) for each name, "#literal" and "function(argument)" in it."""
    return parse(text)(value_of)
