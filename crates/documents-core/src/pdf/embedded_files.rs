//! Files embedded in a PDF: invoices as XML, which Factur-X and ZUGFeRD add to their pages. Source: ISO 32000-2,
//! 7.11.4, 7.9.6 and 14.13.

use std::borrow::Cow;
use std::collections::HashSet;

use hayro_syntax::object::{Array, Dict, Object, ObjectIdentifier, Stream, String as PdfString};
use hayro_syntax::{Filter, Pdf};

use super::metadata::text_string;
use crate::Limits;
use crate::builder::Builder;
use crate::container::inflate;
use crate::e_invoice::parse_invoice_bytes;

/// Maximum nodes of the tree of names, which may be a circle, and maximum files. Protects time.
const MAX_NODES: usize = 10_000;
const MAX_FILES: usize = 10_000;
/// Maximum files of XML that are parsed. Protects time.
const MAX_XML: usize = 20;
/// Maximum bytes of a name. Protects memory.
const MAX_NAME: usize = 1_000;

/// Appends the invoices among the embedded files, each under a heading with its name. Other files are left out, and
/// so are those that cannot be read.
pub(super) fn append_invoices(pdf: &Pdf, builder: &mut Builder, limits: &Limits) {
    let mut left = limits.inflated_bytes;
    let mut known: HashSet<ObjectIdentifier> = HashSet::new();
    let specifications = file_specifications(pdf);
    let files = specifications.iter().filter_map(embedded_file);
    let named = files.filter(|(name, _)| name.to_ascii_lowercase().ends_with(".xml"));
    for (name, stream) in named.filter(|(_, stream)| known.insert(stream.obj_id())).take(MAX_XML) {
        if builder.is_full() {
            return;
        }
        let most = limits.entry_bytes.min(left);
        let Some(bytes) = content(&stream, most, limits) else { continue };
        left = left.saturating_sub(bytes.len());
        let limits = Limits { text_bytes: builder.room(), ..*limits };
        if let Some(document) = parse_invoice_bytes(&bytes, &limits) {
            builder.attach(&name, document);
        }
    }
}

/// The file specifications of the associated files, then of the tree of names.
fn file_specifications(pdf: &Pdf) -> Vec<Dict<'_>> {
    let Some(catalog) = pdf.xref().get::<Dict<'_>>(pdf.xref().root_id()) else { return Vec::new() };
    let mut found: Vec<Dict<'_>> = Vec::new();
    if let Some(files) = catalog.get::<Array<'_>>("AF") {
        found.extend(files.iter::<Object<'_>>().take(MAX_FILES).filter_map(dictionary));
    }
    let tree = catalog.get::<Dict<'_>>("Names").and_then(|names| names.get::<Dict<'_>>("EmbeddedFiles"));
    let mut open: Vec<Dict<'_>> = tree.into_iter().collect();
    for _ in 0..MAX_NODES {
        let Some(node) = open.pop() else { break };
        if let Some(kids) = node.get::<Array<'_>>("Kids") {
            let room = MAX_NODES.saturating_sub(open.len());
            let mut kids: Vec<Dict<'_>> = kids.iter::<Dict<'_>>().take(room).collect();
            kids.reverse();
            open.append(&mut kids);
        }
        if let Some(names) = node.get::<Array<'_>>("Names") {
            let room = MAX_FILES.saturating_sub(found.len());
            // Names and file specifications take turns; the names are no dictionaries.
            found.extend(names.iter::<Object<'_>>().filter_map(dictionary).take(room));
        }
    }
    found
}

fn dictionary(object: Object<'_>) -> Option<Dict<'_>> {
    match object {
        Object::Dict(dictionary) => Some(dictionary),
        _ => None,
    }
}

/// The name and the content of a file specification.
fn embedded_file<'a>(specification: &Dict<'a>) -> Option<(String, Stream<'a>)> {
    let name = specification
        .get::<PdfString<'_>>("UF")
        .or_else(|| specification.get::<PdfString<'_>>("F"))
        .filter(|name| name.as_bytes().len() <= MAX_NAME)?;
    let files = specification.get::<Dict<'_>>("EF")?;
    let stream = files.get::<Stream<'_>>("F").or_else(|| files.get::<Stream<'_>>("UF"))?;
    Some((text_string(name.as_bytes()), stream))
}

/// The bytes of a stream that has no filter or is compressed by `FlateDecode`, as those of invoices are: other
/// filters have no bound.
fn content<'a>(stream: &Stream<'a>, most: usize, limits: &Limits) -> Option<Cow<'a, [u8]>> {
    let raw = stream.raw_data();
    match stream.filters().as_slice() {
        [] => Some(raw).filter(|raw| raw.len() <= most),
        [Filter::FlateDecode] => {
            inflate(without_zlib_header(&raw), most, limits.inflation_ratio).ok().map(Cow::Owned)
        }
        _ => None,
    }
}

/// The DEFLATE stream of a zlib stream (RFC 1950, 2.2).
fn without_zlib_header(bytes: &[u8]) -> &[u8] {
    match bytes {
        [method, flags, rest @ ..]
            if method & 0x0f == 8 && (u16::from(*method) << 8 | u16::from(*flags)) % 31 == 0 =>
        {
            rest
        }
        _ => bytes,
    }
}
