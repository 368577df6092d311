//! Tests of the module above.

use super::*;

fn calendar() -> Calendar {
    let today = NaiveDate::from_ymd_opt(2024, 3, 6).unwrap(); // a Wednesday
    Calendar { today, is_past: false, is_birth: false, languages: Languages::ALL }
}

#[test]
fn days_are_read_as_people_say_them() {
    for (text, date) in [
        ("tomorrow", "2024-03-07"),
        ("the day after tomorrow", "2024-03-08"),
        ("next Friday", "2024-03-08"),
        ("this Sunday", "2024-03-10"),
        ("Tuesday next week", "2024-03-12"),
        ("March 12th", "2024-03-12"),
        ("12th of March", "2024-03-12"),
        ("March 1st 2019", "2019-03-01"),
        ("May 5, 2025", "2025-05-05"),
        ("2nd of February", "2025-02-02"),
        ("3rd of this month", "2024-03-03"),
        ("the 13th", "2024-03-13"),
        ("the 1st", "2024-04-01"),
        ("in three days", "2024-03-09"),
        ("two weeks ago", "2024-02-21"),
        ("2024-05-17", "2024-05-17"),
        ("17/05/2024", "2024-05-17"),
        ("17.5.2024", "2024-05-17"),
        ("12. März", "2024-03-12"),
        ("übermorgen", "2024-03-08"),
        ("nächsten Freitag", "2024-03-08"),
        ("le 12 mars", "2024-03-12"),
        ("vendredi prochain", "2024-03-08"),
        ("12 de marzo", "2024-03-12"),
        ("el viernes que viene", "2024-03-08"),
        ("pasado mañana", "2024-03-08"),
        ("14 maja 2026", "2026-05-14"),
        ("pojutrze", "2024-03-08"),
        ("w przyszły piątek", "2024-03-08"),
        ("za trzy dni", "2024-03-09"),
        ("3 dni temu", "2024-03-03"),
        ("dopodomani", "2024-03-08"),
        ("venerdì prossimo", "2024-03-08"),
        ("il 12 marzo 2025", "2025-03-12"),
        ("tra due settimane", "2024-03-20"),
        ("overmorgen", "2024-03-08"),
        ("volgende vrijdag", "2024-03-08"),
        ("12 maart 2025", "2025-03-12"),
        ("drie dagen geleden", "2024-03-03"),
        ("depois de amanhã", "2024-03-08"),
        ("próxima sexta-feira", "2024-03-08"),
        ("12 de março de 2025", "2025-03-12"),
        ("daqui a três dias", "2024-03-09"),
        ("i övermorgon", "2024-03-08"),
        ("nästa fredag", "2024-03-08"),
        ("den 12 mars 2025", "2025-03-12"),
        ("om tre dagar", "2024-03-09"),
    ] {
        let tokens = Tokens::of(text);
        let read = calendar().day_at(&tokens, 0).unwrap_or_else(|| panic!("{text}"));
        assert_eq!(read.date.map(|date| date.to_string()).as_deref(), Some(date), "{text}");
        assert_eq!(read.tokens + read.skipped, tokens.len(), "{text}");
    }
    for text in [
        "the 2nd option",
        "may I",
        "the third floor",
        "3 rooms",
        "5 pm",
        "31st of February",
        "Mon nom est",
        "",
    ] {
        let day = calendar().day_at(&Tokens::of(text), 0);
        assert_eq!(day.and_then(|day| day.date), None, "{text}");
    }
}

#[test]
fn what_has_no_year_lies_behind_where_that_is_asked_for() {
    let past = Calendar { is_past: true, ..calendar() };
    let read =
        |calendar: Calendar, text: &str| calendar.day_at(&Tokens::of(text), 0).and_then(|day| day.date);
    assert_eq!(read(past, "5 May"), NaiveDate::from_ymd_opt(2023, 5, 5));
    let birth = Calendar { is_birth: true, ..past };
    assert_eq!(read(birth, "5 May 88"), NaiveDate::from_ymd_opt(1988, 5, 5));
    assert_eq!(read(birth, "5.5.88"), NaiveDate::from_ymd_opt(1988, 5, 5));
}
