//! Sample material.

use serde_json::{Value, json};

/// A form for [`invoice`].
pub(crate) fn invoice_schema() -> Value {
    json!({
        "invoice_number": {"type": "string", "order": 1},
        "due_date": {"type": "date", "order": 3},
        "total": {"type": "number", "order": 2, "required": true}
    })
}

/// A paper that says its number and its total.
pub(crate) fn invoice(number: &str, total: &str) -> String {
    format!("Invoice No: {number}\nTotal: {total} EUR\n")
}

/// A PDF that cannot be read without its password.
pub(crate) fn encrypted_pdf() -> Vec<u8> {
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>",
        "<< /Filter /Standard /V 2 /R 3 /Length 128 /P -44 \
         /O <11111111111111111111111111111111> /U <22222222222222222222222222222222> >>",
    ];
    pdf(&objects, "/Encrypt 4 0 R /ID [<33> <33>]")
}

/// A PDF with these lines on its pages.
pub(crate) fn pages_pdf(pages: &[&[&str]]) -> Vec<u8> {
    let kids: Vec<String> = (0..pages.len()).map(|page| format!("{} 0 R", 4 + 2 * page)).collect();
    let mut objects = vec![
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        format!("<< /Type /Pages /Kids [{}] /Count {} >>", kids.join(" "), pages.len()),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>".to_owned(),
    ];
    for (page, lines) in pages.iter().enumerate() {
        objects.push(format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 400] /Contents {} 0 R \
             /Resources << /Font << /F 3 0 R >> >> >>",
            5 + 2 * page
        ));
        let texts: String = lines.iter().map(|line| format!("({line}) Tj 0 -20 Td ")).collect();
        let content = format!("BT /F 12 Tf 20 300 Td {texts}ET");
        objects.push(format!("<< /Length {} >>\nstream\n{content}\nendstream", content.len()));
    }
    pdf(&objects.iter().map(String::as_str).collect::<Vec<_>>(), "")
}

/// A PDF of two pages with a line on each.
pub(crate) fn two_pages() -> Vec<u8> {
    let page = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 5 0 R \
                /Resources << /Font << /F 6 0 R >> >> >>";
    let content = "BT /F 12 Tf 20 100 Td (A line of text) Tj ET";
    let stream = format!("<< /Length {} >>\nstream\n{content}\nendstream", content.len());
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>",
        page,
        page,
        &stream,
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ];
    pdf(&objects, "")
}

/// A PDF with an invoice on its first page, and on its second a picture that fills the page.
pub(crate) fn page_and_scan() -> Vec<u8> {
    let page = |content: usize| {
        format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 400] /Contents {content} 0 R \
             /Resources << /Font << /F 7 0 R >> /XObject << /I 8 0 R >> >> >>"
        )
    };
    let stream = |content: &str| format!("<< /Length {} >>\nstream\n{content}\nendstream", content.len());
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>",
        &page(5),
        &page(6),
        &stream("BT /F 12 Tf 20 300 Td (Invoice number: A-77) Tj 0 -20 Td (Total: 12.50 EUR) Tj ET"),
        &stream("q 400 0 0 370 0 30 cm /I Do Q BT /F 9 Tf 20 10 Td (Annex: the signed order) Tj ET"),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        "<< /Type /XObject /Subtype /Image /Width 2 /Height 2 /ColorSpace /DeviceGray /BitsPerComponent 8 \
         /Filter /ASCIIHexDecode /Length 9 >>\nstream\n00FF80C0>\nendstream",
    ];
    pdf(&objects, "")
}

fn pdf(objects: &[&str], trailer: &str) -> Vec<u8> {
    let mut text = "%PDF-1.4\n".to_owned();
    let mut offsets = Vec::new();
    for (index, object) in objects.iter().enumerate() {
        offsets.push(text.len());
        text.push_str(&format!("{} 0 obj\n{object}\nendobj\n", index + 1));
    }
    let start = text.len();
    text.push_str(&format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1));
    for offset in offsets {
        text.push_str(&format!("{offset:010} 00000 n \n"));
    }
    text.push_str(&format!(
        "trailer\n<< /Size {} /Root 1 0 R {trailer} >>\nstartxref\n{start}\n%%EOF\n",
        objects.len() + 1
    ));
    text.into_bytes()
}
