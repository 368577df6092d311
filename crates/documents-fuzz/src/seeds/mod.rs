//! Small generated files of each format. Together they use all features that the parsers support.

pub(crate) mod images;
pub(crate) mod legacy;
pub(crate) mod mail;
pub(crate) mod office;
pub(crate) mod pdf;
pub(crate) mod sheets;
pub(crate) mod texts;

use crate::container::{Part, zip};

/// A ZIP archive of deflated files; a first file named `mimetype` is stored.
fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
    let part = |(name, content): &(&str, &[u8])| Part {
        name: (*name).to_owned(),
        head: Vec::new(),
        content: content.to_vec(),
        packed: *name != "mimetype",
    };
    zip::pack(&files.iter().map(part).collect::<Vec<_>>())
}

/// The same for texts.
fn texts_archive(files: &[(&str, &str)]) -> Vec<u8> {
    let files: Vec<(&str, &[u8])> = files.iter().map(|(name, text)| (*name, text.as_bytes())).collect();
    archive(&files)
}

#[cfg(test)]
mod tests {
    use document::ParseError;
    use documents_core::{Limits, parse};
    use webpage_core::{PageLimits, parse_page};

    use crate::TARGETS;

    #[test]
    fn every_web_page_has_text() {
        let pages = TARGETS.iter().filter(|target| target.name == "page");
        let seeds: Vec<Vec<u8>> = pages.flat_map(|target| (target.seeds)()).collect();
        assert!(!seeds.is_empty());
        for (index, seed) in seeds.iter().enumerate() {
            let page =
                parse_page(seed, "https://harbour.example/", Some("text/html"), &PageLimits::default());
            assert!(page.body.len() > 10, "{index}: {page:?}");
        }
    }

    #[test]
    fn every_seed_is_read() {
        for target in TARGETS.iter().filter(|target| target.name != "page") {
            for (index, seed) in (target.seeds)().iter().enumerate() {
                let document = parse(seed, &target.file_name(), &Limits::default());
                // An image has no text without OCR.
                if target.name == "image" && matches!(document, Err(ParseError::NeedsOcr(_))) {
                    continue;
                }
                let document = document.unwrap_or_else(|error| panic!("{} {index}: {error}", target.name));
                let format = serde_json::to_value(document.format).unwrap();
                let expected = match target.name {
                    "md" => "markdown",
                    "txt" => "text",
                    "svg" => "image",
                    name => name,
                };
                assert_eq!(format, expected, "{} {index}", target.name);
                let has_text = document.text.len() > 10 || target.name == "image";
                assert!(has_text, "{} {index}: {}", target.name, document.text);
            }
        }
    }
}
