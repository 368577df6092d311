"""markitdown on a folder of office documents: writes the text of each into a second folder, and `seconds.tsv` with
the processor time of each, the program's start left out."""

import pathlib
import re
import sys
import time
import warnings

from markitdown import MarkItDown

ENDINGS = {".docx", ".pptx", ".epub", ".xlsx", ".xlsm", ".xls", ".csv", ".msg", ".ipynb"}
SHEETS = {".xlsx", ".xlsm", ".xls"}
# What pandas writes into places of a sheet that are empty.
EMPTY = re.compile(r"\bUnnamed: \d+(_level_\d+)?|\bNaN\b")


def main():
    warnings.simplefilter("ignore")
    source, target = map(pathlib.Path, sys.argv[1:3])
    converter = MarkItDown(enable_plugins=False)
    with open(target / "seconds.tsv", "w", encoding="utf-8") as seconds:
        for path in sorted(source.iterdir()):
            if path.suffix.lower() not in ENDINGS:
                continue
            before = time.process_time()
            try:
                text = converter.convert(str(path)).text_content
            except Exception as error:
                print(f"markitdown: {path.name}: {type(error).__name__}", file=sys.stderr)
                continue
            spent = time.process_time() - before
            if path.suffix.lower() in SHEETS:
                text = EMPTY.sub("", text)
            (target / f"{path.name}.md").write_text(text, encoding="utf-8")
            seconds.write(f"{path.name}\t{spent:.6f}\n")


main()
