//! A locale: what is known of one language. The texts are those of `locales/<code>.toml`, made constants by the
//! build script; nothing here is parsed or indexed before it is asked for.

use rust_stemmers::Algorithm;

include!(concat!(env!("OUT_DIR"), "/locales.rs"));

/// How many locales there are.
pub(crate) const COUNT: usize = LOCALES.len();

/// How complete a locale is; each level has all of those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// A language that is told apart, stemmed, and searched in; with what else happens to be known of it.
    Search,
    /// Documents in it are read: numbers, dates, money, units, names.
    Document,
    /// Conversations are held in it, too.
    Full,
}

/// The script that a language is mostly written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Script {
    Latin,
    Cyrillic,
    Greek,
    Arabic,
    Hebrew,
    Tamil,
    Han,
    Kana,
    Hangul,
    Other,
}

/// What is known of one language. Its fields say what each key of a locale file is for; a list that a
/// language has no words for is empty.
#[derive(Debug)]
#[non_exhaustive]
pub struct Locale {
    /// ISO 639-1.
    pub code: &'static str,
    /// Other codes of it, or of its varieties.
    pub aliases: Words,
    /// What it calls itself.
    pub name: &'static str,
    /// ISO 639-3; of a macrolanguage its largest member.
    pub iso639_3: &'static str,
    /// How complete it is.
    pub level: Level,
    /// Its script.
    pub script: Script,
    /// Its stemmer of the Snowball family.
    pub stemmer: Option<Algorithm>,
    /// Endings of its inflection, folded, longest first, where it has no stemmer.
    pub stem_endings: Words,
    /// Words whose ending belongs to them: `parking` is not to `park`.
    pub stem_exceptions: Words,
    /// Whether compounds are written as one word.
    pub compounds: bool,
    /// Whether every noun begins with a capital.
    pub capital_nouns: bool,
    /// Whether a noun stands before its attributes.
    pub noun_first: bool,
    /// Whether accents alone tell its words apart, so that search keeps them.
    pub keeps_accents: bool,
    /// How letters are written where only ASCII may stand, each before what stands for it: `ä ae`.
    pub transliteration: Words,
    /// Whether days of a month are told by cardinal numbers: `le 4`, and not `the 4th`.
    pub cardinal_days: bool,
    /// Whether hours are told by ordinal numbers.
    pub ordinal_hours: bool,
    /// Whether it is the most frequent language of its script.
    pub usual_of_script: bool,
    /// Whether a beginning of three letters or more may stand for a month.
    pub cut_months: bool,
    /// Letters that few other languages have.
    pub letters: &'static str,
    /// Words that deny.
    pub negation: Words,
    /// Words that join.
    pub and: Words,
    /// Words that join alternatives.
    pub or: Words,
    /// Articles.
    pub articles: Words,
    /// Words for a minus sign.
    pub minus: Words,
    /// Words before a range.
    pub between: Words,
    /// Words between the two ends of a range.
    pub range: Words,
    /// Words before a range that tell a change: `from 3 to 5`.
    pub range_from: Words,
    /// Articles and pronouns that an apostrophe joins to the next word.
    pub elisions: Words,
    /// What an ordinal number in digits with a full stop goes on with, beside months.
    pub after_ordinals: Words,
    /// Words within a number in words: `two hundred and six`.
    pub number_joints: Words,
    /// What follows the digits of an ordinal number.
    pub ordinal_suffixes: Words,
    /// What may stand between the day, the month and the year of a date.
    pub date_links: Words,
    /// What makes a day of an ordinal number: `on the 3rd`.
    pub date_leads: Words,
    /// Marks of sums that are taken from an account.
    pub debit: Words,
    /// Marks of sums that are added to one.
    pub credit: Words,
    /// Texts that say that there is no value.
    pub absence: Words,
    /// Where there is no value: `in the document`.
    pub absence_places: Words,
    /// Words for a copy, and for what it is a copy of.
    pub copies: Words,
    /// Words beside the number of a page.
    pub pages: Words,
    /// Abbreviations whose full stop ends no sentence.
    pub abbreviations: Words,
    /// Titles of people.
    pub titles: Words,
    /// Words that a letter begins with.
    pub salutations: Words,
    /// What a message begins with in this language alone.
    pub greetings: Words,
    /// Legal forms of companies.
    pub company_suffixes: Words,
    /// Names of the number of a payment card; a name of several words is one that has all of them.
    pub card_numbers: Words,
    /// Words that carry no meaning in a label.
    pub label_fillers: Words,
    /// Small words that carry no meaning of their own.
    pub stop_words: Words,
    /// Words that make a question of others, with auxiliary verbs.
    pub question_words: Words,
    /// `true` and `false` as words.
    pub booleans: Section,
    /// Names and abbreviations of months, 1 to 12.
    pub months: Section,
    /// Names and abbreviations of weekdays, 1 (Monday) to 7.
    pub weekdays: Section,
    /// Numbers in words.
    pub number_words: Section,
    /// Ordinal numbers in words; -1 is the last.
    pub ordinals: Section,
    /// Words that multiply a number in digits: powers of ten.
    pub multiples: Section,
    /// The same beside a currency alone.
    pub money_multiples: Section,
    /// Words that multiply and name a currency at once.
    pub currency_multiples: Section,
    /// Words that multiply a number in words, or in speech alone, beside `multiples`.
    pub spoken_multiples: Section,
    /// Words for days by their distance from today.
    pub relative_days: Section,
    /// Words of dates that are relative to today.
    pub date_words: Section,
    /// Parts of the day, by the hour from which a clock of twelve hours counts.
    pub dayparts: Section,
    /// Times of day with a name, by their hour.
    pub clock_times: Section,
    /// Words of times of day.
    pub time_words: Section,
    /// Words for currencies, by ISO 4217.
    pub currency_words: Section,
    /// Words for units, by symbol.
    pub units: Section,
    /// Words of labels of business documents, by concept.
    pub labels: Section,
    /// Words that carry two concepts, by both of them.
    pub label_compounds: Section,
    /// Words beside the sums of a document.
    pub sum_words: Section,
    /// Words by which labels, captions and the styles of paragraphs are told in documents.
    pub layout_words: Section,
    /// Words of the names of businesses and places, and what is no name.
    pub name_words: Section,
    /// Phrases of web pages around their content.
    pub page_words: Section,
    /// Words around the parties and terms of a contract.
    pub contract: Section,
    /// What a question begins with, refers to, and says beside its subject.
    pub questions: Section,
    /// Starts and parts of questions, by the type of their answer.
    pub answer_types: Section,
    /// What a prompt asks for.
    pub intents: Section,
    /// Words that need others beside them, by their part of speech, and endings.
    pub grammar: Section,
    /// Beginnings of words of one meaning, by meaning.
    pub meanings: Section,
    /// Words of an answer of a type.
    pub answer_signs: Section,
    /// What people say beside values in a conversation, by act or by what it is about.
    pub cues: Section,
    /// The sentences of the guided conversation, with `{places}`.
    pub replies: Section,
    /// Words of descriptions from which a form is made, by what they say of it.
    pub schema: Section,
    /// The forms of common kinds: their names and their fields.
    pub forms: Section,
    /// What a sample document of a form says: of each kind a text for each field, in their order.
    pub samples: Section,
}

/// Words and phrases in their order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Words(pub(crate) &'static str);

impl Words {
    /// Each of them, as the locale file has it.
    pub fn iter(self) -> impl Iterator<Item = &'static str> {
        self.0.split(',').filter(|word| !word.is_empty())
    }

    /// Whether one of them is exactly this; a walk over all.
    #[must_use]
    pub fn contains(self, word: &str) -> bool {
        self.iter().any(|known| known == word)
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0.is_empty()
    }
}

/// A table of a locale: lists of words by key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Section(pub(crate) &'static str);

/// A line of a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The key in its section.
    pub key: &'static str,
    /// The key in the table under that key; empty where there is none.
    pub subkey: &'static str,
    /// The words.
    pub words: Words,
}

impl Section {
    /// Its lines in the order of the file.
    pub fn entries(self) -> impl Iterator<Item = Entry> {
        self.0.lines().filter_map(|line| {
            let (key, rest) = line.split_once('\t')?;
            let (subkey, words) = rest.split_once('\t').unwrap_or(("", rest));
            Some(Entry { key, subkey, words: Words(words) })
        })
    }

    /// The entries whose keys are numbers.
    pub fn numbered(self) -> impl Iterator<Item = (i64, Words)> {
        self.entries().filter_map(|entry| Some((entry.key.parse().ok()?, entry.words)))
    }

    /// The words of a key; none for a key that is not there.
    #[must_use]
    pub fn words(self, key: &str) -> Words {
        Words(self.text(key).unwrap_or_default())
    }

    /// The texts of a key, in their order.
    pub fn texts(self, key: &str) -> impl Iterator<Item = &'static str> {
        self.0.lines().filter_map(move |line| line.strip_prefix(key)?.strip_prefix('\t'))
    }

    /// The text of a key, the first if there are several.
    #[must_use]
    pub fn text(self, key: &str) -> Option<&'static str> {
        self.texts(key).next()
    }
}
