"""Python trafilatura and readability-lxml on the corpus' pages: writes the text and title of each page into one file
of JSON lines for each of them, with the processor time that the page took."""

import gzip
import json
import logging
import pathlib
import sys
import time

import lxml.html
import readability
import trafilatura


def by_trafilatura(html, url):
    found = trafilatura.bare_extraction(html, url=url, with_metadata=True)
    return (found.text or "", found.title or "") if found else ("", "")


def by_readability(html, url):
    document = readability.Document(html.decode("utf-8", "replace"), url=url)
    summary = lxml.html.fromstring(document.summary())
    return "\n".join(summary.itertext()), document.short_title()


def main():
    logging.disable(logging.CRITICAL)
    corpus, target = map(pathlib.Path, sys.argv[1:3])
    pages = [json.loads(line) for line in open(corpus / "truth.jsonl", encoding="utf-8")]
    for name, extract in [("trafilatura", by_trafilatura), ("readability-lxml", by_readability)]:
        with open(target / f"{name}.jsonl", "w", encoding="utf-8") as out:
            for page in pages:
                html = gzip.open(corpus / "pages" / page["file"]).read()
                before = time.process_time()
                try:
                    text, title = extract(html, page["url"])
                except Exception:
                    text, title = "", ""
                seconds = time.process_time() - before
                out.write(json.dumps({"file": page["file"], "text": text, "title": title, "seconds": seconds}) + "\n")


main()
