"""Tables that peers find in the PDFs of a folder: pdfplumber, and camelot in both of its ways. Prints one line of
JSON for each peer and document: its tables with their page and rows of texts."""

import json
import pathlib
import sys
import warnings

import camelot
import pdfplumber


def with_pdfplumber(path):
    with pdfplumber.open(path) as pdf:
        for number, page in enumerate(pdf.pages, start=1):
            for rows in page.extract_tables():
                yield {"page": number, "rows": [[cell or "" for cell in row] for row in rows]}


def with_camelot(path, flavor):
    for table in camelot.read_pdf(str(path), pages="all", flavor=flavor):
        yield {"page": int(table.page), "rows": table.df.values.tolist()}


def main():
    warnings.simplefilter("ignore")
    peers = {
        "pdfplumber": with_pdfplumber,
        "camelot lattice": lambda path: with_camelot(path, "lattice"),
        "camelot stream": lambda path: with_camelot(path, "stream"),
    }
    for path in sorted(pathlib.Path(sys.argv[1]).glob("*.pdf")):
        for peer, read in peers.items():
            try:
                tables = list(read(path))
            except Exception as error:
                print(f"{peer} failed on {path.name}: {error}", file=sys.stderr)
                tables = []
            print(json.dumps({"peer": peer, "name": path.stem, "tables": tables}), flush=True)


main()
