//! Tests of the module above.

use super::*;

fn parse(text: &str, day_first: bool) -> Option<NaiveDate> {
    super::parse_date(text, |_, _| day_first)
}

#[test]
fn one_date_is_read_in_every_printed_form() {
    for text in [
        "2024-03-12",
        "12/03/2024",
        "12.3.2024",
        "12. 3. 2024",
        "12-03-24",
        "12 March 2024",
        "12. März 2024",
        "March 12, 2024",
        "Mar. 12th 2024",
        "12th of March, 2024",
        "12 de marzo de 2024",
        "12-Mar-24",
        "2024年3月12日",
        "令和6年3月12日",
        "民國113年3月12日",
        "12 марта 2024 г.",
        "2024. március 12.",
        "12 Μαρτίου 2024",
        "12. maaliskuuta 2024",
        "12 martie 2024",
        "20240312",
        "12032024",
        "2024-03-12T10:00:00Z",
        "le 12 mars 2024",
        "2024 March 12",
        "Tue 12 Mar 2024",
        "12 marca 2024 r.",
        "12 maart 2024",
        "12 marzo 2024",
        "12 de março de 2024",
        "den 12 mars 2024",
        "12. mars 2024",
        "12 Mart 2024",
        "12. března 2024",
        "12MAR2024",
        "12 / 03 / 2024",
    ] {
        assert_eq!(parse(text, true), NaiveDate::from_ymd_opt(2024, 3, 12), "{text}");
    }
    assert_eq!(parse("12/03/2024", false), NaiveDate::from_ymd_opt(2024, 12, 3));
    assert_eq!(parse("31/12/99", false), NaiveDate::from_ymd_opt(1999, 12, 31));
}

#[test]
fn what_is_no_date_is_none() {
    for text in [
        "",
        "2024",
        "6年3月12日",
        "31/02/2024",
        "1.2.3.4",
        "12:30:45",
        "99/99/9999",
        "12 | 3 | 2024",
        "May",
        "soon",
        "31/02/2018",
        "12.50",
        "JA01-04 - 2/60",
        "MAR 18 -2.37",
        "10 MARKET 2018",
        "tel 03-12 34 56",
        "LESS 30% MAR 18",
        "1 - July 31",
        "VERSION 91.1.15_C",
    ] {
        assert_eq!(parse(text, true), None, "{text}");
    }
    assert_eq!(parse("1/1/2024 to 2/1/2024", true), None);
}

#[test]
fn what_goes_on_in_digits_stands_not_alone() {
    let alone = |text: &str| {
        let mut found = Vec::new();
        scan(text, 0..text.len(), |m| found.push(m.stands_alone(text)));
        found
    };
    assert_eq!(alone("on 25/12/2018 14:20"), [true]);
    assert_eq!(alone("X25/12/2018"), [false]);
    assert_eq!(alone("7-25/12/2018"), [false]);
    assert_eq!(alone("MI11/3-21 - 12/480"), [false]);
    assert_eq!(alone("REG #2- 25/12/2016 13:51"), [true]);
}

#[test]
fn texts_tell_the_order_of_day_and_month() {
    let order = |text: &str| date_order([text].into_iter());
    assert_eq!(order("12/31/2024 1/2/2024"), Some(DateOrder::MonthFirst));
    assert_eq!(order("12/31/2024 5/5/2024"), Some(DateOrder::MonthFirst));
    assert_eq!(order("31.12.2024"), Some(DateOrder::DayFirst));
    assert_eq!(order("1/2/2024, 31 May 2024"), None);
}

#[test]
fn mentions_stand_where_they_say() {
    let text = "é from 1er mars 2024 to 03/04/2024.";
    let mut found = Vec::new();
    scan(text, 0..text.len(), |m| {
        found.push((text[m.range.clone()].to_owned(), m.is_numeric(), m.month_first.is_some()))
    });
    assert_eq!(found, [("1er mars 2024".to_owned(), false, false), ("03/04/2024".to_owned(), true, true)]);
}
