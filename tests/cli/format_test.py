# SPDX-License-Identifier: Apache-2.0
"""Checks that a case of run.py keeps every byte, that --update repairs the order of its sections,
and that a section which does not exist is refused.   python3 -B format_test.py"""
import contextlib
import io
import pathlib
import tempfile

from run import Case, read_case

TEXTS = ["", "\n", "one\n", "one", "-- stdout --\n", "-- stdout --", "\\-- exit 2 --\n\\\\-- x --\n",
         "a\n\n-- file a without a final newline --\n--\n---\n-- --\n", "tab\t\x1b[1mé\x00\r\n\x0b\u2028x",
         " -- stdout --\n-- stdout -- \n"]


def check(is_right, what):
    if not is_right:
        raise SystemExit(f"wrong: {what}")


def keeps_every_byte():
    for one in TEXTS:
        for other in TEXTS:
            case = Case("case", "kinf version\n")
            case.command, case.columns = f"printf '{one}' |\n{other}\n", 80
            case.expected = {"stdout": one, "stderr": other, "exit": "3\n"}
            case.files = {"a": other, "folder/b": one}
            again = Case("case", case.text())
            check(vars(again) == vars(case), f"{one!r} and {other!r} are read as {vars(again)}")


def text_is_the_one_documented():
    text = "true\n-- stderr without a final newline --\nhi\n-- exit 2 --\n-- file a --\n"
    case = Case("case", text)
    check(case.expected == {"stdout": "", "stderr": "hi", "exit": "2\n"}, "what is expected")
    check(case.files == {"a": ""} and case.columns is None, "the files")
    check(case.text() == text, "the text")


def wrong_order_is_refused_and_repaired():
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "one.case")
        path.write_text("true\n-- exit 2 --\n-- stdout --\nhi\n", encoding="utf-8")
        right = "true\n-- stdout --\nhi\n-- exit 2 --\n"
        check(read_case(path, is_strict=False).text() == right, "the repaired text")
        for text in (path.read_text(encoding="utf-8"), right + "text\n", right + "-- stdout --\nhi\n"):
            path.write_text(text, encoding="utf-8")
            with contextlib.redirect_stderr(io.StringIO()):
                try:
                    read_case(path)
                except SystemExit:
                    continue
            check(False, f"{text!r} is accepted")


def unknown_section_is_refused():
    for title in ("stdin", "exit", "terminal wide", "file"):
        try:
            Case("case", f"true\n-- {title} --\n")
        except ValueError:
            continue
        check(False, f"section {title!r} is accepted")


for test in (keeps_every_byte, text_is_the_one_documented, wrong_order_is_refused_and_repaired,
             unknown_section_is_refused):
    test()
print("4 tests, 0 failed")
