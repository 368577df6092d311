"""Peers at scale: SQLite's FTS5 and LanceDB's full-text search over the lines of a file. Arguments: which peer, the
file, a folder to work in. Then reads queries from standard input, one per line, and answers each with the
milliseconds that it took; the first line that it prints is what building took."""

import json
import os
import re
import sqlite3
import sys
import time


def lines(path):
    with open(path, encoding="utf-8") as source:
        for number, line in enumerate(source):
            yield number, line.rstrip("\n")


def size(folder):
    return sum(os.path.getsize(os.path.join(at, name)) for at, _, names in os.walk(folder) for name in names)


def fts5(path, folder):
    database = sqlite3.connect(os.path.join(folder, "fts5.db"))
    database.execute("CREATE VIRTUAL TABLE d USING fts5(text, tokenize='porter unicode61')")
    with database:
        database.executemany("INSERT INTO d (rowid, text) VALUES (?, ?)", lines(path))

    def search(query):
        words = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", query))
        return database.execute("SELECT rowid FROM d WHERE d MATCH ? ORDER BY rank LIMIT 10", (words,)).fetchall()

    return search


def lancedb_fts(path, folder):
    import lancedb
    import pyarrow

    schema = pyarrow.schema([("id", pyarrow.int64()), ("text", pyarrow.string())])

    def batches():
        numbers, texts = [], []
        for number, line in lines(path):
            numbers.append(number)
            texts.append(line)
            if len(texts) == 20_000:
                yield pyarrow.record_batch([numbers, texts], schema=schema)
                numbers, texts = [], []
        if texts:
            yield pyarrow.record_batch([numbers, texts], schema=schema)

    table = lancedb.connect(folder).create_table("d", batches(), schema=schema)
    table.create_fts_index("text", with_position=False)
    return lambda query: table.search(query, query_type="fts").select(["id"]).limit(10).to_arrow()


def main():
    name, path, folder = sys.argv[1:]
    began, cpu = time.perf_counter(), time.process_time()
    search = {"FTS5": fts5, "LanceDB": lancedb_fts}[name](path, folder)
    built = {"seconds": time.perf_counter() - began, "cpu": time.process_time() - cpu, "bytes": size(folder)}
    print(json.dumps(built), flush=True)
    for query in sys.stdin:
        began = time.perf_counter()
        search(query.strip())
        print(json.dumps((time.perf_counter() - began) * 1e3), flush=True)


main()
