//! What it says, and how.

use futures_util::{FutureExt as _, StreamExt as _};
use gen_core::{ChatEvent, ChatRequest, Fault, Finish, Part, Role, StreamingChatModel as _};
use rules_engine::Extractive;
use rules_engine::answer;

use crate::{ask, document, request, say};

const LEASE: &str = "# Lease\n\nThe lease of the workshop starts on 1 May 2031. The lease ends on 30 April 2034.\n\nThe rent is £900 a month.\n";

#[test]
fn an_answer_is_the_documents_own_sentence_with_its_number() {
    assert_eq!(
        ask(&["Nothing of use here, but roses.", LEASE], "What is the rent?"),
        "The rent is £900 a month. [2]"
    );
}

#[test]
fn a_follow_up_takes_its_subject_from_the_question_before() {
    let messages = vec![
        say(
            Role::User,
            vec![document("lease", LEASE), Part::Text("When does the lease of the workshop start?".into())],
        ),
        say(Role::Assistant, vec![Part::Text("On 1 May 2031. [1]".into())]),
        say(Role::User, vec![Part::Text("And when does it end?".into())]),
    ];
    let said = answer(&ChatRequest { messages, ..ChatRequest::default() }).unwrap().text;
    assert_eq!(said, "The lease ends on 30 April 2034. [1]");
}

#[test]
fn it_says_in_the_language_of_the_question_that_there_is_no_answer() {
    for (question, said) in [
        ("What is the colour of the door?", "do not answer"),
        ("Welche Farbe hat die Haustür?", "beantworten diese Frage nicht"),
        ("Quelle est la couleur de la porte ?", "ne répondent pas"),
        ("¿De qué color es la puerta?", "no responden"),
        ("Di che colore è la porta?", "non rispondono"),
        ("Qual é a cor da porta?", "não respondem"),
        ("Welke kleur heeft de deur?", "beantwoorden deze vraag niet"),
        ("Jaki kolor mają drzwi?", "nie odpowiadają"),
    ] {
        let answer = ask(&[LEASE], question);
        assert!(answer.contains(said) && !answer.contains('['), "{question}: {answer}");
    }
}

#[test]
fn without_documents_it_says_what_it_can_do() {
    assert!(ask(&[], "Who was the first to fly?").contains("answers questions from given documents"));
    assert!(ask(&[], "Wer ist das?").contains("beantwortet Fragen"));
}

#[test]
fn pictures_and_speech_are_refused_by_name() {
    for (prompt, named) in [("Draw a picture of a cat", "images"), ("Read this aloud, please", "speech")] {
        let error = answer(&request(&[LEASE], prompt)).unwrap_err();
        assert_eq!(error.fault, Fault::Unsupported);
        assert!(error.to_string().contains(named), "{error}");
    }
}

#[test]
fn a_summary_quotes_sentences_in_their_order_and_does_not_repeat_itself() {
    let text = "The Marl river flooded the lower town on Monday night. Water stood two metres high in Mill Lane. \
        On Monday night the Marl river flooded the lower town. The mayor asked residents to leave the lower town. \
        A bakery sold bread from a boat. Engineers say the dam held the river back for six hours. \
        The river is expected to fall by Friday. Volunteers cooked soup.";
    let summary = ask(&[text], "Summarise this in three sentences");
    let sentences: Vec<&str> = summary.split(" [1]").map(str::trim).filter(|one| !one.is_empty()).collect();
    assert_eq!(sentences.len(), 3, "{summary}");
    let places: Vec<usize> = sentences.iter().map(|one| text.find(one).unwrap()).collect();
    assert!(places.is_sorted(), "{summary}");
    assert_eq!(summary.matches("Monday night").count(), 1, "{summary}");
}

#[test]
fn a_prompt_that_asks_nothing_gives_a_summary() {
    assert!(ask(&[LEASE], "").contains("[1]"));
    assert!(ask(&[LEASE], "Worum geht es hier?").contains("[1]"));
    assert!(ask(&[""], "Summarise").contains("no text"));
}

#[test]
fn rows_of_tables_are_quoted_with_the_heads_of_their_columns() {
    let text = "| Board | Price | Stock |\n|---|---|---|\n| Oak | 12.50 | 8 |\n| Ash | 9.80 | 0 |\n";
    assert_eq!(ask(&[text], "How much does ash cost?"), "Board: Ash, Price: 9.80, Stock: 0 [1]");
}

#[test]
fn numbers_in_brackets_of_a_document_are_no_citations() {
    let answer = ask(&["The bridge [7] was opened in 1931 by the mayor."], "When was the bridge opened?");
    assert_eq!(answer, "The bridge \\[7] was opened in 1931 by the mayor. [1]");
}

#[test]
fn the_stream_gives_the_same_text_and_usage() {
    let question = request(&[LEASE], "Summarise the lease");
    let whole = answer(&question).unwrap();
    let events = Extractive.stream(question).now_or_never().unwrap().unwrap();
    let events: Vec<ChatEvent> = events.map(Result::unwrap).collect().now_or_never().unwrap();
    let (mut text, mut pieces, mut end) = (String::new(), 0, None);
    for event in events {
        match event {
            ChatEvent::ToolCall(_) => panic!("the built-in model calls no tool"),
            ChatEvent::Text(piece) => {
                assert!(end.is_none() && !piece.is_empty());
                text.push_str(&piece);
                pieces += 1;
            }
            ChatEvent::End { usage, finish, .. } => end = Some((usage, finish)),
        }
    }
    assert_eq!(text, whole.text);
    assert!(pieces > 1);
    assert_eq!(end, Some((whole.usage, whole.finish)));
}

#[test]
fn the_limit_of_tokens_cuts_whole_sentences() {
    let mut question = request(&[LEASE], "Summarise the lease");
    let whole = answer(&question).unwrap();
    question.max_tokens = Some(u32::try_from(whole.usage.output_tokens).unwrap() - 1);
    let short = answer(&question).unwrap();
    assert_eq!(short.finish, Finish::Length);
    assert!(whole.text.starts_with(&short.text) && short.text.ends_with("[1]"), "{}", short.text);
}

#[test]
fn random_unicode_does_no_harm() {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = move |below: u32| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        u32::try_from(state % u64::from(below)).unwrap()
    };
    let pieces = [
        "# ", "| ", "|", "- ", "\n", "\n\n", ". ", "? ", ":", "```", "**", "1. ", "[1]", "ß", "İ",
        "e\u{301}", "東", "\u{202e}", "\u{0}", "When ", "12.5", "the ", "\t", "   ",
    ];
    for _ in 0..400 {
        let mut text = |length| {
            (0..length)
                .map(|_| match next(3) {
                    0 => char::from_u32(next(0x11_0000)).map(String::from).unwrap_or_default(),
                    _ => pieces[next(u32::try_from(pieces.len()).unwrap()) as usize].to_owned(),
                })
                .collect::<String>()
        };
        let (one, two, prompt) = (text(200), text(20), text(15));
        for prompt in [prompt.as_str(), "When is the 東 12.5?", "Summarise"] {
            // A prompt may order a picture by chance; nothing else may fail.
            if let Err(error) = answer(&request(&[&one, &two], prompt)) {
                assert_eq!(error.fault, Fault::Unsupported);
            }
        }
    }
}

#[test]
fn long_texts_of_one_kind_do_no_harm() {
    for piece in [
        "a",
        "a\n",
        "a. ",
        "When? ",
        "# a\n",
        "| a ",
        "| a | b |\n",
        "|---|\n",
        "- a\n",
        "東",
        "東。",
        "[1] ",
        "```\n",
        "a:\n",
        "A b c   d e f   g h i\n",
        "...",
        "( ",
        "9",
        "Dr. ",
        "**a**\n",
        "a\n\n",
        "The kettle holds water. ",
    ] {
        let long = piece.repeat(60_000 / piece.len());
        for prompt in ["How much water does the kettle hold?", "Summarise", "a b c"] {
            assert!(!ask(&[&long], prompt).is_empty(), "{piece:?}");
        }
    }
}
