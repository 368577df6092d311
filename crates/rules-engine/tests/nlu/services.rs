//! Requests for services of many kinds.

use serde_json::{Value, json};

use crate::{Talk, all_state};

fn text(description: &str) -> Value {
    json!({"type": "string", "description": description})
}

fn choice(description: &str, options: &[&str]) -> Value {
    json!({"type": "string", "description": description, "enum": options})
}

fn train() -> Talk {
    Talk::of(&json!({
        "from": text("Starting city for the train journey"), "to": text("Ending city for the train journey"),
        "date_of_journey": text("Date of train journey"), "journey_start_time": text("Time of start of train journey"),
        "number_of_adults": choice("Number of adults to reserve train tickets for", &["1", "2", "3", "4", "5"]),
        "class": choice("Fare class for the reservation", &["Value", "Flexible", "Business"]),
        "trip_protection": choice("Whether to add trip protection, for a fee", &["True", "False"]),
        "total": text("Total price of the reservation")
    }))
}

fn payment() -> Talk {
    Talk::of(&json!({
        "payment_method": choice("The source of money used for making the payment", &["app balance", "debit card", "credit card"]),
        "amount": text("The amount of money to send or request"), "receiver": text("Name of the contact to receive the payment"),
        "private_visibility": choice("Whether the transaction is private or not", &["True", "False"])
    }))
}

fn salon() -> Talk {
    Talk::of(&json!({
        "stylist_name": text("Name of the hair stylist or salon"), "city": text("City where the salon is located"),
        "is_unisex": choice("Whether the salon is unisex", &["True", "False"]),
        "appointment_date": text("Date for the appointment"), "appointment_time": text("Time of the appointment")
    }))
}

fn cinema() -> Talk {
    Talk::of(&json!({
        "movie_name": text("Name of the movie"), "show_date": text("Date of the show"), "show_time": text("Time of the show"),
        "show_type": choice("Type of show", &["regular", "3d", "imax"]), "theater_name": text("Name of the theatre"),
        "number_of_tickets": choice("Number of the movie tickets to purchase", &["1", "2", "3", "4", "5", "6", "7", "8", "9"]),
        "genre": text("Genre of the movie"), "location": text("City where the theatre is located")
    }))
}

fn rental() -> Talk {
    Talk::of(&json!({
        "car_type": choice("Type of the car", &["Compact", "Standard", "SUV", "Full-size"]),
        "pickup_city": text("City where you want to pick up the car"), "start_date": text("Date to start using rental car"),
        "end_date": text("Date to return the car"), "pickup_time": text("Time for pick-up"),
        "add_insurance": choice("Whether to purchase insurance", &["True", "False"]), "price_per_day": text("Price per day")
    }))
}

fn support() -> Talk {
    Talk::of(&json!({
        "name": {"type": "string"}, "order_number": {"type": "string"}, "product": {"type": "string"},
        "category": {"type": "string", "enum": ["billing", "delivery", "technical", "other"]},
        "priority": {"type": "string", "enum": ["low", "medium", "high", "urgent"]},
        "purchase_date": {"type": "date"}, "wants_refund": {"type": "boolean"}, "description": {"type": "string"}
    }))
}

fn job() -> Talk {
    Talk::of(&json!({
        "full_name": {"type": "string"}, "email": {"type": "email"}, "position": {"type": "string"},
        "years_of_experience": {"type": "integer"}, "expected_salary": {"type": "number"},
        "available_from": {"type": "date"}, "willing_to_relocate": {"type": "boolean"},
        "has_driving_licence": {"type": "boolean"}, "linkedin": {"type": "url"},
        "work_mode": {"type": "string", "enum": ["on-site", "hybrid", "remote"]}
    }))
}

#[test]
fn services_are_asked_for() {
    let (train, payment, salon, cinema, rental) = (train(), payment(), salon(), cinema(), rental());
    all_state(&[
        (
            &train,
            "I need a train from Fresno to Anaheim on the 9th",
            json!({"/from": "Fresno", "/to": "Anaheim", "/date_of_journey": "the 9th"}),
        ),
        (
            &train,
            "Two tickets please, leaving at 8 in the morning",
            json!({"/number_of_adults": "2", "/journey_start_time": "8 in the morning"}),
        ),
        (
            &train,
            "A flexible ticket with trip protection",
            json!({"/class": "Flexible", "/trip_protection": "True"}),
        ),
        (&train, "No trip protection please", json!({"/trip_protection": "False"})),
        (
            &train,
            "It's for 3 adults in business class",
            json!({"/number_of_adults": "3", "/class": "Business"}),
        ),
        (
            &payment,
            "Send $45 to Maria with my credit card",
            json!({"/amount": "$45", "/receiver": "Maria", "/payment_method": "credit card"}),
        ),
        (
            &payment,
            "Make it a private transaction and use the app balance",
            json!({"/private_visibility": "True", "/payment_method": "app balance"}),
        ),
        (&salon, "Find me a unisex salon in San Jose", json!({"/is_unisex": "True", "/city": "San Jose"})),
        (
            &salon,
            "Book an appointment with Great Clips for tomorrow at 4 pm",
            json!({"/stylist_name": "Great Clips", "/appointment_date": "tomorrow", "/appointment_time": "4 pm"}),
        ),
        (
            &cinema,
            "I'd like to watch Captain Marvel in 3D",
            json!({"/movie_name": "Captain Marvel", "/show_type": "3d"}),
        ),
        (
            &cinema,
            "4 tickets for the movie Us at 7:30 pm tonight",
            json!({"/number_of_tickets": "4", "/movie_name": "Us", "/show_time": "7:30 pm", "/show_date": "tonight"}),
        ),
        (&cinema, "a horror film in Berkeley", json!({"/genre": "horror", "/location": "Berkeley"})),
        (
            &rental,
            "I need an SUV in Portland from March 8th till March 12th",
            json!({"/car_type": "SUV", "/pickup_city": "Portland", "/start_date": "March 8th", "/end_date": "March 12th"}),
        ),
        (
            &rental,
            "with insurance please, pick it up at 10:30",
            json!({"/add_insurance": "True", "/pickup_time": "10:30"}),
        ),
        (&rental, "I don't need insurance", json!({"/add_insurance": "False"})),
    ]);
}

#[test]
fn cases_and_applications_are_told() {
    let (support, job) = (support(), job());
    all_state(&[
        (
            &support,
            "My order number is 48-2291 and I bought it on 2 March",
            json!({"/order_number": "48-2291", "/purchase_date": "2024-03-02"}),
        ),
        (&support, "It's urgent, I want a refund", json!({"/priority": "urgent", "/wants_refund": true})),
        (&support, "It is a billing problem", json!({"/category": "billing"})),
        (&job, "I'm applying for the position of Data Engineer", json!({"/position": "Data Engineer"})),
        (
            &job,
            "I have 7 years of experience and expect a salary of 60,000 euros",
            json!({"/years_of_experience": 7, "/expected_salary": 60000}),
        ),
        (
            &job,
            "I could start on 1 April and I'm willing to relocate",
            json!({"/available_from": "2024-04-01", "/willing_to_relocate": true}),
        ),
        (
            &job,
            "I prefer remote work, and I don't have a driving licence",
            json!({"/work_mode": "remote", "/has_driving_licence": false}),
        ),
        (&job, "linkedin.com/in/ada", json!({"/linkedin": "linkedin.com/in/ada"})),
    ]);
}

#[test]
fn choices_of_two_fields_go_where_they_belong() {
    let bank = Talk::of(&json!({
        "account_type": choice("The user's account type", &["checking", "savings"]),
        "recipient_account_type": choice("The account type of the recipient to transfer the money to", &["checking", "savings"]),
        "transfer_amount": text("The amount of money to transfer"), "recipient_name": text("The name of the recipient")
    }));
    let bus = Talk::of(&json!({
        "origin": text("City where bus is leaving from"), "destination": text("City where bus is going to"),
        "departure_date": text("Date of bus leaving for journey"), "departure_time": text("Time of bus leaving for journey"),
        "fare_type": choice("Type of fare for the booking", &["Economy", "Economy extra", "Flexible"]),
        "group_size": choice("Size of group for the booking", &["1", "2", "3", "4", "5"]),
        "additional_luggage": choice("Whether to carry excess baggage in the bus", &["True", "False"])
    }));
    let ride = Talk::of(&json!({
        "destination": text("Destination address or location for cab"),
        "number_of_seats": choice("Number of seats to reserve in the cab", &["1", "2", "3", "4"]),
        "ride_type": choice("Type of cab ride", &["Pool", "Regular", "Luxury"])
    }));
    let home = Talk::of(&json!({
        "intent": choice("Specifies if user is interested in renting or buying the property", &["rent", "buy"]),
        "area": text("The geographic city of the property"), "number_of_beds": text("Number of bedrooms"),
        "number_of_baths": text("Number of bathrooms"), "has_garage": choice("Whether the property has a garage", &["True", "False"]),
        "in_unit_laundry": choice("Whether the unit has its own laundry", &["True", "False"]), "visit_date": text("Date for the visit")
    }));
    all_state(&[
        (
            &bank,
            "Transfer 100 dollars from my savings account to Mary's checking account",
            json!({"/account_type": "savings", "/recipient_account_type": "checking", "/transfer_amount": "100 dollars", "/recipient_name": "Mary"}),
        ),
        (&bank, "What's the balance of my savings account?", json!({"/account_type": "savings"})),
        (
            &bank,
            "Send $250 to Peter from my checking account",
            json!({"/account_type": "checking", "/transfer_amount": "$250", "/recipient_name": "Peter"}),
        ),
        (&bank, "to his savings account please", json!({"/recipient_account_type": "savings"})),
        (
            &bus,
            "Two economy extra tickets from Fresno to Los Angeles, leaving tomorrow at 6 in the evening",
            json!({"/fare_type": "Economy extra", "/group_size": "2", "/origin": "Fresno", "/destination": "Los Angeles", "/departure_date": "tomorrow", "/departure_time": "6 in the evening"}),
        ),
        (
            &bus,
            "Flexible please, and I have additional luggage",
            json!({"/fare_type": "Flexible", "/additional_luggage": "True"}),
        ),
        (&bus, "We are a group of 4", json!({"/group_size": "4"})),
        (
            &ride,
            "I need a luxury ride to 12 Baker Street for three",
            json!({"/ride_type": "Luxury", "/destination": "12 Baker Street", "/number_of_seats": "3"}),
        ),
        (
            &ride,
            "a regular cab to the Museum of Modern Art",
            json!({"/ride_type": "Regular", "/destination": "Museum of Modern Art"}),
        ),
        (
            &home,
            "I want to buy a house in Fremont with 3 bedrooms, 2 bathrooms and a garage",
            json!({"/intent": "buy", "/area": "Fremont", "/number_of_beds": "3", "/number_of_baths": "2", "/has_garage": "True"}),
        ),
        (
            &home,
            "Looking for a place to rent with in unit laundry",
            json!({"/intent": "rent", "/in_unit_laundry": "True"}),
        ),
    ]);
}
