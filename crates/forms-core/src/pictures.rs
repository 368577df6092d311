//! Pictures of pages for models that see: the port that draws them, the options, and the report of what was shown.

use std::fmt;

use async_trait::async_trait;
use document::{PageNumbers, RenderSize, unread_pages_notice};
use gen_core::Media;
use serde::{Deserialize, Serialize};
use shared_core::BoxError;

/// The size of the picture of a page: 1,568 pixels of the longer side, above which Anthropic scales pictures down (its
/// documentation of vision). OpenAI and Google divide a page of this size into about six tiles.
pub const PICTURE_SIZE: RenderSize = RenderSize::LongSide(PICTURE_SIDE);
/// Pixels of the longer side of [`PICTURE_SIZE`].
pub(crate) const PICTURE_SIDE: u32 = 1_568;

/// Draws the pages of the documents of one group.
#[async_trait]
pub trait PagePictures: fmt::Debug + Send + Sync {
    /// Page `page` (from 1) of the document with index `document` among the documents of the request, of a type in
    /// [`gen_core::PICTURE_TYPES`] and about as large as [`PICTURE_SIZE`]. The implementation bounds the time and the
    /// memory. Dropping the future cancels the work.
    async fn picture(&self, document: usize, page: u32) -> Result<Media, BoxError>;

    /// Width and height of a page in points, for one whose document has no size of it; `None` when it is not known.
    async fn page_size(&self, document: usize, page: u32) -> Option<(f32, f32)> {
        let _ = (document, page);
        None
    }
}

/// When models get pictures of pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PicturePolicy {
    /// For pages whose text is missing or doubtful, or that have more than text.
    #[default]
    Auto,
    /// No page is shown.
    Never,
}

/// Which pictures models get.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PictureOptions {
    /// When.
    pub policy: PicturePolicy,
    /// Pictures in one call at most; fewer where the model's context window is small.
    pub per_call: usize,
    /// Pages of one group at most. Where the form is asked for in parts, each part has them.
    pub per_group: usize,
    /// Input tokens of all pictures of a group at most, as vendors count them; zero for no bound.
    pub tokens_per_group: u64,
}

impl Default for PictureOptions {
    fn default() -> Self {
        // Eight pictures are as many tokens as a prompt has of text (`gen_core::PICTURE_TOKENS`, decision 12), and the
        // most that Mistral takes in a request (its documentation of vision). Pages of a group: chosen by hand; no
        // measurement is recorded.
        Self { policy: PicturePolicy::default(), per_call: 8, per_group: 64, tokens_per_group: 0 }
    }
}

impl PictureOptions {
    /// The options as text; empty for the defaults.
    pub(crate) fn text(&self) -> String {
        let usual = Self::default();
        match self.policy {
            PicturePolicy::Never => "pictures=never".to_owned(),
            PicturePolicy::Auto if *self == usual => String::new(),
            PicturePolicy::Auto => {
                let most = match self.tokens_per_group {
                    0 => String::new(),
                    tokens => format!(" of {tokens} tokens"),
                };
                format!("pictures={} of {}{most}", self.per_call, self.per_group)
            }
        }
    }
}

/// Which pages were shown as pictures, and which should have been.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PictureReport {
    /// Pages that the model saw.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seen: Vec<SeenPages>,
    /// Pages that it did not see. Where the model takes no pictures, only those without text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unseen: Vec<UnseenPages>,
}

impl PictureReport {
    /// Sentences on pages of a document that were neither read nor seen, without its name. `unread`: the pages with text
    /// that was not read.
    #[must_use]
    pub fn notices(&self, document: usize, mut unread: Vec<u32>) -> Vec<String> {
        let seen =
            |page: &u32| self.seen.iter().any(|own| own.document == document && own.pages.contains(page));
        unread.retain(|page| !seen(page));
        let unseen = self.unseen.iter().filter(|unseen| unseen.document == document);
        let told = unseen.map(|unseen| unseen.reason.notice(&unseen.pages));
        unread_pages_notice(&unread).into_iter().chain(told).collect()
    }
}

/// Pages of a document that the model saw.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeenPages {
    /// Index of the document among those of the request.
    pub document: usize,
    /// Page numbers, ascending.
    pub pages: Vec<u32>,
}

/// Pages of a document that the model did not see.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnseenPages {
    /// Index of the document among those of the request.
    pub document: usize,
    /// Why.
    pub reason: UnseenReason,
    /// Page numbers, ascending.
    pub pages: Vec<u32>,
}

/// Why a page was not shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum UnseenReason {
    /// The model takes no pictures.
    Model,
    /// The group has more pages than may be shown, or their pictures more tokens.
    Limit,
    /// The page could not be drawn, or its picture is too large.
    Failed,
}

impl UnseenReason {
    /// The name in answers.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Self::Model => "model",
            Self::Limit => "limit",
            Self::Failed => "failed",
        }
    }

    /// A sentence on pages with these numbers, ascending, without the name of their document.
    #[must_use]
    pub fn notice(self, pages: &[u32]) -> String {
        let was = if pages.len() == 1 { "was" } else { "were" };
        let pages = PageNumbers(pages.to_vec());
        match self {
            Self::Model => format!("{pages} {was} not seen: the model takes no pictures"),
            Self::Limit => {
                format!(
                    "{pages} {was} not seen: at most extraction.pictures_per_group pages are shown at a time, and \
                     extraction.picture_tokens_per_group may bound their tokens"
                )
            }
            Self::Failed => {
                format!(
                    "{pages} {was} not seen: no picture could be drawn, or it was too large for the model"
                )
            }
        }
    }
}
