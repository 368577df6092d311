//! The known namespaces, and their canonical prefixes.

use std::collections::HashMap;

/// Namespaces by the distinguishing part of their URL. Strict Office Open XML has other URLs than the
/// transitional one (ECMA-376 parts 1 and 4); OpenDocument's are in ODF 1.3 part 3.
const NAMESPACES: &[(&str, &str)] = &[
    ("http://schemas.openxmlformats.org/wordprocessingml/2006/main", "w"),
    ("http://purl.oclc.org/ooxml/wordprocessingml/main", "w"),
    ("http://schemas.microsoft.com/office/word/2010/wordml", "w14"),
    ("http://schemas.openxmlformats.org/drawingml/2006/main", "a"),
    ("http://purl.oclc.org/ooxml/drawingml/main", "a"),
    ("http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing", "wp"),
    ("http://purl.oclc.org/ooxml/drawingml/wordprocessingDrawing", "wp"),
    ("http://schemas.microsoft.com/office/word/2010/wordprocessingShape", "wps"),
    ("http://schemas.openxmlformats.org/drawingml/2006/chart", "c"),
    ("http://purl.oclc.org/ooxml/drawingml/chart", "c"),
    ("http://schemas.openxmlformats.org/drawingml/2006/diagram", "dgm"),
    ("http://purl.oclc.org/ooxml/drawingml/diagram", "dgm"),
    ("http://schemas.openxmlformats.org/drawingml/2006/picture", "pic"),
    ("http://purl.oclc.org/ooxml/drawingml/picture", "pic"),
    ("http://schemas.openxmlformats.org/presentationml/2006/main", "p"),
    ("http://purl.oclc.org/ooxml/presentationml/main", "p"),
    ("http://schemas.openxmlformats.org/officeDocument/2006/math", "m"),
    ("http://purl.oclc.org/ooxml/officeDocument/math", "m"),
    ("http://schemas.openxmlformats.org/officeDocument/2006/relationships", "r"),
    ("http://purl.oclc.org/ooxml/officeDocument/relationships", "r"),
    ("http://schemas.openxmlformats.org/markup-compatibility/2006", "mc"),
    ("urn:schemas-microsoft-com:vml", "v"),
    ("urn:schemas-microsoft-com:office:office", "o"),
    ("urn:oasis:names:tc:opendocument:xmlns:office:1.0", "office"),
    ("urn:oasis:names:tc:opendocument:xmlns:text:1.0", "text"),
    ("urn:oasis:names:tc:opendocument:xmlns:table:1.0", "table"),
    ("urn:oasis:names:tc:opendocument:xmlns:drawing:1.0", "draw"),
    ("urn:oasis:names:tc:opendocument:xmlns:style:1.0", "style"),
    ("urn:oasis:names:tc:opendocument:xmlns:presentation:1.0", "presentation"),
    ("urn:oasis:names:tc:opendocument:xmlns:meta:1.0", "meta"),
    ("urn:oasis:names:tc:opendocument:xmlns:form:1.0", "form"),
    ("urn:oasis:names:tc:opendocument:xmlns:manifest:1.0", "manifest"),
    ("urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0", "fo"),
    ("urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0", "svg"),
    // Invoices: UBL 2.1; CII D16B and D22B; ZUGFeRD 1.0; FatturaPA 1.2, 1.1 and 1.0.
    ("urn:oasis:names:specification:ubl:schema:xsd:Invoice-2", "ubl"),
    ("urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2", "ubl"),
    ("urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2", "cbc"),
    ("urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2", "cac"),
    ("urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100", "rsm"),
    ("urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100", "ram"),
    ("urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100", "udt"),
    ("urn:ferd:CrossIndustryDocument:invoice:1p0", "rsm"),
    ("urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:12", "ram"),
    ("urn:un:unece:uncefact:data:standard:UnqualifiedDataType:15", "udt"),
    ("http://ivaservizi.agenziaentrate.gov.it/docs/xsd/fatture/v1.2", "fpa"),
    ("http://www.fatturapa.gov.it/sdi/fatturapa/v1.1", "fpa"),
    ("http://www.fatturapa.gov.it/sdi/fatturapa/v1.0", "fpa"),
    ("http://www.w3.org/1999/xlink", "xlink"),
    ("http://www.w3.org/1998/Math/MathML", "math"),
    ("http://www.w3.org/XML/1998/namespace", "xml"),
    ("http://purl.org/dc/elements/1.1/", "dc"),
    ("http://purl.org/dc/terms/", "dcterms"),
    ("http://schemas.openxmlformats.org/package/2006/metadata/core-properties", "cp"),
];

/// Namespaces whose names have no prefix here: their documents use only one.
const PLAIN: &[&str] = &[
    "http://schemas.openxmlformats.org/package/2006/relationships",
    "http://schemas.openxmlformats.org/package/2006/content-types",
    "http://schemas.openxmlformats.org/officeDocument/2006/extended-properties",
    "http://purl.oclc.org/ooxml/officeDocument/extendedProperties",
    "urn:oasis:names:tc:opendocument:xmlns:container",
    "http://www.idpf.org/2007/opf",
];

/// Maximum declarations in scope; real documents have some thirty. Protects time.
const DECLARATIONS: usize = 500;

/// The prefix for unknown namespaces.
const UNKNOWN: &str = "?";

/// The canonical prefix of a namespace; empty for those without.
fn usual_prefix(address: &str) -> &'static str {
    let known = NAMESPACES.iter().find(|(known, _)| *known == address).map(|(_, prefix)| *prefix);
    known.unwrap_or(if PLAIN.contains(&address) || address.is_empty() { "" } else { UNKNOWN })
}

/// The prefixes in scope, with their canonical ones, and the depth of each declaration.
#[derive(Debug, Default)]
pub(super) struct Scopes {
    declared: Vec<(usize, String, &'static str)>,
}

impl Scopes {
    pub(super) fn declare(&mut self, depth: usize, prefix: &str, address: &str) {
        if self.declared.len() < DECLARATIONS {
            self.declared.push((depth, prefix.to_owned(), usual_prefix(address)));
        }
    }

    /// Removes the declarations at this depth or deeper.
    pub(super) fn leave(&mut self, depth: usize) {
        while self.declared.last().is_some_and(|(declared, ..)| *declared >= depth) {
            self.declared.pop();
        }
    }

    /// The canonical prefix of a declared one.
    pub(super) fn resolve(&self, prefix: &str) -> &'static str {
        let declared = self.declared.iter().rev().find(|(_, declared, _)| declared == prefix);
        match (declared, prefix) {
            (Some((_, _, usual)), _) => usual,
            (None, "") => "",
            (None, "xml") => "xml",
            // The prefix is undeclared, so the document is damaged: taking it as canonical is the best guess.
            (None, _) => {
                NAMESPACES.iter().find(|(_, usual)| *usual == prefix).map_or(UNKNOWN, |(_, usual)| usual)
            }
        }
    }
}

/// Names by number.
#[derive(Debug, Default)]
pub(super) struct Names {
    numbers: HashMap<(&'static str, String), u32>,
    pub(super) names: Vec<String>,
}

impl Names {
    pub(super) fn number(&mut self, prefix: &'static str, local: &str) -> u32 {
        // The key is allocated only for names that are new or rare.
        let key = (prefix, local.to_owned());
        if let Some(number) = self.numbers.get(&key) {
            return *number;
        }
        let number = u32::try_from(self.names.len()).unwrap_or(u32::MAX);
        self.names.push(if prefix.is_empty() { local.to_owned() } else { format!("{prefix}:{local}") });
        self.numbers.insert(key, number);
        number
    }
}
