//! A picture of any file.

use document::{ImageFormat, Thumbnail, ThumbnailOptions};
use documents_core::{Limits, Raster, card, thumbnail};
use image::ImageFormat as FileFormat;

use crate::support::{dark, file, halves, pdf, pixel};
use document_samples::archive;

fn made(bytes: &[u8], name: &str, width: u32, page: u32) -> (Thumbnail, Raster) {
    let options = ThumbnailOptions { width, page, format: ImageFormat::Png };
    let made = thumbnail(bytes, name, &options, &Limits::default());
    let image = image::load_from_memory(&made.bytes).unwrap().into_rgba8();
    assert_eq!((made.width, made.height), image.dimensions());
    let raster = Raster { width: made.width, height: made.height, rgba: image.into_raw() };
    (made, raster)
}

fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    archive(files, true)
}

const LETTER: &str = "/MediaBox[0 0 612 792]";

#[test]
fn of_a_pdf_the_page_is_shown_and_past_the_end_the_last() {
    let bytes = pdf(&[(LETTER, ""), (LETTER, "0 g 0 0 612 792 re f")]);
    for (page, shown, black) in [(1, 1, false), (2, 2, true), (9, 2, true), (0, 1, false)] {
        let (thumbnail, raster) = made(&bytes, "a.pdf", 100, page);
        assert_eq!((thumbnail.width, thumbnail.height, thumbnail.page), (100, 129, shown));
        assert_eq!(pixel(&raster, 50, 60) == [0; 3], black, "{page}");
    }
}

#[test]
fn widths_and_heights_have_bounds() {
    let bytes = pdf(&[("/MediaBox[0 0 10 1000]", "")]);
    let (tall, _) = made(&bytes, "a.pdf", 40, 1);
    assert_eq!((tall.width, tall.height), (40, 160));
    let square = pdf(&[("/MediaBox[0 0 100 100]", "")]);
    assert_eq!((made(&square, "", 1, 1).0.width, made(&square, "", 9_999, 1).0.width), (16, 2_048));
}

#[test]
fn it_is_written_as_png_or_webp() {
    let bytes = pdf(&[(LETTER, "1 0 0 rg 0 0 612 792 re f")]);
    let options = ThumbnailOptions { format: ImageFormat::WebP, ..ThumbnailOptions::default() };
    let webp = thumbnail(&bytes, "a.pdf", &options, &Limits::default());
    assert_eq!(image::guess_format(&webp.bytes).unwrap(), FileFormat::WebP);
    assert_eq!((webp.format.content_type(), webp.width), ("image/webp", 320));
    assert_eq!(image::guess_format(&made(&bytes, "a.pdf", 320, 1).0.bytes).unwrap(), FileFormat::Png);
}

const TYPES: (&str, &[u8]) = ("[Content_Types].xml", b"<Types/>");

/// A text document, with the picture of itself if there is one.
fn docx(picture: Option<&[u8]>) -> Vec<u8> {
    let body: &[u8] =
        b"<w:document xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\"><w:body>\
        <w:p><w:r><w:t>Minutes of the harbour board</w:t></w:r></w:p></w:body></w:document>";
    let relations: &[u8] = b"<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">\
        <Relationship Id=\"a\" Type=\"http://x/metadata/thumbnail\" Target=\"docProps/thumbnail.png\"/></Relationships>";
    let mut files = vec![TYPES, ("word/document.xml", body)];
    if let Some(picture) = picture {
        files.extend([("_rels/.rels", relations), ("docProps/thumbnail.png", picture)]);
    }
    zip(&files)
}

#[test]
fn the_picture_that_a_package_carries_is_shown() {
    let picture = file(&halves(200, 100), FileFormat::Png);
    let (_, raster) = made(&docx(Some(&picture)), "a.docx", 100, 1);
    assert_eq!((raster.width, raster.height, pixel(&raster, 20, 20)), (100, 50, [255, 0, 0]));
    let odt = zip(&[
        ("mimetype", b"application/vnd.oasis.opendocument.text"),
        ("content.xml", b"<office:document-content/>"),
        ("Thumbnails/thumbnail.png", &picture),
    ]);
    assert_eq!(pixel(&made(&odt, "a.odt", 100, 1).1, 80, 20), [0, 0, 255]);
    let opf: &[u8] =
        b"<package xmlns='http://www.idpf.org/2007/opf'><manifest><item id='c' href='art/my%20cover.png' \
        media-type='image/png' properties='cover-image'/></manifest><spine/></package>";
    let container: &[u8] =
        b"<container><rootfiles><rootfile full-path='OPS/book.opf'/></rootfiles></container>";
    let epub = zip(&[
        ("mimetype", b"application/epub+zip"),
        ("META-INF/container.xml", container),
        ("OPS/book.opf", opf),
        ("OPS/art/my cover.png", &picture),
    ]);
    assert_eq!(pixel(&made(&epub, "a.epub", 100, 1).1, 80, 20), [0, 0, 255]);
}

#[test]
fn a_picture_that_shows_nothing_or_is_damaged_is_passed_over() {
    let empty = image::RgbaImage::from_pixel(200, 100, image::Rgba([255; 4]));
    for picture in [file(&empty, FileFormat::Png), b"\x89PNG\r\n\x1a\nxx".to_vec()] {
        let (_, raster) = made(&docx(Some(&picture)), "a.docx", 200, 1);
        assert!(raster.height > 200 && dark(&raster) > 15, "{raster:?}");
    }
}

#[test]
fn documents_without_a_picture_are_drawn_from_their_blocks() {
    let markdown =
        "# Fees\n\nA berth costs as much as it did.\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |";
    let mail = "From: a@example.org\nTo: b@example.org\nSubject: Fees\n\nAs agreed.";
    for (bytes, name) in [
        (docx(None), "a.docx"),
        (markdown.into(), "a.md"),
        ("<h1>Fees</h1><p>A berth".into(), "a.html"),
        (mail.into(), "a.eml"),
        ("name,fee\nberth,9".into(), "a.csv"),
        ("just words".into(), "a.txt"),
    ] {
        let (thumbnail, raster) = made(&bytes, name, 320, 7);
        assert_eq!((thumbnail.width, thumbnail.height, thumbnail.page), (320, 453, 1), "{name}");
        let inked = dark(&raster);
        assert!((25..30_000).contains(&inked), "{name}: {inked}");
    }
}

#[test]
fn slides_are_drawn_wide_and_each_by_its_number() {
    let deck = "<p:presentation xmlns:p='http://schemas.openxmlformats.org/presentationml/2006/main' \
        xmlns:r='http://schemas.openxmlformats.org/officeDocument/2006/relationships'><p:sldIdLst>\
        <p:sldId id='1' r:id='r1'/><p:sldId id='2' r:id='r2'/></p:sldIdLst><p:sldSz cx='9144000' cy='6858000'/></p:presentation>";
    let relations = "<Relationships xmlns='http://schemas.openxmlformats.org/package/2006/relationships'>\
        <Relationship Id='r1' Type='http://x/slide' Target='slides/slide1.xml'/>\
        <Relationship Id='r2' Type='http://x/slide' Target='slides/slide2.xml'/></Relationships>";
    let slide = |text: &str| {
        format!(
            "<p:sld xmlns:p='http://schemas.openxmlformats.org/presentationml/2006/main' \
             xmlns:a='http://schemas.openxmlformats.org/drawingml/2006/main'><p:cSld><p:spTree><p:sp><p:txBody>\
             <a:p><a:r><a:t>{text}</a:t></a:r></a:p></p:txBody></p:sp></p:spTree></p:cSld></p:sld>"
        )
    };
    let (short, long) = (slide("few"), slide(&"many words ".repeat(40)));
    let pptx = zip(&[
        TYPES,
        ("ppt/presentation.xml", deck.as_bytes()),
        ("ppt/_rels/presentation.xml.rels", relations.as_bytes()),
        ("ppt/slides/slide1.xml", short.as_bytes()),
        ("ppt/slides/slide2.xml", long.as_bytes()),
    ]);
    let (first, few) = made(&pptx, "a.pptx", 320, 1);
    let (second, many) = made(&pptx, "a.pptx", 320, 2);
    assert_eq!((first.page, second.page, first.height), (1, 2, 240));
    assert!(dark(&few) > 0 && dark(&few) * 10 < dark(&many), "{} {}", dark(&few), dark(&many));
    assert_eq!(made(&pptx, "a.pptx", 320, 3).0.page, 2);
}

#[test]
fn what_the_speaker_notes_is_not_on_the_picture_of_a_slide() {
    let office = "xmlns:office='urn:oasis:names:tc:opendocument:xmlns:office:1.0' \
        xmlns:draw='urn:oasis:names:tc:opendocument:xmlns:drawing:1.0' \
        xmlns:presentation='urn:oasis:names:tc:opendocument:xmlns:presentation:1.0' \
        xmlns:text='urn:oasis:names:tc:opendocument:xmlns:text:1.0'";
    let frame = "<draw:frame><draw:text-box><text:p>Harbour plan</text:p></draw:text-box></draw:frame>";
    let notes = "<presentation:notes><draw:frame presentation:class='notes'><draw:text-box>\
        <text:p>Mention the storm</text:p></draw:text-box></draw:frame></presentation:notes>";
    let odp = |content: &str| {
        let content = format!(
            "<office:document-content {office}><office:body><office:presentation><draw:page>{content}</draw:page>\
             </office:presentation></office:body></office:document-content>"
        );
        let kind = b"application/vnd.oasis.opendocument.presentation".as_slice();
        zip(&[("mimetype", kind), ("content.xml", content.as_bytes())])
    };
    let (bare, noted) = (odp(frame), odp(&format!("{frame}{notes}")));
    let text = documents_core::parse(&noted, "a.odp", &Limits::default()).unwrap().text;
    assert!(text.contains("Notes: Mention the storm"), "{text}");
    assert_eq!(made(&bare, "a.odp", 320, 1).0.bytes, made(&noted, "a.odp", 320, 1).0.bytes);
}

#[test]
fn letters_of_any_script_leave_a_mark() {
    for text in [
        "\u{5e9}\u{5dc}\u{5d5}\u{5dd}",
        "\u{6a9}\u{62a}\u{627}\u{628}",
        "\u{4e2d}\u{6587}\u{4e66}",
        "\u{43a}\u{43d}\u{438}\u{433}\u{430}",
    ] {
        let (_, raster) = made(text.as_bytes(), "a.txt", 640, 1);
        let inked = raster.rgba.chunks_exact(4).filter(|pixel| pixel[0] < 210).count();
        assert!(inked > 50, "{text}: {inked}");
    }
}

#[test]
fn a_file_that_cannot_be_shown_has_a_card_of_its_kind_and_name() {
    let options = ThumbnailOptions::default();
    let of = |kind: &str, name: &str| card(kind, name, &options).bytes;
    assert_ne!(of("application/pdf", "a"), of("application/gzip", "a"));
    assert_ne!(of("application/pdf", "a"), of("application/pdf", "b"));
    let (elf, _) = made(b"\x7fELF\x02\x01", "tool <&> \u{0}.bin", 320, 3);
    assert_eq!((elf.width, elf.height, elf.page), (320, 416, 1));
    for name in ["", "\u{202e}\u{ffff}", &"x".repeat(100_000), &"word ".repeat(50_000)] {
        made(b"", name, 16, 1);
    }
}
