//! Warnings on pages of a document that were neither read nor seen.

use forms_core::PictureReport;
use serde_json::{Value, json};

use crate::model::{SourceDocument, UnseenSourcePages};

impl SourceDocument {
    /// Warnings as JSON: `pages_not_read` for pages whose text was neither read nor seen, `pages_not_seen` for each reason
    /// why pages were not seen.
    #[must_use]
    pub fn warnings(&self) -> Vec<Value> {
        let unread = document::unread_pages_notice(&self.unread)
            .map(|notice| self.warning("pages_not_read", &notice, &self.unread));
        let unseen = self.unseen.iter().map(|unseen| {
            let mut warning =
                self.warning("pages_not_seen", &unseen.reason.notice(&unseen.pages), &unseen.pages);
            warning["reason"] = json!(unseen.reason.id());
            warning
        });
        unread.into_iter().chain(unseen).collect()
    }

    fn warning(&self, code: &str, notice: &str, pages: &[u32]) -> Value {
        let (index, file) = self.named.clone().unzip();
        json!({
            "code": code,
            "message": format!("'{}': {notice}", self.name),
            "document": self.name,
            "file": file,
            "index": index,
            "pages": pages
        })
    }

    /// Takes over which of its pages the model saw. `document` is its index in the report.
    pub(crate) fn note_pictures(&mut self, document: usize, report: &PictureReport) {
        let seen = report.seen.iter().filter(|seen| seen.document == document);
        let seen: Vec<u32> = seen.flat_map(|seen| seen.pages.iter().copied()).collect();
        self.unread.retain(|page| !seen.contains(page));
        let unseen = report.unseen.iter().filter(|unseen| unseen.document == document);
        self.unseen = unseen
            .map(|unseen| UnseenSourcePages { reason: unseen.reason, pages: unseen.pages.clone() })
            .collect();
    }
}
