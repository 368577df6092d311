//! What of a page is its content.

use webpage_core::{PageKind, PageLimits, WebPage, parse_page};

const TOLD: &str = "The boats of the harbour brought in more cod in March than in any month of the last ten years, and \
    the quay was full of people who came to look at it and to hear what the skippers had to tell.";

fn at(url: &str, html: &str) -> WebPage {
    parse_page(html.as_bytes(), url, Some("text/html; charset=utf-8"), &PageLimits::default())
}

fn page(html: &str) -> WebPage {
    at("https://www.harbour.example/news/cod.html", html)
}

/// A paragraph that is like no other.
fn told(number: usize) -> String {
    format!("<p>Part {number}. {TOLD}")
}

#[test]
fn what_a_press_opens_is_content_and_what_stays_hidden_is_not() {
    let html = format!(
        "<main><h1>Questions</h1>{}<button aria-controls=one aria-expanded=false>When is high water?</button>\
         <div id=one hidden><p>At noon, says the table.</div><a data-bs-toggle=collapse href='#two'>Where to land</a>\
         <div id=two class=collapse style='display:none'><p>At the new quay.</div>\
         <div role=tabpanel aria-hidden=true><p>Behind a tab.</div><div hidden><p>Never shown.</div>\
         <div id=menu hidden><a href=/a>One page</a> <a href=/b>Another page</a></div>\
         <button aria-controls=menu>Menu</button></main>",
        told(1)
    );
    let body = page(&html).body;
    for shown in ["When is high water?", "At noon, says the table.", "At the new quay.", "Behind a tab."] {
        assert!(body.contains(shown), "{shown}: {body}");
    }
    for hidden in ["Never shown", "Another page", "Menu"] {
        assert!(!body.contains(hidden), "{hidden}: {body}");
    }
}

#[test]
fn what_is_hidden_on_one_screen_and_shown_on_another_is_shown() {
    let html = format!("<main>{}<div class='hidden md:block'><p>For wide screens.</div></main>", told(1));
    assert!(page(&html).body.contains("For wide screens."));
    let html = format!("<main>{}<div class=hidden><p>For nobody.</div></main>", told(1));
    assert!(!page(&html).body.contains("For nobody."));
}

#[test]
fn a_name_that_all_parts_of_a_page_have_says_nothing_about_them() {
    let parts: String = (0..6).map(|n| format!("<div class=promo-item>{0}{0}</div>", told(n))).collect();
    let body = page(&format!("<div class=wrap><h1>Cod</h1>{parts}</div>")).body;
    assert!((0..6).all(|n| body.contains(&format!("Part {n}."))), "{body}");
    let one = format!(
        "<main><h1>Cod</h1>{}{}<div class=promo-item>Buy now and here.</div></main>",
        told(1),
        told(2)
    );
    assert!(!page(&one).body.contains("Buy now"));
}

#[test]
fn what_holds_the_main_heading_is_not_left_out_for_its_name() {
    let html = format!(
        "<div><div class='subscription eligible'><h1>Coffee</h1>{}{}</div><div class=more>{}{}{}</div></div>",
        told(1),
        told(2),
        told(3),
        told(4),
        told(5)
    );
    let body = page(&html).body;
    assert!(body.contains("# Coffee") && body.contains("Part 1.") && body.contains("Part 4."), "{body}");
}

#[test]
fn one_long_message_is_not_the_whole_thread() {
    let long: String = (0..30).map(told).collect();
    let html = format!(
        "<main><h1>Cod?</h1><div class=thread><div class='msg one'><p>Who knows where the cod is this year?</div>\
         <div class='msg two'>{long}</div><div class='msg three'><p>Thanks, that is all I need.</div></div></main>"
    );
    let body = at("https://forum.harbour.example/thread/12-cod", &html).body;
    assert!(
        body.contains("Who knows where") && body.contains("Part 29.") && body.contains("Thanks"),
        "{body}"
    );
}

#[test]
fn the_question_belongs_to_its_answers() {
    let answers: String =
        (0..12).map(|n| format!("<div class=answer>{}{}</div>", told(n), told(n + 50))).collect();
    let html = format!(
        "<div class=page><div class=question><p>Where has the cod gone since the harbour was made deeper, and who \
         has seen it since then, in which place, and how deep?</div><div class=answers>{answers}</div></div>"
    );
    let page = at("https://harbour.example/questions/4711/cod", &html);
    assert_eq!(page.kind, PageKind::Forum);
    assert!(
        page.body.starts_with("Where has the cod gone") && page.body.contains("Part 11."),
        "{}",
        page.body
    );
}

#[test]
fn a_text_is_written_once_but_for_what_lists_have_in_common() {
    let offer = |name: &str| {
        format!("<h2>{name}</h2><ul><li>Berth with water and power on the quay<li>Only in the {name}</ul>")
    };
    let html = format!(
        "<main><h1>Berths</h1><div class=phone>{0}</div>{1}{2}<div class=desk>{0}</div></main>",
        told(7),
        offer("summer"),
        offer("winter")
    );
    let body = page(&html).body;
    assert_eq!(body.matches("Part 7.").count(), 1, "{body}");
    assert_eq!(body.matches("Berth with water").count(), 2, "{body}");
}

#[test]
fn what_a_message_quotes_of_another_is_not_written_again() {
    let html = format!(
        "<div class=thread><div class=message>{0}{1}</div><div class=message><blockquote><div>{0}</div></blockquote>\
         <p>I saw it too, from the light house on the hill.</div></div>",
        told(1),
        told(2)
    );
    let body = at("https://forum.harbour.example/thread/12-cod", &html).body;
    assert_eq!(body.matches("Part 1.").count(), 1, "{body}");
    assert!(body.contains("I saw it too"), "{body}");
}

#[test]
fn words_of_controls_are_left_out_unless_they_alone_lead_somewhere() {
    let html = format!(
        "<main><h1>Cod</h1>{}<p><a href=/only>Learn more</a></p><h2><a href=/card>A card</a></h2>\
         <a href=/card>Read more</a><button>Add to cart</button><p>You can learn more in the <a href=/b>book</a>.\
         </main>",
        told(1)
    );
    let body = page(&html).body;
    assert!(body.contains("[Learn more](https://www.harbour.example/only)"), "{body}");
    assert!(body.contains("You can learn more in the [book]"), "{body}");
    assert!(!body.contains("Read more") && !body.contains("Add to cart"), "{body}");
}

#[test]
fn the_cards_of_a_list_weigh_as_much_as_the_text_beside_them() {
    let cards: String = (0..24)
        .map(|n| {
            format!("<li class=tile><a href=/p/{n}><span>Lamp number {n}</span> <span>{n}9.00 EUR in brass</span></a>")
        })
        .collect();
    let html = format!(
        "<div class=wrap><div class=grid><h1>Lamps</h1><ul>{cards}</ul></div><article>{}{}</article></div>",
        told(1),
        told(2)
    );
    let body = at("https://www.harbour.example/lamps", &html).body;
    assert!(body.contains("Lamp number 23") && body.contains("Part 2."), "{body}");
}

#[test]
fn filters_of_a_list_are_left_out_and_results_of_a_search_are_not() {
    let choices: String = (0..8).map(|n| format!("<label><input type=checkbox>Colour {n}</label>")).collect();
    let found: String =
        (0..8).map(|n| format!("<li><h3><a href=/p/{n}>Lamp {n}</a></h3>{}", told(n))).collect();
    let html = format!("<div id=search-page><div class=filters>{choices}</div><ul>{found}</ul></div>");
    let body = at("https://www.harbour.example/search/lamps", &html).body;
    assert!(body.contains("Lamp 7") && !body.contains("Colour 3"), "{body}");
}

#[test]
fn what_buyers_say_is_no_part_of_what_is_said_of_a_product() {
    let reviews: String =
        (0..3).map(|n| format!("<div class=review><b>Bo {n}</b>{}</div>", told(n + 10))).collect();
    let html = format!(
        "<meta property=og:type content=product><main><h1>Brass lamp</h1><p>4.5 (3 reviews)<p>49.00 EUR{}{}{}\
         <div class=product-reviews><h2>Customer reviews</h2>{reviews}</div></main>",
        told(1),
        told(2),
        told(3)
    );
    let page = page(&html);
    assert_eq!(page.kind, PageKind::Product);
    assert!(page.body.contains("4.5 (3 reviews)") && page.body.contains("Part 3."), "{}", page.body);
    assert!(!page.body.contains("Bo 1"), "{}", page.body);
}

#[test]
fn a_page_of_many_products_is_a_list() {
    let one = |n: usize| format!("{{\"@type\": \"Product\", \"name\": \"Lamp {n}\"}}");
    let data = format!("[{}, {}, {}]", one(1), one(2), one(3));
    let script = format!("<script type=application/ld+json>{data}</script>");
    assert_eq!(page(&format!("{script}<h1>Lamps</h1>{}", told(1))).kind, PageKind::Listing);
    assert_eq!(
        page(&format!("<body class='woocommerce single-product'>{}", told(1))).kind,
        PageKind::Product
    );
}

#[test]
fn names_with_a_value_each_stand_on_a_line() {
    let body = page(
        "<main><dl><dt>Length<dd>12 m<dt>Crew:<dd>4<dt>Boats<dd>Anna<dd>Berta<dt>Story<dd><p>One.<p>Two.</dl></main>",
    )
    .body;
    assert_eq!(
        body,
        "**Length**: 12 m\n\n**Crew:** 4\n\n**Boats**\n\nAnna\n\nBerta\n\n**Story**\n\nOne.\n\nTwo."
    );
}
