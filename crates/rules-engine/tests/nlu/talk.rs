//! Small exchanges as people have them, in several languages.

use serde_json::{Value, json};

use crate::forms::{claim, doctor, hotel};
use crate::{Talk, all_state};
use agents_core::chat::ActType;

#[test]
fn small_talk_fills_nothing_whatever_is_asked() {
    let talks: Vec<Talk> =
        ["/guest_name", "/city", "/check_in", "/adults", "/room_type", "/special_requests"]
            .iter()
            .map(|path| Talk::of(&hotel()).asked(path).with(json!({"phone": "1"})))
            .collect();
    let messages = [
        "ok",
        "Great, thanks!",
        "hello there",
        "That sounds good",
        "hmm",
        "let me think",
        "one second please",
        "Perfect.",
        "I'm not sure",
        "what?",
        "can you help me?",
        "I have a question",
        "how are you?",
        "who are you?",
        "is that all?",
        "thank you very much",
        "that works for me",
        "are you a robot?",
        "What do you mean by that?",
        "go on",
        "I would like to make a booking",
        "Could you please wait a moment?",
        "is it expensive?",
        "do you accept dogs?",
        "danke",
        "Moment bitte",
        "was kostet das?",
        "merci beaucoup",
        "c'est combien ?",
        "¿cuánto cuesta?",
        "gracias",
    ];
    let mut wrong = Vec::new();
    for message in messages {
        for talk in &talks {
            let found = talk.states(message);
            if found != json!({}) {
                wrong.push(format!("{message:?} after {:?}: {found}", talk.asked));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn answers_come_with_words_around_them() {
    let hotel = |path: &str| Talk::of(&hotel()).asked(path);
    let doctor = |path: &str| Talk::of(&doctor()).asked(path);
    let claim = |path: &str| Talk::of(&claim()).asked(path);
    let cases: Vec<(Talk, &str, Value)> = vec![
        (hotel("/city"), "I live in Cambridge", json!({"/city": "Cambridge"})),
        (hotel("/city"), "Hmm, I think Cambridge would be best", json!({"/city": "Cambridge"})),
        (hotel("/city"), "new york", json!({"/city": "new york"})),
        (hotel("/guest_name"), "It's Mary-Jane O'Neil", json!({"/guest_name": "Mary-Jane O'Neil"})),
        (hotel("/guest_name"), "john smith", json!({"/guest_name": "john smith"})),
        (hotel("/phone"), "sure, it's +44 20 7946 0018", json!({"/phone": "+44 20 7946 0018"})),
        (hotel("/phone"), "01715550199", json!({"/phone": "01715550199"})),
        (hotel("/adults"), "There are 3 of us", json!({"/adults": 3})),
        (hotel("/adults"), "just me", json!({"/adults": 1})),
        (hotel("/check_in"), "next Friday would be great", json!({"/check_in": "2024-03-08"})),
        (hotel("/check_in"), "12/04/2024", json!({"/check_in": "2024-04-12"})),
        (hotel("/room_type"), "I'd prefer a single room", json!({"/room_type": "single"})),
        (hotel("/room_type"), "the last one", json!({"/room_type": "suite"})),
        (hotel("/breakfast_included"), "Yes, with breakfast", json!({"/breakfast_included": true})),
        (hotel("/breakfast_included"), "no thanks", json!({"/breakfast_included": false})),
        (doctor("/insurance_number"), "A123456789", json!({"/insurance_number": "A123456789"})),
        (
            doctor("/reason_for_visit"),
            "I have had a headache for three days",
            json!({"/reason_for_visit": "I have had a headache for three days"}),
        ),
        (doctor("/is_new_patient"), "yes I am", json!({"/is_new_patient": true})),
        (doctor("/first_name"), "Grace", json!({"/first_name": "Grace"})),
        (doctor("/last_name"), "Hopper", json!({"/last_name": "Hopper"})),
        (claim("/kind_of_damage"), "there was a fire", json!({"/kind_of_damage": "Fire"})),
        (claim("/kind_of_damage"), "water", json!({"/kind_of_damage": "Water damage"})),
        (claim("/police_informed"), "not yet", json!({"/police_informed": false})),
        (claim("/estimated_loss"), "2.5k", json!({"/estimated_loss": 2500})),
        (hotel("/guest_name"), "Ich heiße Jürgen Groß", json!({"/guest_name": "Jürgen Groß"})),
        (hotel("/breakfast_included"), "ja, gerne", json!({"/breakfast_included": true})),
        (hotel("/check_in"), "übermorgen", json!({"/check_in": "2024-03-08"})),
        (hotel("/adults"), "zwei Erwachsene", json!({"/adults": 2})),
        (hotel("/city"), "à Marseille", json!({"/city": "Marseille"})),
        (hotel("/adults"), "nous sommes quatre", json!({"/adults": 4})),
        (hotel("/city"), "en Sevilla", json!({"/city": "Sevilla"})),
        (hotel("/check_in"), "el 12 de marzo", json!({"/check_in": "2024-03-12"})),
    ];
    let cases: Vec<(&Talk, &str, Value)> =
        cases.iter().map(|(talk, message, wanted)| (talk, *message, wanted.clone())).collect();
    all_state(&cases);
}

#[test]
fn no_preference_is_told_from_values() {
    let talk = Talk::of(&hotel()).asked("/room_type");
    for message in
        ["I don't care", "any", "doesn't matter", "no preference", "egal", "peu importe", "me da igual"]
    {
        let reading = talk.hears(message);
        assert!(reading.statements.is_empty(), "{message}: {reading:?}");
        assert_eq!(talk.acts(message), [ActType::Skip], "{message}");
    }
    let talk = Talk::of(&json!({"cuisine": {"type": "string", "enum": ["Thai", "Greek", "dontcare"]}}))
        .asked("/cuisine");
    assert_eq!(talk.states("it doesn't matter"), json!({"/cuisine": "dontcare"}));
}

#[test]
fn no_is_no_consent_before_polish_is_spoken() {
    let form = json!({
        "imie": {"type": "string", "description": "Jak się nazywa osoba, która rezerwuje pokój?"},
        "sniadanie": {"type": "boolean", "description": "Czy goście chcą zjeść śniadanie w hotelu?"}
    });
    let talk = Talk::of(&form).asked("/sniadanie").with(json!({"imie": "Ada"}));
    assert_eq!(talk.states("no"), json!({"/sniadanie": false}));
    assert_eq!(talk.states("tak"), json!({"/sniadanie": true}));
    assert_eq!(talk.spoken("pl").states("no"), json!({"/sniadanie": true}));
}
