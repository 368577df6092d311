//! E-mail: header fields, body, and attachments.

mod eml;
mod msg;
mod rtf;

use document::{BlockKind, Format};

use crate::Limits;
use crate::builder::Builder;
use crate::encoding::normalised;
use crate::html::parse_html;
use crate::nested::Nesting;

pub(crate) use eml::parse_eml;
pub(crate) use msg::parse_msg;

/// Maximum attachments of one message. Protects time.
const ATTACHMENTS: usize = 200;
/// Maximum recipients that are listed. Protects memory.
const RECEIVERS: usize = 1_000;

/// A message to be written.
#[derive(Debug, Default)]
struct Message {
    from: String,
    to: Vec<String>,
    cc: Vec<String>,
    bcc: Vec<String>,
    date: Option<String>,
    subject: String,
    body: Body,
}

/// The body in the richest form.
#[derive(Debug, Default)]
enum Body {
    #[default]
    None,
    Text(String),
    Html(String),
    /// Rich text, which has its own parser.
    Rtf(Vec<u8>),
}

impl Message {
    /// Writes the header fields and the body.
    fn write(self, format: Format, limits: &Limits, nesting: &mut Nesting) -> Builder {
        let mut builder = Builder::new(format, limits);
        let lines = [
            ("From", self.from.clone()),
            ("To", joined(&self.to)),
            ("Cc", joined(&self.cc)),
            ("Bcc", joined(&self.bcc)),
            ("Date", self.date.clone().unwrap_or_default()),
            ("Subject", self.subject.clone()),
        ];
        let head: Vec<String> = lines
            .into_iter()
            .map(|(name, value)| (name, value.split_whitespace().collect::<Vec<_>>().join(" ")))
            .filter(|(_, value)| !value.is_empty())
            .map(|(name, value)| format!("{name}: {value}"))
            .collect();
        builder.block(BlockKind::Paragraph, "", &head.join("\n"));
        match self.body {
            Body::Text(text) => write_text(&mut builder, &text),
            Body::Html(html) => builder.append(parse_html(&normalised(&html), limits)),
            Body::Rtf(bytes) => {
                if let Ok(document) = nesting.parse(&bytes, "body.rtf", limits) {
                    builder.append(document);
                }
            }
            Body::None => {}
        }
        let metadata = &mut builder.document_mut().metadata;
        metadata.title = Some(self.subject).filter(|subject| !subject.trim().is_empty());
        metadata.author = Some(self.from).filter(|from| !from.is_empty());
        metadata.created = self.date;
        builder
    }
}

fn joined(receivers: &[String]) -> String {
    receivers.iter().take(RECEIVERS).map(String::as_str).collect::<Vec<_>>().join(", ")
}

/// Writes plain text; blank lines separate paragraphs.
fn write_text(builder: &mut Builder, text: &str) {
    let text = crate::encoding::normalised(text);
    let mut paragraph: Vec<&str> = Vec::new();
    for line in text.lines().chain([""]) {
        if !line.trim().is_empty() {
            paragraph.push(line.trim_end());
        } else if !paragraph.is_empty() {
            builder.block(BlockKind::Paragraph, "", &std::mem::take(&mut paragraph).join("\n"));
        }
    }
}

/// Name and address of a recipient.
fn receiver(name: &str, address: &str) -> String {
    match (name.trim(), address.trim()) {
        ("", address) => address.to_owned(),
        (name, "") => name.to_owned(),
        (name, address) if name.eq_ignore_ascii_case(address) => address.to_owned(),
        (name, address) => format!("{name} <{address}>"),
    }
}
