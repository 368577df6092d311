//! Which language a text is in: by its script, by the small words and letters of each language, and, where there
//! is enough of it, by its trigrams. One answer for a short question and for a long document.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;
use whatlang::Script as TextScript;

use crate::language::{Language, Languages};
use crate::locale::{Level, Locale, Script};
use crate::phrase::PhraseTable;
use crate::token::{Tokens, words};

/// Characters of a text that are looked at; more do not make it surer.
const SAMPLE: usize = 6_000;
/// Characters whose trigrams are counted.
const TRIGRAM_SAMPLE: usize = 4_000;
/// Letters below which trigrams say nothing reliable.
const ENOUGH: usize = 60;

/// What a text tells of its language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Detection {
    /// The likeliest language; unknown where nothing tells.
    pub language: Language,
    /// Whether script or trigrams are sure of it; small words alone are a guess.
    pub is_reliable: bool,
    /// What small words tell: two for each of the language in the text, one for each letter of its own.
    pub score: usize,
    /// Whether other languages have the same score, and it is only the first.
    pub is_tied: bool,
}

/// The likeliest language of a text; unknown where nothing tells.
#[must_use]
pub fn detect(text: &str) -> Language {
    detect_among(text, Languages::ALL).language
}

/// The language of a text if it is sure: long enough, or in a script that one language alone has.
#[must_use]
pub fn detect_reliably(text: &str) -> Option<Language> {
    Some(by_trigrams(text)?).filter(|language| !language.is_unknown())
}

/// What a text tells of its language, of these.
#[must_use]
pub fn detect_among(text: &str, candidates: Languages) -> Detection {
    detect_by(text, candidates, false)
}

/// The language of the description of a form, of those that have words for one: names of fields and the like tell
/// it, too, and words of one letter, which lists have as numbers, do not. English where nothing tells.
#[must_use]
pub fn detect_form(text: &str) -> Language {
    detect_by(text, Languages::of_level(Level::Full), true).language.or(Language::ENGLISH)
}

fn detect_by(text: &str, candidates: Languages, is_form: bool) -> Detection {
    let end = text.char_indices().nth(SAMPLE).map_or(text.len(), |(at, _)| at);
    let sample = text.get(..end).unwrap_or(text);
    let by_words = SmallWords::count(sample, candidates, is_form);
    let score = by_words.best.0;
    let guess = |language, is_tied| Detection { language, is_reliable: false, score, is_tied };
    let sure =
        by_trigrams(sample).filter(|language| candidates.contains(*language) && !by_words.deny(*language));
    if let Some(language) = sure {
        return Detection { language, is_reliable: true, score, is_tied: false };
    }
    if let Some(language) = by_script(sample).filter(|language| candidates.contains(*language)) {
        return guess(language, false);
    }
    guess(by_words.best.1, by_words.is_tied())
}

/// The language of a greeting at the beginning of a message, or of words with which users speak of themselves: a hint
/// where a message is too short to tell. Of a greeting of several languages (`hej`) the rest of the message decides,
/// else the language that is `likely` otherwise, else the first.
#[must_use]
pub fn detect_greeting(message: &str, likely: Language) -> Option<Language> {
    static GREETINGS: LazyLock<PhraseTable<Language>> = LazyLock::new(|| {
        let of = |language: Language| {
            let words = language.locale().map(|locale| locale.greetings).unwrap_or_default();
            words.iter().map(move |phrase| (phrase, language))
        };
        Language::all().flat_map(of).collect()
    });
    // "I'm" and "im" are told apart by their apostrophe alone.
    if message.trim_start().get(..2).is_some_and(|head| head.eq_ignore_ascii_case("im")) {
        return None;
    }
    let text = Tokens::bounded(message, 6, 200);
    let longest = GREETINGS.length_at(&text, 0);
    let greetings = GREETINGS.all(&text, 0).filter(|found| found.tokens == longest);
    let languages: Languages = greetings.map(|found| found.value).collect();
    let detected = Some(detect_among(message, languages).language).filter(|language| !language.is_unknown());
    detected.or(Some(likely).filter(|likely| languages.contains(*likely))).or_else(|| languages.iter().next())
}

/// The language by script and trigrams (Cavnar and Trenkle, "N-Gram-Based Text Categorization", 1994, as the
/// crate whatlang does it); `None` where it is too short or too mixed.
fn by_trigrams(text: &str) -> Option<Language> {
    let end = text.char_indices().nth(TRIGRAM_SAMPLE).map_or(text.len(), |(end, _)| end);
    let text = text.get(..end)?;
    let is_of_script = !matches!(
        whatlang::detect_script(text)?,
        TextScript::Latin
            | TextScript::Cyrillic
            | TextScript::Arabic
            | TextScript::Devanagari
            | TextScript::Hebrew
    );
    let letters = text.chars().filter(|c| c.is_alphabetic()).take(ENOUGH).count();
    if !is_of_script && letters < ENOUGH {
        return None;
    }
    let info = whatlang::detect(text).filter(|info| is_of_script || info.is_reliable())?;
    Language::from_code(info.lang().code())
}

/// The most frequent language of a text's script where that is not Latin, for texts that are too short for trigrams.
/// Japanese is written in Han, too, and has Kana between.
fn by_script(sample: &str) -> Option<Language> {
    let mut counts: Vec<(Script, usize)> = Vec::new();
    let mut letters = 0_usize;
    let mut buffer = [0; 4];
    for c in sample.chars().filter(|c| c.is_alphabetic()) {
        letters += 1;
        let script = Script::of(c.encode_utf8(&mut buffer));
        match counts.iter_mut().find(|(known, _)| *known == script) {
            Some((_, count)) => *count += 1,
            None => counts.push((script, 1)),
        }
    }
    let count =
        |script: Script| counts.iter().find(|(known, _)| *known == script).map_or(0, |(_, count)| *count);
    let (han, kana) = (count(Script::Han), count(Script::Kana));
    // East Asian signs stand for syllables: a third of the letters tells more than that of an alphabet.
    let script = if (han + kana) * 3 > letters {
        if kana * 10 > han { Script::Kana } else { Script::Han }
    } else {
        counts.iter().find(|(_, count)| *count * 2 > letters)?.0
    };
    let language = script.usual_language();
    (script != Script::Latin && !language.is_unknown()).then_some(language)
}

/// Words in lower case, with the languages that they tell.
type Telling = FxHashMap<&'static str, Languages>;

fn telling<W: Iterator<Item = &'static str>>(words: impl Fn(&'static Locale) -> W) -> Telling {
    let mut telling = Telling::default();
    for (language, locale) in Language::all().filter_map(|language| Some((language, language.locale()?))) {
        for word in words(locale) {
            let known = telling.entry(word).or_default();
            *known = known.with(language);
        }
    }
    telling
}

/// What small words and letters tell of a text.
struct SmallWords {
    /// The score of each language that has small words: two for each of them, one for each letter of its own.
    scores: Vec<(usize, Language)>,
    /// The best; of several the first, and unknown where all are zero.
    best: (usize, Language),
}

impl SmallWords {
    /// With `is_form`, other words of descriptions of forms count one each, and words of one letter nothing.
    fn count(sample: &str, candidates: Languages, is_form: bool) -> Self {
        static SMALL: LazyLock<Telling> =
            LazyLock::new(|| telling(|locale| locale.stop_words.iter().chain(locale.question_words.iter())));
        static OF_FORMS: LazyLock<Telling> =
            LazyLock::new(|| telling(|locale| locale.schema.entries().flat_map(|entry| entry.words.iter())));
        let words = words(sample).map(|word| word.text.to_lowercase());
        let words = words.filter(|word| !is_form || word.chars().nth(1).is_some());
        let (mut letters, mut told): (Vec<char>, Vec<(Languages, Languages)>) = (Vec::new(), Vec::new());
        for word in words {
            letters.extend(word.chars().filter(|c| !c.is_ascii()));
            let languages = |of: &Telling| of.get(word.as_str()).copied().unwrap_or_default();
            told.push((languages(&SMALL), if is_form { languages(&OF_FORMS) } else { Languages::NONE }));
        }
        let mut counted = Self { scores: Vec::new(), best: (0, Language::UNKNOWN) };
        for language in candidates.iter() {
            let has_words =
                |locale: &&Locale| !(locale.stop_words.is_empty() && locale.question_words.is_empty());
            let Some(locale) = language.locale().filter(has_words) else { continue };
            let own = letters.iter().filter(|letter| locale.letters.contains(**letter)).count();
            let words = told.iter().map(|(small, named)| {
                if small.contains(language) { 2 } else { usize::from(named.contains(language)) }
            });
            let score = own + words.sum::<usize>();
            counted.scores.push((score, language));
            if score > counted.best.0 {
                counted.best = (score, language);
            }
        }
        counted
    }

    /// Whether several languages have the best score.
    fn is_tied(&self) -> bool {
        self.best.0 > 0 && self.scores.iter().filter(|(score, _)| *score == self.best.0).count() > 1
    }

    /// Whether another language has more of them, though this one has small words too: trigrams err on names.
    fn deny(&self, language: Language) -> bool {
        self.scores.iter().any(|(score, own)| *own == language && *score < self.best.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_is_enough_to_tell_its_language() {
        for (text, code) in [
            ("When does the contract end?", "en"),
            ("Wann endet der Vertrag?", "de"),
            ("Quand le contrat prend-il fin ?", "fr"),
            ("¿Cuándo termina el contrato?", "es"),
            ("Quando finisce il contratto?", "it"),
            ("Quando é que o contrato termina?", "pt"),
            ("Wanneer eindigt het contract?", "nl"),
            ("Kiedy kończy się umowa?", "pl"),
            ("När slutar avtalet?", "sv"),
            ("Hvornår slutter aftalen?", "da"),
            ("Hva koster avtalen, og når slutter den?", "no"),
            ("Когда заканчивается договор?", "ru"),
            ("合同什么时候结束？", "zh"),
            ("契約はいつ終わりますか。", "ja"),
            ("계약은 언제 끝납니까?", "ko"),
        ] {
            assert_eq!(detect(text).code(), Some(code), "{text}");
        }
        assert_eq!(detect("xyzzy"), Language::UNKNOWN);
        assert_eq!(detect(""), Language::UNKNOWN);
    }

    #[test]
    fn a_document_is_told_reliably_and_a_question_is_not() {
        let german = "Der Vertrag beginnt am ersten Januar und endet mit dem Ablauf des Jahres, wenn er nicht vorher gekündigt wird.";
        let told = detect_among(german, Languages::ALL);
        assert_eq!((told.language.code(), told.is_reliable), (Some("de"), true));
        for (code, text) in [
            (
                "en",
                "The harbour master keeps a list of the ships that arrive in the evening, and of those that leave.",
            ),
            (
                "fr",
                "Le capitaine du port tient une liste des navires qui arrivent le soir et de ceux qui partent.",
            ),
            (
                "es",
                "El capitán del puerto lleva una lista de los barcos que llegan por la tarde y de los que salen.",
            ),
            (
                "ru",
                "Капитан порта ведёт список кораблей, которые приходят вечером, и тех, которые уходят утром. Список висит у входа в контору, и каждый может его прочитать.",
            ),
            ("zh", "港口的负责人记录着每天晚上到达的船只。"),
            ("ja", "港の責任者は、毎晩到着する船の一覧を作っています。"),
            ("ko", "항구의 책임자는 매일 저녁 도착하는 배의 목록을 만든다."),
            ("th", "สัญญาสิ้นสุดเมื่อใด"),
        ] {
            assert_eq!(detect_reliably(text).and_then(Language::code), Some(code), "{text}");
        }
        for text in ["", "Hotel", "Wann endet er?", "12345 67890", "a b c d e f g", "!!!"] {
            assert_eq!(detect_reliably(text), None, "{text}");
        }
    }

    #[test]
    fn small_words_correct_trigrams_that_err_on_names() {
        for (text, code) in [
            (
                "Let's confirm the details. You want to visit Cloverdale Garden Apartments next Thursday.",
                "en",
            ),
            ("Das Viertel gilt traditionell als das Zentrum von Fresnos afroamerikanischer Community", "de"),
        ] {
            assert_eq!(detect(text).code(), Some(code), "{text}");
        }
    }

    fn greeted(text: &str, likely: &str) -> Option<&'static str> {
        detect_greeting(text, Language::from_code(likely).unwrap_or_default()).and_then(Language::code)
    }

    #[test]
    fn a_greeting_tells_a_language() {
        for (text, code) in [
            ("Hello there", "en"),
            ("Guten Tag, zwei Karten", "de"),
            ("J'ai deux enfants", "fr"),
            ("¡Hola!", "es"),
            ("Dzień dobry", "pl"),
            ("Olá, tudo bem", "pt"),
            ("Buongiorno", "it"),
            ("Goedemorgen", "nl"),
            ("Hejsan", "sv"),
        ] {
            assert_eq!(greeted(text, ""), Some(code), "{text}");
        }
        assert_eq!((greeted("42", "en"), greeted("im Mai", "de")), (None, None));
    }

    #[test]
    fn of_a_greeting_of_several_languages_the_message_decides_or_what_is_likely() {
        for (text, likely, code) in [
            ("Hallo", "", "de"),
            ("Hallo", "nl", "nl"),
            ("Hallo", "sv", "de"),
            ("Hallo, ik wil boeken", "de", "nl"),
            ("Hej", "sv", "sv"),
            ("Hej", "pl", "pl"),
            ("Hej, jag heter Anna", "", "sv"),
        ] {
            assert_eq!(greeted(text, likely), Some(code), "{text} {likely}");
        }
    }

    #[test]
    fn a_tie_of_several_languages_is_told() {
        assert!(detect_among("de", Languages::ALL).is_tied);
        assert!(!detect_among("Wann endet der Vertrag?", Languages::ALL).is_tied);
        assert!(!detect_among("xyzzy", Languages::ALL).is_tied);
    }

    #[test]
    fn candidates_bound_the_answer() {
        let of = |code| Language::from_code(code).unwrap();
        let candidates = Languages::from(of("es")).with(of("en"));
        assert_eq!(detect_among("Quando é que o contrato termina?", candidates).language, of("es"));
    }
}
