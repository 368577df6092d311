//! PowerPoint presentations before 2007 ([MS-PPT]): slides in presentation order, with their texts and notes.

mod records;
mod slides;

use document::{BlockKind, Document, Format, ParseError};

use crate::Limits;
use crate::builder::Builder;
use crate::ole::Compound;
use slides::{Presentation, Slide};

pub(crate) fn parse_ppt(bytes: &[u8], limits: &Limits) -> Result<Document, ParseError> {
    let file = Compound::open(bytes)?;
    let missing = || ParseError::Damaged("it holds no presentation".to_owned());
    let stream = file.root_stream("PowerPoint Document").ok_or_else(missing)?;
    let user = file.root_stream("Current User").unwrap_or_default();
    // The marker of an encrypted presentation.
    if crate::ole::u32_at(&user, 12) == Some(0xf3d1_c4df) {
        return Err(ParseError::Encrypted);
    }
    let presentation = Presentation::read(&stream, &user, limits);
    let mut builder = Builder::new(Format::Ppt, limits);
    for (number, slide) in (1..).zip(&presentation.slides) {
        write(&mut builder, number, presentation.size, slide);
    }
    let metadata = &mut builder.document_mut().metadata;
    crate::ole_properties::read(&file, metadata);
    metadata.page_count = u32::try_from(presentation.slides.len()).ok();
    Ok(builder.finish())
}

fn write(builder: &mut Builder, number: u32, size: (f32, f32), slide: &Slide) {
    builder.separate();
    let start = builder.offset();
    let first_block = builder.document_mut().blocks.len();
    for text in &slide.texts {
        if text.title {
            let line = text.text.split_whitespace().collect::<Vec<_>>().join(" ");
            if !line.is_empty() {
                builder.block(BlockKind::Heading { level: 1 }, "# ", &line);
            }
        } else {
            write_paragraphs(builder, &text.text);
        }
    }
    if slide.notes.iter().any(|note| !note.trim().is_empty()) {
        builder.block(BlockKind::Heading { level: 3 }, "### ", "Notes:");
        for note in &slide.notes {
            write_paragraphs(builder, note);
        }
    }
    for block in builder.document_mut().blocks.iter_mut().skip(first_block) {
        block.page = Some(number);
    }
    builder.add_page(number, size, start);
}

fn write_paragraphs(builder: &mut Builder, text: &str) {
    for paragraph in text.split('\r') {
        let lines = paragraph.split(['\u{b}', '\n']).map(str::trim).filter(|line| !line.is_empty());
        let text = lines.collect::<Vec<_>>().join("\n");
        if !text.is_empty() {
            builder.block(BlockKind::Paragraph, "", &text);
        }
    }
}
