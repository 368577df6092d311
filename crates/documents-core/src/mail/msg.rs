//! Outlook messages: MAPI properties ([MS-OXMSG]) in a compound file.

use document::{Document, Format, ParseError};

use super::{ATTACHMENTS, Body, Message, receiver, rtf};
use crate::Limits;
use crate::encoding::{codepage, declared_charset, decode};
use crate::nested::Nesting;
use crate::ole::{Compound, u16_at, u64_at};
use crate::ole_properties::file_time;

/// Properties by their ids ([MS-OXPROPS]).
mod property {
    pub(super) const SUBJECT: u16 = 0x0037;
    pub(super) const SUBMITTED: u16 = 0x0039;
    pub(super) const DELIVERED: u16 = 0x0e06;
    pub(super) const SENDER: u16 = 0x0c1a;
    pub(super) const SENDER_ADDRESS: u16 = 0x0c1f;
    pub(super) const SENDER_SMTP: u16 = 0x5d01;
    pub(super) const RECEIVER_KIND: u16 = 0x0c15;
    pub(super) const TO: u16 = 0x0e04;
    pub(super) const CC: u16 = 0x0e03;
    pub(super) const BCC: u16 = 0x0e02;
    pub(super) const BODY: u16 = 0x1000;
    pub(super) const RTF: u16 = 0x1009;
    pub(super) const HTML: u16 = 0x1013;
    pub(super) const NAME: u16 = 0x3001;
    pub(super) const ADDRESS: u16 = 0x3003;
    pub(super) const SMTP: u16 = 0x39fe;
    pub(super) const DATA: u16 = 0x3701;
    pub(super) const SHORT_FILE: u16 = 0x3704;
    pub(super) const LONG_FILE: u16 = 0x3707;
    pub(super) const CODEPAGE: u16 = 0x3ffd;
    pub(super) const INTERNET_CODEPAGE: u16 = 0x3fde;
}

pub(crate) fn parse_msg(
    bytes: &[u8],
    limits: &Limits,
    nesting: &mut Nesting,
) -> Result<Document, ParseError> {
    let file = Compound::open(bytes)?;
    read(&file, 0, 32, limits, nesting)
}

/// Reads the message in a storage. Its property table begins with a header of `head` bytes.
fn read(
    file: &Compound<'_>,
    storage: usize,
    head: usize,
    limits: &Limits,
    nesting: &mut Nesting,
) -> Result<Document, ParseError> {
    let properties = Properties::read(file, storage, head);
    let receivers = receivers(file, storage, properties.codepage);
    let of_kind = |kind: u32, shown: u16| {
        let named: Vec<String> =
            receivers.iter().filter(|(found, _)| *found == kind).map(|(_, name)| name.clone()).collect();
        if named.is_empty() { properties.text(shown).into_iter().collect() } else { named }
    };
    let address =
        properties.text(property::SENDER_SMTP).or_else(|| properties.text(property::SENDER_ADDRESS));
    let address = address.filter(|address| !address.starts_with('/')).unwrap_or_default();
    let date = [property::SUBMITTED, property::DELIVERED].iter().find_map(|id| properties.fixed(*id));
    let message = Message {
        from: receiver(&properties.text(property::SENDER).unwrap_or_default(), &address),
        to: of_kind(1, property::TO),
        cc: of_kind(2, property::CC),
        bcc: of_kind(3, property::BCC),
        date: date.and_then(file_time),
        subject: properties.text(property::SUBJECT).unwrap_or_default(),
        body: body(&properties, limits),
    };
    let mut builder = message.write(Format::Msg, limits, nesting);
    for storage in storages(file, storage, "__attach_version1.0_#").into_iter().take(ATTACHMENTS) {
        if !add_attachment(file, storage, properties.codepage, &mut builder, limits, nesting) {
            break;
        }
    }
    Ok(builder.finish())
}

fn body(properties: &Properties<'_, '_>, limits: &Limits) -> Body {
    if let Some(text) = properties.text(property::BODY).filter(|text| !text.trim().is_empty()) {
        return Body::Text(text);
    }
    if let Some(html) = properties.binary(property::HTML) {
        return Body::Html(decode(&html, declared_charset(&html).as_deref()).into_owned());
    }
    if let Some(html) = properties.text(property::HTML) {
        return Body::Html(html);
    }
    let rich =
        properties.binary(property::RTF).and_then(|bytes| rtf::decompressed(&bytes, limits.text_bytes));
    match rich {
        Some(rich) => rtf::encapsulated_html(&rich).map_or(Body::Rtf(rich), Body::Html),
        None => Body::None,
    }
}

fn receivers(file: &Compound<'_>, message: usize, page: u16) -> Vec<(u32, String)> {
    let mut receivers = Vec::new();
    for storage in storages(file, message, "__recip_version1.0_#").into_iter().take(super::RECEIVERS) {
        let properties = Properties { codepage: page, ..Properties::read(file, storage, 8) };
        let address = properties.text(property::SMTP).or_else(|| properties.text(property::ADDRESS));
        let address = address.filter(|address| !address.starts_with('/')).unwrap_or_default();
        let kind = properties.fixed(property::RECEIVER_KIND).map_or(1, |value| value as u32);
        let named = receiver(&properties.text(property::NAME).unwrap_or_default(), &address);
        if !named.is_empty() {
            receivers.push((kind, named));
        }
    }
    receivers
}

fn add_attachment(
    file: &Compound<'_>,
    storage: usize,
    page: u16,
    builder: &mut crate::builder::Builder,
    limits: &Limits,
    nesting: &mut Nesting,
) -> bool {
    let properties = Properties { codepage: page, ..Properties::read(file, storage, 8) };
    let names = [property::LONG_FILE, property::SHORT_FILE, property::NAME];
    let name = names.iter().find_map(|id| properties.text(*id)).unwrap_or_default();
    // An attached message is a storage, other content a stream.
    if let Some(inner) = file.child(storage, "__substg1.0_3701000D") {
        if file.child(inner, "__properties_version1.0").is_none() {
            return true;
        }
        return nesting
            .add_read(builder, &name, 0, limits, |nesting, limits| read(file, inner, 24, limits, nesting));
    }
    match properties.binary(property::DATA) {
        Some(content) => nesting.add(builder, &name, &content, limits),
        None => true,
    }
}

/// The child storages of a kind, in the order of their numbers.
fn storages(file: &Compound<'_>, parent: usize, prefix: &str) -> Vec<usize> {
    let Some(parent) = file.entries.get(parent) else { return Vec::new() };
    let matching = |child: &usize| {
        file.entries.get(*child).is_some_and(|entry| entry.storage && entry.name.starts_with(prefix))
    };
    let mut found: Vec<usize> = parent.children.iter().copied().filter(matching).collect();
    found.sort_by(|a, b| file.entries[*a].name.cmp(&file.entries[*b].name));
    found
}

/// The properties of a message, recipient or attachment.
struct Properties<'f, 'b> {
    file: &'f Compound<'b>,
    storage: usize,
    /// Id and value of properties that fit into eight bytes.
    fixed: Vec<(u16, u64)>,
    codepage: u16,
}

impl<'f, 'b> Properties<'f, 'b> {
    fn read(file: &'f Compound<'b>, storage: usize, head: usize) -> Self {
        let table = file
            .child(storage, "__properties_version1.0")
            .map(|entry| file.stream(entry))
            .unwrap_or_default();
        let rows = table.get(head..).unwrap_or_default().chunks_exact(16);
        let fixed: Vec<(u16, u64)> =
            rows.filter_map(|row| Some((u16_at(row, 2)?, u64_at(row, 8)?))).collect();
        let mut properties = Self { file, storage, fixed, codepage: 1_252 };
        let pages = [property::CODEPAGE, property::INTERNET_CODEPAGE];
        let page = pages.iter().find_map(|id| properties.fixed(*id));
        properties.codepage = page.and_then(|page| u16::try_from(page & 0xffff_ffff).ok()).unwrap_or(1_252);
        properties
    }

    fn fixed(&self, id: u16) -> Option<u64> {
        self.fixed.iter().find(|(found, _)| *found == id).map(|(_, value)| *value)
    }

    fn stream(&self, id: u16, kind: u16) -> Option<Vec<u8>> {
        let entry = self.file.child(self.storage, &format!("__substg1.0_{id:04X}{kind:04X}"))?;
        Some(self.file.stream(entry))
    }

    fn text(&self, id: u16) -> Option<String> {
        let text = match self.stream(id, 0x001f) {
            Some(wide) => {
                let units = wide.chunks_exact(2).filter_map(|two| u16_at(two, 0));
                char::decode_utf16(units).map(|unit| unit.unwrap_or('\u{fffd}')).collect()
            }
            None => {
                let narrow = self.stream(id, 0x001e)?;
                match std::str::from_utf8(&narrow) {
                    Ok(text) => text.to_owned(),
                    Err(_) => codepage(self.codepage).decode_without_bom_handling(&narrow).0.into_owned(),
                }
            }
        };
        let text: String = text.trim_end_matches('\0').to_owned();
        (!text.is_empty()).then_some(text)
    }

    fn binary(&self, id: u16) -> Option<Vec<u8>> {
        self.stream(id, 0x0102)
    }
}
