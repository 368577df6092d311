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
        "trailer\n<< /Size {} /Root 1 0 R /Encrypt 4 0 R /ID [<33> <33>] >>\nstartxref\n{start}\n%%EOF\n",
        objects.len() + 1
    ));
    text.into_bytes()
}
