//! Phrases of web pages around their content: headings, controls, links. All languages together, since a page mixes
//! that of its text with that of its software. Phrases and texts are compared as
//! [`fold_phrase`] writes them.

use crate::fold::fold_phrase;
use crate::keyed_words::keyed_words;

keyed_words! {
    /// What a phrase on a page says of the element that has it.
    PagePhrase in page_words by fold_phrase:
    /// The heading of a section about other pages, or of comments.
    Related = "related",
    /// The beginning of such a heading.
    RelatedStart = "related_start",
    /// The heading of a list of pages. On a page that lists pages it is content.
    Listing = "listing",
    /// The heading of a product's reviews.
    Review = "review",
    /// The text of a button or a link that does something.
    Control = "control",
    /// The text of a control of one message in a forum.
    MessageControl = "message_control",
    /// The beginning of a note that the software of a forum adds to a message.
    ForumNoticeStart = "forum_notice_start",
    /// The end of a line that states the reading time, behind the number.
    ReadingTime = "reading_time",
    /// The text of a link that does not describe its target.
    Link = "link",
    /// The text of a link to a login, terms and the like.
    SiteLink = "site_link",
    /// A word of picture credits.
    PictureCredit = "picture_credit",
}

impl PagePhrase {
    /// Whether a folded text begins with one of these phrases.
    #[must_use]
    pub fn begins(self, folded: &str) -> bool {
        let is_end = |rest: &str| rest.is_empty() || rest.starts_with(' ');
        self.words().any(|phrase| folded.strip_prefix(phrase).is_some_and(is_end))
    }

    /// The text before one of these phrases at the end of a folded text.
    #[must_use]
    pub fn before_end(self, folded: &str) -> Option<&str> {
        self.words().find_map(|phrase| folded.strip_suffix(phrase)).map(str::trim_end)
    }
}

#[cfg(test)]
mod tests {
    use super::PagePhrase;
    use crate::fold::fold_phrase;
    use crate::language::Language;

    #[test]
    fn phrases_of_pages_are_known_in_every_complete_language() {
        for (phrase, text) in [
            (PagePhrase::Related, "Das könnte Sie auch interessieren"),
            (PagePhrase::Control, "Leer más"),
            (PagePhrase::Review, "Opinie klientów"),
            (PagePhrase::PictureCredit, "Källa"),
            (PagePhrase::Link, "Lees verder"),
        ] {
            assert!(phrase.has(&fold_phrase(text)), "{text}");
        }
        assert!(PagePhrase::RelatedStart.begins(&fold_phrase("Lascia un commento qui")));
        assert_eq!(PagePhrase::ReadingTime.before_end(&fold_phrase("5 min de lecture")), Some("5"));
        assert!(!PagePhrase::Related.has("forum"));
        assert!(!PagePhrase::RelatedStart.begins("more information"));
    }

    #[test]
    fn every_phrase_has_a_key_in_english() {
        for phrase in PagePhrase::ALL {
            let locale = Language::ENGLISH.locale();
            assert!(locale.is_some_and(|locale| locale.page_words.text(phrase.key()).is_some()));
        }
    }
}
