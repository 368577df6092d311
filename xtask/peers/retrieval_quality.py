"""Lexical peers on the sets of the corpus: bm25s with a stemmer, and SQLite's FTS5. Reads one task as JSON, prints
one line of JSON for each peer and set: the ranked document ids of each query."""

import json
import re
import sqlite3
import sys

import bm25s
import Stemmer

STEMMERS = {"en": "english", "de": "german"}


def rank_bm25s(documents, queries, language, depth):
    stemmer = Stemmer.Stemmer(STEMMERS.get(language, "english"))
    tokenize = lambda texts: bm25s.tokenize(texts, stopwords=language, stemmer=stemmer, show_progress=False)
    index = bm25s.BM25()
    index.index(tokenize([text for _, text in documents]), show_progress=False)
    depth = min(depth, len(documents))
    found, _ = index.retrieve(tokenize(queries), k=depth, show_progress=False)
    return [[documents[place][0] for place in row] for row in found]


def rank_fts5(documents, queries, language, depth):
    database = sqlite3.connect(":memory:")
    tokenizer = "porter unicode61" if language == "en" else "unicode61"
    database.execute(f"CREATE VIRTUAL TABLE d USING fts5(id UNINDEXED, text, tokenize='{tokenizer}')")
    database.executemany("INSERT INTO d VALUES (?, ?)", documents)
    ranked = []
    for query in queries:
        words = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", query))
        rows = database.execute("SELECT id FROM d WHERE d MATCH ? ORDER BY rank LIMIT ?", (words, depth))
        ranked.append([row[0] for row in rows])
    return ranked


def main():
    for line in sys.stdin:
        task = json.loads(line)
        read = lambda name: [json.loads(row) for row in open(f"{task['folder']}/{name}.jsonl", encoding="utf-8")]
        documents = [(row["id"], row["text"]) for row in read("documents")]
        queries = [row["text"] for row in read("queries")]
        for name, rank in (("bm25s", rank_bm25s), ("FTS5", rank_fts5)):
            ranked = rank(documents, queries, task["language"], task["depth"])
            print(json.dumps({"peer": name, "ranked": ranked}), flush=True)


main()
