#!/usr/bin/env python3
"""Checks that the links of the documents lead somewhere.

tools/check_links.py [ROOT]         every *.md below ROOT (this project by default)
tools/check_links.py --site FOLDER  every *.html of a built site

A link to a file must name a file or folder that is there, one with #anchor a heading of that page, one with #L12 a line
of that file. `engine/base/jobs.h` in code style is a link too: it must be there. Addresses of other machines are only
looked at, never asked. Exit code 1, and a line for each, if some lead nowhere.
"""

import html.parser
import os
import re
import sys
import urllib.parse
from pathlib import Path

# Not ours, or made.
SKIPPED = {"build", "out", "node_modules", ".git", ".cache"}

FENCE = re.compile(r"^ {0,3}(```+|~~~+)")
INLINE_CODE = re.compile(r"(`+)(.+?)\1(?!`)")
LINK = re.compile(r"\]\(\s*<?([^()\s<>]*(?:\([^()\s]*\)[^()\s<>]*)*)>?(?:\s+\"[^\"]*\")?\s*\)")
DEFINITION = re.compile(r"^ {0,3}\[[^\]]+\]:\s*<?(\S+?)>?(?:\s|$)")
HTML_LINK = re.compile(r"<(?:a|img|source)\b[^>]*?\b(?:href|src|srcset)=\"([^\"]*)\"")
HTML_ANCHOR = re.compile(r"<[a-z0-9]+\b[^>]*?\b(?:id|name)=\"([^\"]+)\"")
HEADING = re.compile(r"^ {0,3}#{1,6}\s+(.*?)\s*#*\s*$")
# A path to a file of ours: a known top folder, and an ending.
PATH = re.compile(r"^([a-z]+)(?:/[\w.-]+)+\.[a-z0-9]+$")


def slug(heading, separator="-"):
    """The anchor of a heading, as GitHub makes it; the site uses the same."""
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    text = re.sub(r"[`*]", "", text).strip().lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", separator)


def prose(text):
    """(line number, line) of a page without its blocks of code."""
    fence = None
    indented = False
    before = ""
    in_list = False
    for number, line in enumerate(text.splitlines(), start=1):
        mark = FENCE.match(line)
        if fence:
            if mark and mark[1][0] == fence[0] and len(mark[1]) >= len(fence):
                fence = None
            continue
        if mark:
            fence = mark[1]
            continue
        if line.strip() and not line.startswith(" "):
            in_list = re.match(r"[-*+] |\d+\. ", line) is not None
        # Four blanks after an empty line are code, unless they go on with an item of a list.
        indented = line.startswith("    ") and not in_list and (indented or not before.strip())
        before = line
        if not indented:
            yield number, line


def anchors(text):
    found = set()
    count = {}
    for _, line in prose(text):
        found.update(HTML_ANCHOR.findall(line))
        if heading := HEADING.match(line):
            name = slug(heading[1])
            again = count.get(name, 0)
            count[name] = again + 1
            found.add(f"{name}-{again}" if again else name)
    return found


def links(text):
    """(line number, target, whether it is a path in code style) of every link of a page."""
    for number, line in prose(text):
        for code in INLINE_CODE.finditer(line):
            if PATH.match(code[2]):
                yield number, code[2], True
        bare = INLINE_CODE.sub(lambda code: "`" * len(code[0]), line)
        for pattern in (LINK, DEFINITION, HTML_LINK):
            for target in pattern.findall(bare):
                yield number, target, False


def bad_address(target):
    """A complaint about an address of another machine, or None."""
    parts = urllib.parse.urlsplit(target)
    if parts.scheme == "mailto":
        return None if re.fullmatch(r"[^@\s]+@[^@\s]+\.[^@\s]+", parts.path) else "no such mail address can be"
    if parts.scheme not in ("http", "https"):
        return f"unknown kind of address {parts.scheme}:"
    host = parts.hostname or ""
    return None if host == "localhost" or re.fullmatch(r"[\w-]+(\.[\w-]+)+", host) else "no such host can be"


class Pages:
    """The pages below a root, each read once."""

    def __init__(self, root):
        self.root = root
        self.anchors_of = {}

    def names(self):
        for folder, folders, files in os.walk(self.root):
            folders[:] = sorted(name for name in folders if name not in SKIPPED)
            yield from (Path(folder) / name for name in sorted(files) if name.endswith(".md"))

    def anchors(self, path):
        if path not in self.anchors_of:
            self.anchors_of[path] = anchors(path.read_text(encoding="utf-8"))
        return self.anchors_of[path]

    def complaint(self, page, target):
        """Why a link of a page leads nowhere, or None."""
        if re.match(r"[a-zA-Z][a-zA-Z0-9+.-]*:", target):
            return bad_address(target)
        path, _, anchor = urllib.parse.unquote(target).partition("#")
        if path.startswith("/"):
            return "a link from the root of the machine; write it relative to this page"
        file = Path(os.path.normpath(page.parent / path)) if path else page
        if not file.is_relative_to(self.root):
            return "leads out of the project"
        if not file.exists():
            return "is not there"
        if not anchor:
            return None
        if file.suffix == ".md":
            return None if anchor in self.anchors(file) else f"has no heading #{anchor}"
        if lines := re.fullmatch(r"L(\d+)(?:-L(\d+))?", anchor):
            last = int(lines[2] or lines[1])
            return None if last <= file.read_bytes().count(b"\n") + 1 else f"has no line {last}"
        return f"has no anchor #{anchor}: it is no page"

    def path_complaint(self, target):
        """Why a path in code style is wrong, or None: seen from the root, or from engine/ as in an include. What begins
        with no folder of ours, or has a NAME in it, is an example."""
        if re.search(r"NAME|ROOM|FOLDER", target):
            return None
        top = PATH.match(target)[1]
        places = [place for place in (self.root, self.root / "engine") if (place / top).is_dir()]
        if not places or top in SKIPPED or any((place / target).exists() for place in places):
            return None
        return "is not there"


def check_pages(root):
    pages = Pages(root)
    for page in pages.names():
        for number, target, in_code in links(page.read_text(encoding="utf-8")):
            # A changelog also names what is no longer there.
            if in_code and page.name == "CHANGELOG.md":
                continue
            why = pages.path_complaint(target) if in_code else pages.complaint(page, target)
            if why:
                yield f"{page.relative_to(root)}:{number}: {target} {why}"


class Html(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.targets = []
        self.anchors = set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id" or (tag == "a" and name == "name"):
                self.anchors.add(value)
            if name in ("href", "src") and value:
                self.targets.append((self.getpos()[0], value))


def check_site(folder):
    pages = {path: Html(path.read_text(encoding="utf-8")) for path in sorted(folder.rglob("*.html"))}
    for page, content in pages.items():
        for number, target in content.targets:
            parts = urllib.parse.urlsplit(target)
            if parts.scheme or parts.netloc:
                continue
            path = urllib.parse.unquote(parts.path)
            # What is asked for by a full path has the site at the root of its machine, as 404.html does.
            base = folder if path.startswith("/") else page.parent
            file = Path(os.path.normpath(base / path.lstrip("/"))) if path else page
            if file.is_dir():
                file /= "index.html"
            why = None
            if not file.exists():
                why = "is not there"
            elif parts.fragment and file in pages:
                if urllib.parse.unquote(parts.fragment) not in pages[file].anchors:
                    why = f"has no #{parts.fragment}"
            if why:
                yield f"{page.relative_to(folder)}:{number}: {target} {why}"


def main(arguments):
    site = arguments[:1] == ["--site"]
    if site:
        arguments = arguments[1:]
    if len(arguments) > 1 or (site and not arguments) or any(a.startswith("-") for a in arguments):
        print(__doc__, file=sys.stderr)
        return 2
    root = Path(arguments[0] if arguments else Path(__file__).parent.parent).resolve()
    if not root.is_dir():
        print(f"check_links: {root} is no folder", file=sys.stderr)
        return 2
    dead = list((check_site if site else check_pages)(root))
    print("\n".join(dead) if dead else "all links lead somewhere")
    return 1 if dead else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
