//! The words of days, by language.

use rustc_hash::FxHashSet;

use crate::fold::fold_word;
use crate::language::Language;
use crate::locale::{Locale, Section, Words};
use crate::per_locale::PerLocale;
use crate::phrase::PhraseTable;

/// The words of days of one language.
pub(super) struct Vocabulary {
    pub(super) months: PhraseTable<i64>,
    pub(super) weekdays: PhraseTable<i64>,
    pub(super) relative_days: PhraseTable<i64>,
    pub(super) ordinals: PhraseTable<i64>,
    pub(super) this: PhraseTable<()>,
    pub(super) next: PhraseTable<()>,
    pub(super) last: PhraseTable<()>,
    pub(super) this_week: PhraseTable<()>,
    pub(super) next_week: PhraseTable<()>,
    pub(super) this_month: PhraseTable<()>,
    pub(super) next_month: PhraseTable<()>,
    pub(super) weekend: PhraseTable<()>,
    /// Days of a unit.
    pub(super) units: PhraseTable<i64>,
    pub(super) ago: PhraseTable<()>,
    pub(super) from_now: PhraseTable<()>,
    pub(super) within: PhraseTable<()>,
    pub(super) of: Set,
    pub(super) before_year: Set,
    pub(super) articles: Set,
    pub(super) leads: Set,
    pub(super) small: Set,
    pub(super) cardinal_days: bool,
}

type Set = FxHashSet<String>;

fn set(words: Words) -> Set {
    words.iter().map(fold_word).collect()
}

fn phrases(words: Words) -> PhraseTable<()> {
    words.iter().map(|phrase| (phrase, ())).collect()
}

fn numbered(section: Section) -> PhraseTable<i64> {
    let mut table = PhraseTable::default();
    section.numbered().for_each(|(number, words)| table.extend(words, number));
    table
}

/// A month and a year as days, for what lies so far ahead or behind.
const UNITS: [(&str, i64); 4] = [("unit_day", 1), ("unit_week", 7), ("unit_month", 30), ("unit_year", 365)];

impl Vocabulary {
    fn new(locale: &'static Locale) -> Self {
        let words = |key: &str| locale.date_words.words(key);
        let mut units = PhraseTable::default();
        UNITS.iter().for_each(|(key, days)| units.extend(words(key), *days));
        Self {
            months: numbered(locale.months),
            weekdays: numbered(locale.weekdays),
            relative_days: numbered(locale.relative_days),
            ordinals: numbered(locale.ordinals),
            this: phrases(words("this")),
            next: phrases(words("next")),
            last: phrases(words("last")),
            this_week: phrases(words("this_week")),
            next_week: phrases(words("next_week")),
            this_month: phrases(words("this_month")),
            next_month: phrases(words("next_month")),
            weekend: phrases(words("weekend")),
            units,
            ago: phrases(words("ago")),
            from_now: phrases(words("from_now")),
            within: phrases(words("within")),
            of: set(words("of")),
            before_year: set(words("before_year")),
            articles: set(words("article")),
            leads: set(locale.date_leads),
            small: set(locale.stop_words).into_iter().chain(set(locale.cues.words("break"))).collect(),
            cardinal_days: locale.cardinal_days,
        }
    }
}

/// The words of a language; `None` where it has no names of months.
pub(super) fn vocabulary(language: Language) -> Option<&'static Vocabulary> {
    static VOCABULARIES: PerLocale<Vocabulary> = PerLocale::new();
    VOCABULARIES.get(language, Vocabulary::new).filter(|words| !words.months.is_empty())
}
