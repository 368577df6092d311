//! Words by which the parts of a document are told: labels, remarks, captions, the styles of paragraphs. All languages
//! together, since a document may mix that of its text with that of the program that wrote it. Phrases and texts are
//! compared as [`fold_phrase`] writes them.

use crate::fold::fold_phrase;
use crate::keyed_words::keyed_words;

keyed_words! {
    /// What a phrase says of the part of a document that has it.
    LayoutPhrase in layout_words by fold_phrase:
    /// It introduces a remark in running text, and is no label.
    Remark = "remark",
    /// A text that begins with it is no label.
    RemarkStart = "remark_start",
    /// The word for table in captions.
    Caption = "caption",
    /// The header of a column of values.
    ValueHead = "value_head",
    /// The last word of a usual label.
    LabelEnd = "label_end",
    /// An abbreviation that keeps its full stop at the end of a label.
    LabelAbbreviation = "label_abbreviation",
    /// The name of the styles of headings, without their level.
    HeadingStyle = "heading_style",
    /// The name of the style of a title.
    TitleStyle = "title_style",
    /// The name of a style of quotations.
    QuoteStyle = "quote_style",
    /// The name of a style of source code.
    CodeStyle = "code_style",
}

#[cfg(test)]
mod tests {
    use super::LayoutPhrase;
    use crate::fold::fold_phrase;
    use crate::language::Language;

    #[test]
    fn phrases_of_documents_are_known_in_every_complete_language() {
        for (phrase, text) in [
            (LayoutPhrase::Remark, "Bitte"),
            (LayoutPhrase::RemarkStart, "Tabela"),
            (LayoutPhrase::Caption, "Tableau"),
            (LayoutPhrase::ValueHead, "Värden"),
            (LayoutPhrase::LabelEnd, "Telefon"),
            (LayoutPhrase::LabelAbbreviation, "Nr."),
            (LayoutPhrase::HeadingStyle, "Überschrift"),
            (LayoutPhrase::HeadingStyle, "제목"),
            (LayoutPhrase::QuoteStyle, "Citazione intensa"),
        ] {
            assert!(phrase.has(&fold_phrase(text)), "{text}");
        }
        for phrase in LayoutPhrase::ALL {
            let locale = Language::ENGLISH.locale();
            assert!(locale.is_some_and(|locale| locale.layout_words.text(phrase.key()).is_some()));
        }
    }
}
