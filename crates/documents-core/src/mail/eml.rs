//! Internet messages (RFC 5322, MIME).

use mail_parser::{Addr, Address, MessageParser, MessagePart, MimeHeaders as _, PartType};

use super::{ATTACHMENTS, Body, Message, receiver};
use crate::model::{Document, Format};
use crate::nested::Nesting;
use crate::{Limits, ParseError};

/// Maximum nested messages that a file may declare: their parser recurses. Protects the stack.
const INNER_MESSAGES: usize = 500;

pub(crate) fn parse_eml(
    bytes: &[u8],
    limits: &Limits,
    nesting: &mut Nesting,
) -> Result<Document, ParseError> {
    if inner_messages(bytes) > INNER_MESSAGES {
        return Err(ParseError::Limit("depth"));
    }
    let parsed = MessageParser::default().parse(bytes);
    let parsed = parsed.ok_or_else(|| ParseError::Damaged("it is no e-mail message".to_owned()))?;
    read(&parsed, limits, nesting)
}

/// Number of mentions of messages or digests in the bytes, ignoring case.
fn inner_messages(bytes: &[u8]) -> usize {
    ["message/rfc822", "message/global", "multipart/digest"]
        .iter()
        .map(|name| {
            bytes.windows(name.len()).filter(|part| part.eq_ignore_ascii_case(name.as_bytes())).count()
        })
        .sum()
}

fn read(
    parsed: &mail_parser::Message<'_>,
    limits: &Limits,
    nesting: &mut Nesting,
) -> Result<Document, ParseError> {
    let message = Message {
        from: people(parsed.from()).into_iter().next().unwrap_or_default(),
        to: people(parsed.to()),
        cc: people(parsed.cc()),
        bcc: people(parsed.bcc()),
        date: parsed.date().map(mail_parser::DateTime::to_rfc3339),
        subject: parsed.subject().unwrap_or_default().to_owned(),
        body: body(parsed),
    };
    let mut builder = message.write(Format::Eml, limits, nesting);
    for part in parsed.attachments().take(ATTACHMENTS) {
        let name = attachment_name(part);
        let goes_on = match &part.body {
            PartType::Message(inner) => {
                let size = inner.raw_message.len();
                nesting.add_read(&mut builder, &name, size, limits, |nesting, limits| {
                    read(inner, limits, nesting)
                })
            }
            PartType::Text(text) | PartType::Html(text) => {
                nesting.add(&mut builder, &name, text.as_bytes(), limits)
            }
            PartType::Binary(content) | PartType::InlineBinary(content) => {
                nesting.add(&mut builder, &name, content, limits)
            }
            PartType::Multipart(_) => true,
        };
        if !goes_on {
            break;
        }
    }
    Ok(builder.finish())
}

/// The plain text bodies, else the HTML bodies.
fn body(message: &mail_parser::Message<'_>) -> Body {
    let mut texts = Vec::new();
    let mut pages = Vec::new();
    for part in message.text_bodies() {
        match &part.body {
            PartType::Text(text) => texts.push(text.as_ref()),
            PartType::Html(html) => pages.push(html.as_ref()),
            _ => {}
        }
    }
    let has_text = texts.iter().any(|text| !text.trim().is_empty());
    if has_text && pages.is_empty() {
        return Body::Text(texts.join("\n\n"));
    }
    let html: Vec<&str> = message
        .html_bodies()
        .filter_map(|part| match &part.body {
            PartType::Html(html) => Some(html.as_ref()),
            _ => None,
        })
        .collect();
    match (html.is_empty(), has_text) {
        (false, _) => Body::Html(html.join("\n")),
        (true, true) => Body::Text(texts.join("\n\n")),
        (true, false) => Body::None,
    }
}

fn people(addresses: Option<&Address<'_>>) -> Vec<String> {
    let one =
        |person: &Addr<'_>| receiver(person.name().unwrap_or_default(), person.address().unwrap_or_default());
    addresses.map(|all| all.iter().map(one).filter(|one| !one.is_empty()).collect()).unwrap_or_default()
}

fn attachment_name(part: &MessagePart<'_>) -> String {
    if let Some(name) = part.attachment_name() {
        return name.to_owned();
    }
    match &part.body {
        PartType::Message(inner) => inner.subject().unwrap_or("message").to_owned(),
        PartType::Html(_) => "part.html".to_owned(),
        PartType::Text(_) => "part.txt".to_owned(),
        _ => match part.content_type().map(|kind| (kind.ctype(), kind.subtype().unwrap_or_default())) {
            Some((kind, "")) => kind.to_owned(),
            Some((kind, subtype)) => format!("{kind}/{subtype}"),
            None => String::new(),
        },
    }
}
