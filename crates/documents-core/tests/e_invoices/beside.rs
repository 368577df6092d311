//! XML beside the pages of the same invoice, in one archive or message.

use document_samples::archive;
use document_samples::invoices::UBL;
use document_samples::pdf::pdf_with_files;

use crate::read;

fn names(files: &[(&str, &[u8])]) -> Vec<String> {
    let document = read(&archive(files, true), "a.zip");
    document.attachments.into_iter().map(|attachment| attachment.name).collect()
}

#[test]
fn xml_whose_number_and_seller_the_pages_state_is_an_attachment() {
    for lines in [
        ["Invoice HL-2031", "HARBOUR LIGHT Chandlers GmbH"],
        ["Rechnung Nr. HL-2031", "USt-IdNr. DE 123 456 788"],
    ] {
        let pages = pdf_with_files(&lines, &[]);
        let files: [(&str, &[u8]); 3] =
            [("note.txt", b"Please pay"), ("invoice.xml", UBL.as_bytes()), ("invoice.pdf", &pages)];
        let document = read(&archive(&files, true), "a.zip");
        let [host, invoice] = <[_; 2]>::try_from(document.parts()).unwrap();
        assert_eq!(invoice.name.as_deref(), Some("invoice.xml"));
        assert!(invoice.document.text.contains("Invoice number: HL-2031"));
        assert!(invoice.document.text.starts_with("# invoice.xml"), "{}", invoice.document.text);
        assert!(!host.document.text.contains("Seller VAT identifier"), "{}", host.document.text);
        assert!(host.document.text.contains("Please pay") && host.document.text.contains(lines[0]));
    }
}

#[test]
fn other_invoices_stay_documents_of_their_own_right() {
    let xml = UBL.as_bytes();
    for lines in [
        // Another number, another seller, the number within a longer one, and none of both.
        ["Invoice HL-2032", "Harbour Light Chandlers GmbH"],
        ["Invoice HL-2031", "Northsea Ferries AG"],
        ["Invoice HL-20311", "Harbour Light Chandlers GmbH"],
        ["Terms", "of delivery"],
    ] {
        let pages = pdf_with_files(&lines, &[]);
        assert_eq!(names(&[("invoice.xml", xml), ("invoice.pdf", &pages)]), [""; 0], "{lines:?}");
    }
    // A letter that mentions it is not its pages.
    let letter = "We got invoice HL-2031 of Harbour Light Chandlers GmbH";
    assert_eq!(names(&[("invoice.xml", xml), ("letter.txt", letter.as_bytes())]), [""; 0]);
}

#[test]
fn several_invoices_of_an_archive_each_go_with_their_pages() {
    let other = UBL.replace("HL-2031", "HL-2032");
    let first = pdf_with_files(&["Invoice HL-2031", "Harbour Light Chandlers GmbH"], &[]);
    let files: [(&str, &[u8]); 3] =
        [("1.xml", UBL.as_bytes()), ("2.xml", other.as_bytes()), ("1.pdf", &first)];
    assert_eq!(names(&files), ["1.xml"]);
    let second = pdf_with_files(&["Invoice HL-2032", "Harbour Light Chandlers GmbH"], &[]);
    assert_eq!(names(&[files[0], files[1], files[2], ("2.pdf", &second)]), ["1.xml", "2.xml"]);
}

#[cfg(feature = "mail")]
#[test]
fn in_a_message_it_is_an_attachment_too() {
    use base64::Engine as _;
    let encoded = |bytes: &[u8]| base64::prelude::BASE64_STANDARD.encode(bytes);
    let pages = pdf_with_files(&["Invoice HL-2031", "Harbour Light Chandlers GmbH"], &[]);
    let part = |name: &str, kind: &str, content: &[u8]| {
        format!(
            "--x\r\nContent-Type: {kind}\r\nContent-Disposition: attachment; filename=\"{name}\"\r\n\
             Content-Transfer-Encoding: base64\r\n\r\n{}\r\n",
            encoded(content)
        )
    };
    let mail = format!(
        "From: a@b.example\r\nTo: c@d.example\r\nSubject: Invoice\r\nMIME-Version: 1.0\r\n\
         Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Type: text/plain\r\n\r\nHello\r\n{}{}--x--\r\n",
        part("invoice.pdf", "application/pdf", &pages),
        part("invoice.xml", "application/xml", UBL.as_bytes()),
    );
    let document = read(mail.as_bytes(), "a.eml");
    let names: Vec<&str> = document.attachments.iter().map(|own| own.name.as_str()).collect();
    assert_eq!(names, ["invoice.xml"], "{}", document.text);
}
