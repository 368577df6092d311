//! What texts become.

use super::{query_words, terms};

fn of(text: &str, language: Option<&str>) -> Vec<String> {
    let mut all = Vec::new();
    terms(text, language, &mut |term| all.push(term.to_owned()));
    all
}

/// Whether a query finds a text: whether each of its words has a term of it.
fn finds(query: &str, languages: &[&str], text: &str, language: Option<&str>) -> bool {
    let languages: Vec<String> = languages.iter().map(|language| (*language).to_owned()).collect();
    let (words, terms) = (query_words(query, &languages), of(text, language));
    let found = |word: &super::QueryWord| word.terms.iter().any(|term| terms.contains(term));
    !words.is_empty() && words.iter().filter(|word| !word.beside).all(found)
}

#[test]
fn words_are_found_in_their_other_forms() {
    for (language, query, text) in [
        ("en", "connected ovens", "The oven connects to the mains."),
        ("en", "driver", "the drivers\u{2019} cabin and the driver's seat"),
        ("de", "Häuser", "Das Haus am Ufer"),
        ("de", "STRASSE", "die Straße"),
        ("fr", "maisons", "la maison rouge"),
        ("fr", "avion", "l\u{2019}avion d'hier"),
        ("es", "canciones", "una canción"),
        ("it", "acqua", "dell'acqua fresca"),
        ("ru", "книги", "новая книга"),
        ("sv", "flickorna", "flickor"),
        ("tr", "ISPANAK", "ıspanak"),
        ("cs", "žluťoučký kůň", "Žluťoučký kůň."),
    ] {
        assert!(finds(query, &[language], text, Some(language)), "{query} in {text}");
    }
}

#[test]
fn accents_need_not_be_typed() {
    assert!(finds("cafe munchen", &["de"], "Ein Café in München", Some("de")));
    assert!(finds("lodz", &["pl"], "Łódź", Some("pl")));
    assert!(finds("ёлка", &["ru"], "елка", Some("ru")));
    assert!(!finds("ma", &["vi"], "mà", Some("vi")), "Vietnamese words differ by their tones alone");
    assert!(finds("CAF\u{c9}", &["fr"], "cafe\u{301}", Some("fr")), "however they are written");
}

#[test]
fn a_word_is_looked_for_in_each_language_of_the_base() {
    let both = ["en", "de"];
    assert!(finds("running", &both, "he runs", Some("en")));
    assert!(finds("laufend", &both, "laufende Kosten", Some("de")));
    assert!(finds("Häuser", &both, "Häuser", None), "of a text whose language is not known");
    assert_eq!(query_words("house", &["en".into(), "en".into(), "de".into()]).len(), 1);
    let words = query_words("houses", &["en".into(), "de".into(), "fr".into()]);
    assert_eq!((words.len(), words[0].weight), (1, 1.0));
    assert!(words[0].terms.contains(&"hous".to_owned()));
}

#[test]
fn scripts_without_spaces_are_found_inside_of_longer_runs() {
    for (query, text) in [
        ("图书馆", "他们在城市的图书馆里看书。"),
        ("书", "图书馆"),
        ("東京タワー", "昨日は東京タワーに登りました。"),
        ("タワー", "東京タワーの高さ"),
        ("서울", "서울에서 부산까지"),
        ("집", "집에서 일한다"),
        ("ห้องสมุด", "ฉันไปห้องสมุดทุกวัน"),
        ("ຫໍສະໝຸດ", "ຂ້ອຍໄປຫໍສະໝຸດທຸກມື້"),
        ("បណ្ណាល័យ", "ខ្ញុំទៅបណ្ណាល័យរាល់ថ្ងៃ"),
        ("စာကြည့်တိုက်", "ကျွန်တော်စာကြည့်တိုက်သွားတယ်"),
        ("ＡＢＣ株式会社", "abc株式会社の製品"),
        ("iPhone手机", "新的iPhone手机壳"),
    ] {
        assert!(finds(query, &[], text, None), "{query} in {text}");
    }
    assert!(!finds("図鑑", &[], "図書と年鑑", None), "the characters alone are not the word");
}

#[test]
fn numbers_and_identifiers_are_found_whole_and_by_their_parts() {
    let text = "Order AB-1234.5 of 2024-03-15 for 1,250.75 EUR, by jane.doe@example.com: see \
                https://www.example.com/kilns/7 (getUserName, max_retry_count, v2.10.3, ISO9001, C++ and C).";
    for query in [
        "AB-1234.5",
        "ab1234.5",
        "1234",
        "AB 1234",
        "2024-03-15",
        "2024",
        "1250.75",
        "1.250,75",
        "jane.doe@example.com",
        "jane",
        "doe",
        "example.com",
        "https://www.example.com/kilns/7",
        "kiln",
        "getUserName",
        "getusername",
        "user name",
        "max_retry_count",
        "retry count",
        "v2.10.3",
        "ISO 9001",
        "iso9001",
        "C++",
    ] {
        assert!(finds(query, &["en"], text, Some("en")), "{query}");
    }
    assert!(!finds("C++", &["en"], "vitamin C", Some("en")));
    assert!(finds("email", &["en"], "by e-mail", Some("en")));
    assert!(finds("1234", &["en"], "1,234 pieces", Some("en")));
    assert!(finds("٣٤", &["ar"], "34", Some("ar")));
}

#[test]
fn words_that_only_ask_count_little() {
    let weight = |query: &str, languages: &[&str], word: &str| {
        let languages: Vec<String> = languages.iter().map(|language| (*language).to_owned()).collect();
        let words = query_words(query, &languages);
        words.iter().find(|known| known.terms.iter().any(|term| term == word)).map(|known| known.weight)
    };
    assert!(
        weight("What does the kiln burn?", &["en"], "what")
            < weight("What does the kiln burn?", &["en"], "kiln")
    );
    assert_eq!(weight("causes of the war", &["en", "de"], "war"), Some(1.0), "an English query");
    assert_eq!(weight("wer war der Maler", &["en", "de"], "war"), Some(0.1), "a German one");
    assert_eq!(weight("what is what", &["en"], "what"), Some(2.0), "there is nothing else");
    assert_eq!(weight("kiln kiln oven", &["en"], "kiln"), Some(2.0), "repetition counts");
}

#[test]
fn nothing_that_is_written_is_too_much() {
    assert_eq!(of("", None), [""; 0]);
    assert_eq!(of(" \u{200b}\u{ad}!?…— \u{301}", None).len(), 1, "an accent that stands alone");
    let long = of(&"ж".repeat(100_000), Some("ru"));
    assert!(long.len() == 1 && long[0].chars().count() <= 64);
    assert_eq!(of(&"a b ".repeat(100_000), None).len(), super::MAX_TERMS);
    assert!(of(&"a-".repeat(50_000), None).iter().all(|term| term.len() <= 256));
    assert!(
        of(&"\u{fdfa}\u{0}\u{10ffff}".repeat(1000), Some("zz-unknown")).iter().all(|term| !term.is_empty())
    );
    assert!(query_words(&"x1 y2 ".repeat(50_000), &vec!["en".to_owned(); 500]).len() <= 1024);
}
