"""Makes bundles of the open corpus: PDFs of two to six documents, with and without sheets between them, and PDFs of one
document with several pages, which must stay whole.

Usage: intake_bundles.py CORPUS FOLDER. Writes NNN.pdf and truth.json into FOLDER. The same corpus gives the same
bundles. All documents of a layout (the company of a receipt, the issuer of an invoice, the file of another document)
are in one half, which a hash of the layout's name tells; a bundle has documents of one half.
"""

import hashlib
import io
import json
import logging
import random
import sys
from pathlib import Path

from pypdf import PdfReader, PdfWriter
from reportlab.pdfgen import canvas

# Damaged files are part of the corpus; what is wrong with them is of no interest here.
logging.getLogger("pypdf").setLevel(logging.CRITICAL)
BUNDLES = 150  # of each half
MOST_PAGES = 20  # of one document
A4 = (595.0, 842.0)


def half(layout):
    return ["open", "blind"][hashlib.sha256(layout.encode()).digest()[1] % 2]


def receipt(boxes):
    """A receipt on a page of A4, as a scanner for sheets gives it: each text where the scan has it."""
    width = max(max(box[0:8:2]) for box in boxes) + 20
    height = max(max(box[1:8:2]) for box in boxes) + 20
    scale = min(A4[0] / width, A4[1] / height)
    out = io.BytesIO()
    page = canvas.Canvas(out, pagesize=A4)
    for box in boxes:
        size = 0.75 * scale * (max(box[1:8:2]) - min(box[1:8:2]))
        page.setFont("Helvetica", size)
        page.drawString(scale * min(box[0:8:2]), A4[1] - scale * max(box[1:8:2]) + 0.2 * size, box[8])
    page.showPage()
    page.save()
    return out.getvalue()


def sheet(text):
    out = io.BytesIO()
    page = canvas.Canvas(out, pagesize=A4)
    if text:
        page.setFont("Helvetica", 36)
        page.drawCentredString(A4[0] / 2, A4[1] / 2, text)
    page.showPage()
    page.save()
    return out.getvalue()


def material(corpus):
    """The documents of each half by kind: (layout, bytes)."""
    kinds = ("invoice", "receipt", "other", "long")
    found = {name: {kind: [] for kind in kinds} for name in ("open", "blind")}
    for line in (corpus / "extraction/receipts/receipts.jsonl").read_text().splitlines():
        row = json.loads(line)
        layout = row["truth"].get("company", row["id"])
        found[half(layout)]["receipt"].append((layout, receipt(row["boxes"])))
    for kind, folder in (("invoice", "extraction/invoices"), ("other", "documents/pdf")):
        for path in sorted((corpus / folder).glob("*.pdf")):
            try:
                reader = PdfReader(path)
                usable = not reader.is_encrypted and 1 <= len(reader.pages) <= MOST_PAGES
                texts = [page.extract_text() for page in reader.pages]
            except Exception:  # damaged files are part of the corpus
                continue
            # A page without a text layer could only be told apart by OCR.
            if usable and all(len(text.strip()) > 40 for text in texts):
                layout = path.stem.rstrip("0123456789")
                found[half(layout)][kind].append((layout, path.read_bytes()))
                if len(reader.pages) > 1:
                    found[half(layout)]["long"].append((layout, path.read_bytes(), kind))
    return found


def chosen(random_source, found):
    """Kinds and contents of the documents of one bundle."""
    style = random_source.choice(["whole", "long", "mixed", "business", "receipts", "one sender"])
    count = 1 if style == "whole" else random_source.randint(2, 6)
    if style == "one sender":
        layouts = {}
        for layout, content in found["receipt"]:
            layouts.setdefault(layout, []).append(content)
        several = sorted(layout for layout, contents in layouts.items() if len(contents) > 1)
        contents = layouts[random_source.choice(several)]
        return [("receipt", content) for content in random_source.sample(contents, min(count, len(contents)))]
    kinds = {
        "whole": ["long"],
        "long": ["long", "long", "invoice", "receipt"],
        "mixed": ["invoice", "receipt", "other", "long"],
        "business": ["invoice", "receipt"],
        "receipts": ["receipt"],
    }
    picked = [random_source.choice(kinds[style]) for _ in range(count)]
    documents = []
    for kind in picked:
        one = random_source.choice(found[kind])
        kind, content = one[2] if kind == "long" else kind, one[1]
        if (kind, content) not in documents:
            documents.append((kind, content))
    return documents


def main(corpus, folder):
    folder.mkdir(parents=True, exist_ok=True)
    found = material(corpus)
    random_source = random.Random(20240501)
    truth = []
    for name in ("open", "blind"):
        counts = {kind: len(documents) for kind, documents in found[name].items()}
        print(f"{name} half: {counts}", flush=True)
        for _ in range(BUNDLES):
            between = random_source.choice([None, None, "", "SEPARATOR"])
            writer, pages, parts = PdfWriter(), 0, []
            for kind, content in chosen(random_source, found[name]):
                if parts and between is not None and random_source.random() < 0.8:
                    writer.append(io.BytesIO(sheet(between)))
                    pages += 1
                writer.append(io.BytesIO(content), import_outline=False)
                count = len(PdfReader(io.BytesIO(content)).pages)
                parts.append({"first": pages + 1, "last": pages + count, "kind": kind})
                pages += count
            number = len(truth)
            with open(folder / f"{number:03}.pdf", "wb") as out:
                writer.write(out)
            truth.append({"file": f"{number:03}.pdf", "half": name, "pages": pages, "parts": parts})
    (folder / "truth.json").write_text(json.dumps(truth))


main(Path(sys.argv[1]), Path(sys.argv[2]))
