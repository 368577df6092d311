//! Names of people, places and things, and numbers of people.

use serde_json::{Value, json};

use crate::{Talk, all_state};

fn text(description: &str) -> Value {
    json!({"type": "string", "description": description})
}

fn travel() -> Talk {
    Talk::of(&json!({
        "origin_city": text("City where the journey starts"), "destination_city": text("City where the journey ends"),
        "departure_date": text("Start date of the trip"), "return_date": text("Date of the return"),
        "passengers": {"type": "integer", "description": "Number of passengers"}
    }))
}

fn stay() -> Talk {
    Talk::of(&json!({
        "where_to": text("Location of the house"), "number_of_adults": text("Number of people for the reservation"),
        "check_in_date": text("Start date for the reservation or to find the house"), "check_out_date": text("End date"),
        "number_of_rooms": text("Number of rooms"), "stay_length": text("Length of stay in days"),
        "star_rating": json!({"type": "string", "enum": ["1", "2", "3", "4", "5"], "description": "Star rating"})
    }))
}

fn dinner() -> Talk {
    Talk::of(&json!({
        "restaurant_name": text("Name of the restaurant"), "city": text("City of the restaurant"),
        "cuisine": text("Cuisine of food served"), "party_size": text("Party size for a reservation"),
        "date": text("Date"), "time": text("Time")
    }))
}

fn music() -> Talk {
    Talk::of(&json!({
        "track": text("Name of the song"), "artist": text("Name of the artist"), "album": text("Album of the song"),
        "genre": text("Genre of the song")
    }))
}

#[test]
fn places_are_told_by_what_stands_before_them() {
    let (travel, stay) = (travel(), stay());
    all_state(&[
        (
            &travel,
            "departing from Chicago, arriving in Boston",
            json!({"/origin_city": "Chicago", "/destination_city": "Boston"}),
        ),
        (
            &travel,
            "I'm coming from Vancouver and heading to Toronto",
            json!({"/origin_city": "Vancouver", "/destination_city": "Toronto"}),
        ),
        (
            &travel,
            "from Fresno, CA to Anaheim, CA",
            json!({"/origin_city": "Fresno, CA", "/destination_city": "Anaheim, CA"}),
        ),
        (
            &travel,
            "I want to fly to Long Beach from SFO on the 9th for 2 people",
            json!({"/destination_city": "Long Beach", "/origin_city": "SFO", "/departure_date": "the 9th", "/passengers": 2}),
        ),
        (
            &travel,
            "i want to go from denver to seattle",
            json!({"/origin_city": "denver", "/destination_city": "seattle"}),
        ),
        (&travel, "My destination is Oslo", json!({"/destination_city": "Oslo"})),
        (&travel, "LA to NYC", json!({"/origin_city": "LA", "/destination_city": "NYC"})),
        (
            &travel,
            "leaving this Sunday, returning on March 12th",
            json!({"/departure_date": "this Sunday", "/return_date": "March 12th"}),
        ),
        (&stay, "I'm going to be in Antioch", json!({"/where_to": "Antioch"})),
        (&stay, "somewhere around Danville please", json!({"/where_to": "Danville"})),
        (
            &stay,
            "Find me a place to stay in Paris, France for two nights",
            json!({"/where_to": "Paris, France", "/stay_length": "2"}),
        ),
        (
            &stay,
            "A 3-star hotel, two rooms for three nights",
            json!({"/star_rating": "3", "/number_of_rooms": "2", "/stay_length": "3"}),
        ),
        (&stay, "there will be 4 of us", json!({"/number_of_adults": "4"})),
        (
            &stay,
            "from the 5th till the 8th of March",
            json!({"/check_in_date": "the 5th", "/check_out_date": "8th of March"}),
        ),
    ]);
}

#[test]
fn named_things_are_told_by_what_stands_before_them() {
    let (dinner, music) = (dinner(), music());
    all_state(&[
        (
            &dinner,
            "I want to eat at Chez Panisse in Berkeley",
            json!({"/restaurant_name": "Chez Panisse", "/city": "Berkeley"}),
        ),
        (
            &dinner,
            "A table for 6 at the Golden Dragon tomorrow at 8 pm",
            json!({"/party_size": "6", "/restaurant_name": "Golden Dragon", "/date": "tomorrow", "/time": "8 pm"}),
        ),
        (&dinner, "a party of five, Mexican food", json!({"/party_size": "5", "/cuisine": "Mexican"})),
        (&dinner, "I feel like sushi", json!({"/cuisine": "sushi"})),
        (
            &dinner,
            "Any good Ethiopian places in Oakland?",
            json!({"/cuisine": "Ethiopian", "/city": "Oakland"}),
        ),
        (&music, "play the song Halo by Beyonce", json!({"/track": "Halo", "/artist": "Beyonce"})),
        (&music, "I'd like to listen to Shallow", json!({"/track": "Shallow"})),
        (
            &music,
            "something by Ed Sheeran from the album Divide",
            json!({"/artist": "Ed Sheeran", "/album": "Divide"}),
        ),
        (&music, "some rock music please", json!({"/genre": "rock"})),
        (&music, "I want to hear “Yesterday”", json!({"/track": "Yesterday"})),
    ]);
}
