//! PDFs of one page with lines of text, and files embedded in them.

use std::fmt::Write as _;
use std::io::Write as _;

use flate2::Compression;
use flate2::write::ZlibEncoder;

/// The number of the first object that a caller adds.
pub const FIRST_OBJECT: usize = 6;

/// A PDF with these lines on its page, US Letter, and with the entries of its catalog and the objects that they
/// refer to, which are counted from [`FIRST_OBJECT`].
#[must_use]
pub fn pdf(lines: &[&str], catalog: &str, objects: &[Vec<u8>]) -> Vec<u8> {
    let mut content = String::from("BT /F 11 Tf 14 TL 72 720 Td\n");
    for line in lines {
        let escaped = line.replace('\\', "\\\\").replace('(', "\\(").replace(')', "\\)");
        writeln!(content, "({escaped}) Tj T*").unwrap();
    }
    content.push_str("ET");
    let fixed = [
        format!("<</Type/Catalog/Pages 2 0 R{catalog}>>"),
        "<</Type/Pages/Kids[3 0 R]/Count 1>>".to_owned(),
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>"
            .to_owned(),
        format!("<</Length {}>>\nstream\n{content}\nendstream", content.len()),
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>".to_owned(),
    ];
    let mut bytes = b"%PDF-1.7\n".to_vec();
    let mut table = String::from("0000000000 65535 f \n");
    let all = fixed.iter().map(String::as_bytes).chain(objects.iter().map(Vec::as_slice));
    for (index, object) in all.enumerate() {
        writeln!(table, "{:010} 00000 n ", bytes.len()).unwrap();
        bytes.extend(format!("{} 0 obj\n", index + 1).into_bytes());
        bytes.extend(object);
        bytes.extend(b"\nendobj\n");
    }
    let (start, size) = (bytes.len(), fixed.len() + objects.len() + 1);
    let trailer = format!("<</Size {size}/Root 1 0 R>>\nstartxref\n{start}\n%%EOF\n");
    bytes.extend(format!("xref\n0 {size}\n{table}trailer\n{trailer}").into_bytes());
    bytes
}

/// A PDF with these lines and embedded files, each a name and a content, by the tree of names and as associated
/// files.
#[must_use]
pub fn pdf_with_files(lines: &[&str], files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut objects = Vec::new();
    let (mut names, mut associated) = (String::new(), String::new());
    for (name, content) in files {
        objects.push(compressed_stream("/Type/EmbeddedFile/Subtype/text#2Fxml", content));
        let stream = FIRST_OBJECT + objects.len() - 1;
        objects.push(file_specification(name, stream));
        let specification = FIRST_OBJECT + objects.len() - 1;
        write!(names, "({name}) {specification} 0 R ").unwrap();
        write!(associated, "{specification} 0 R ").unwrap();
    }
    let catalog = format!("/Names<</EmbeddedFiles<</Names[{names}]>>>>/AF[{associated}]");
    pdf(lines, &catalog, &objects)
}

/// A file specification, whose content is the stream of this number.
#[must_use]
pub fn file_specification(name: &str, stream: usize) -> Vec<u8> {
    format!(
        "<</Type/Filespec/F({name})/UF({name})/AFRelationship/Alternative/EF<</F {stream} 0 R/UF {stream} 0 R>>>>"
    )
    .into_bytes()
}

/// A stream that is compressed by `FlateDecode`.
#[must_use]
pub fn compressed_stream(entries: &str, content: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(content).unwrap();
    let stored = encoder.finish().unwrap();
    let mut object =
        format!("<<{entries}/Filter/FlateDecode/Length {}>>\nstream\n", stored.len()).into_bytes();
    object.extend(stored);
    object.extend(b"\nendstream");
    object
}
