//! Stores generated images and speech as files, and links them.

use shared_core::Scope;

use super::GenerateError;
use crate::{Media, MediaStore};

/// Maximum characters of an image's alternative text. Chosen by hand; no measurement is recorded.
const MAX_ALT: usize = 120;

/// Stores images and returns Markdown that shows them.
pub(super) async fn pictures(
    store: &dyn MediaStore,
    scope: &Scope,
    prompt: &str,
    images: Vec<Media>,
) -> Result<String, GenerateError> {
    let alt = alt(prompt);
    let mut links = Vec::new();
    for (at, image) in images.into_iter().enumerate() {
        let name = format!("image-{}.{}", at + 1, extension(&image.content_type));
        let url = store.store(scope, &name, image).await.map_err(GenerateError::Media)?;
        links.push(format!("![{alt}]({})", target(&url)));
    }
    Ok(links.join("\n\n"))
}

/// Stores speech and returns its URL.
pub(super) async fn speech(
    store: &dyn MediaStore,
    scope: &Scope,
    audio: Media,
) -> Result<String, GenerateError> {
    let name = format!("speech.{}", extension(&audio.content_type));
    store.store(scope, &name, audio).await.map_err(GenerateError::Media)
}

/// The prompt as alternative text: one line, truncated, with Markdown's punctuation escaped.
fn alt(prompt: &str) -> String {
    let line = prompt.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut alt = String::new();
    for c in line.chars().take(MAX_ALT).filter(|c| !c.is_control()) {
        if matches!(
            c,
            '\\' | '[' | ']' | '*' | '_' | '`' | '<' | '>' | '!' | '(' | ')' | '&' | '#' | '|' | '~'
        ) {
            alt.push('\\');
        }
        alt.push(c);
    }
    alt
}

/// Escapes what would end the link's target early.
fn target(url: &str) -> String {
    url.replace('(', "%28").replace(')', "%29").replace(' ', "%20")
}

/// The usual file extension of a media type.
fn extension(content_type: &str) -> &str {
    let kind = content_type.split(';').next().unwrap_or_default().trim();
    match kind {
        "image/png" => "png",
        "image/jpeg" => "jpg",
        "image/webp" => "webp",
        "image/gif" => "gif",
        "audio/mpeg" => "mp3",
        "audio/wav" | "audio/x-wav" | "audio/wave" => "wav",
        "audio/ogg" | "audio/opus" => "ogg",
        "audio/flac" => "flac",
        "audio/aac" => "aac",
        _ => "bin",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prompt_cannot_break_out_of_its_picture() {
        assert_eq!(alt("a [red]\n(cat) \\ *x*"), "a \\[red\\] \\(cat\\) \\\\ \\*x\\*");
        assert!(alt(&"x".repeat(500)).len() <= MAX_ALT);
        assert_eq!(target("/f/a (1).png"), "/f/a%20%281%29.png");
        assert_eq!(extension("audio/wav; rate=24000"), "wav");
    }
}
