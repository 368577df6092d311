//! What stands around the content and is none of it.

use webpage_core::{PageLimits, parse_page};

const TOLD: &str = "The bakers of the old town open at five in the morning, when the first ferry comes in, and by seven \
    there is a queue of people who want the dark bread that they are known for all along the coast.";

fn body(url: &str, html: &str) -> String {
    parse_page(html.as_bytes(), url, Some("text/html; charset=utf-8"), &PageLimits::default()).body
}

fn article(html: &str) -> String {
    body("https://www.town.example/news/bread.html", html)
}

/// A paragraph that is like no other.
fn told(number: usize) -> String {
    format!("<p>Part {number}. {TOLD}</p>")
}

#[test]
fn a_caption_with_a_credit_describes_its_picture() {
    let figure = |caption: &str| {
        format!("<figure><img src=/a.jpg alt='An oven'><figcaption>{caption}</figcaption></figure>")
    };
    let page = |caption: &str| {
        article(&format!("<article><h1>Bread</h1>{}{}{}</article>", told(1), figure(caption), told(2)))
    };
    assert!(page("Photo: Ada Lind").contains("![An oven: Photo: Ada Lind](https://www.town.example/a.jpg)"));
    // What tells something itself stays, as does the caption of what is no picture.
    assert!(page("The oven was built by hand.").contains("\n\nThe oven was built by hand.\n\n"));
    let table = "<figure><table><tr><th>Bread<th>Price<tr><td>Rye<td>4</table><figcaption>Source: the bakers</figcaption></figure>";
    let page = article(&format!("<article><h1>Bread</h1>{}{table}{}</article>", told(1), told(2)));
    assert!(page.contains("Source: the bakers"), "{page}");
}

#[test]
fn what_calls_to_act_is_no_content() {
    let page = article(&format!(
        "<article><h1>Bread</h1>{}<div class=post-cta><p>Talk to our team today.</p></div>{}</article>",
        told(1),
        told(2)
    ));
    assert!(page.contains("Part 2.") && !page.contains("Talk to our team"), "{page}");
}

#[test]
fn the_footer_of_a_page_is_left_out_however_much_it_says() {
    let praise: String = (10..14).map(told).collect();
    let page = body(
        "https://www.town.example/shop/rye",
        &format!("<div><h1>Rye</h1>{}{}{}</div><footer>{praise}</footer>", told(1), told(2), told(3)),
    );
    assert!(page.contains("Part 3.") && !page.contains("Part 12."), "{page}");
    // One that was never closed has the page in it.
    let page = article(&format!("<div><p>Hello</div><footer><div>{}{}{}</div>", told(1), told(2), told(3)));
    assert!(page.contains("Part 3."), "{page}");
}

#[test]
fn a_header_with_a_menu_is_that_of_the_page_wherever_it_stands() {
    let page = article(&format!(
        "<main><section><header><p>Free delivery in town</p><nav><a href=/>Home</a></nav></header>\
         <h1>Bread</h1>{}{}</section></main>",
        told(1),
        told(2)
    ));
    assert!(page.contains("Part 2.") && !page.contains("Free delivery"), "{page}");
    let page = article(&format!(
        "<main><article><h1>Bread</h1><header><p>In short.</p></header>{}</article></main>",
        told(1)
    ));
    assert!(page.contains("In short."), "{page}");
}

#[test]
fn a_form_that_asks_for_a_password_is_left_out_in_a_table_too() {
    let page = body(
        "https://www.town.example/forum/showthread.php?t=1",
        &format!(
            "<table><tr><td><form><label>Your name</label><input><input type=password></form></table>\
             <table><tr><td>{}<tr><td>{}</table>",
            told(1),
            told(2)
        ),
    );
    assert!(page.contains("Part 2.") && !page.contains("Your name"), "{page}");
}

#[test]
fn a_chapter_may_be_about_cookies() {
    let page = article(&format!(
        "<article><h1>Sweets</h1>{}<section id=cookies><h2>Cookies</h2>{}</section>\
         <section id=cookies-notice class=cookies><h2>We care</h2><p>Allow all?</section></article>",
        told(1),
        told(2)
    ));
    assert!(page.contains("Part 2.") && !page.contains("Allow all?"), "{page}");
}

#[test]
fn questions_about_the_page_are_no_content() {
    let page = article(&format!(
        "<main><h1>Bread</h1>{}{}<div><h3>Was this page helpful?</h3><p>Let us know how we can do better.</div></main>",
        told(1),
        told(2)
    ));
    assert!(page.contains("Part 2.") && !page.contains("do better"), "{page}");
}

#[test]
fn a_link_that_looks_like_a_button_is_no_text_but_leads_on() {
    let html = format!(
        "<article><h1>Bread</h1>{}<p><a class='wp-button big' href=/visit>Plan your visit</a></p>\
         <p>Ask for a <a class=btn href=/rye>loaf of rye</a> in the morning.</p>\
         <p><a class=btn href=/prices.pdf?v=2>All prices</a></p><p><a class=btn href=tel:+4512>Call 45 12</a></p>\
         <a class=button href=/dark><h2>Dark bread</h2></a>{}</article>",
        told(1),
        told(2)
    );
    let url = "https://www.town.example/news/bread.html";
    let page = parse_page(html.as_bytes(), url, Some("text/html; charset=utf-8"), &PageLimits::default());
    assert!(!page.body.contains("Plan your visit"), "{}", page.body);
    for shown in ["loaf of rye", "All prices", "Call 45 12", "Dark bread"] {
        assert!(page.body.contains(shown), "{shown}: {}", page.body);
    }
    assert!(page.links.iter().any(|link| link.url.ends_with("/visit")), "{:?}", page.links);
}

#[test]
fn lines_about_a_message_or_a_text_are_left_out() {
    let page = body(
        "https://www.town.example/forum/threads/77",
        &format!(
            "<main><div class=message>{}<p>Sent from my Phone 3 Pro</div><div class=message>{}</div>\
             <div class=message><p>This topic was automatically closed 30 days after the last reply.</div></main>",
            told(1),
            told(2)
        ),
    );
    assert!(page.contains("Part 2."), "{page}");
    assert!(!page.contains("Sent from my") && !page.contains("automatically closed"), "{page}");
    let page = article(&format!(
        "<meta property=og:type content=article><article><p>Ada Lind | 5 min read</p>{}{}</article>",
        told(1),
        told(2)
    ));
    assert!(page.contains("Part 2.") && !page.contains("min read"), "{page}");
}

#[test]
fn comments_on_an_answer_are_no_messages() {
    let comments =
        "<div class=comments><ul><li class=comment>That helped me a lot, thanks for it.</ul></div>";
    let answers: String =
        (1..4).map(|n| format!("<div class='answer big'>{}{comments}</div>", told(n))).collect();
    let url = "https://www.town.example/questions/4711/bread";
    let page = body(url, &format!("<main><h1>Why is it dark?</h1>{answers}</main>"));
    assert!(page.contains("Part 3.") && !page.contains("helped me"), "{page}");
    // A forum may call its messages comments.
    let messages: String = (1..4).map(|n| format!("<div class=comment>{}</div>", told(n))).collect();
    let page = body(url, &format!("<main><h1>Why is it dark?</h1><div class=topic>{messages}</div></main>"));
    assert!(page.contains("Part 1.") && page.contains("Part 3."), "{page}");
}

#[test]
fn what_stands_beside_most_of_the_text_belongs_to_it() {
    let long: String = (1..5).map(told).collect();
    let html = format!(
        "<div><div><div class=about><p>Our rye has been baked in the same oven for more than a hundred years now, \
         by the same family.</p></div><div class=all>{long}</div></div></div>"
    );
    let page = body("https://www.town.example/", &html);
    assert!(page.contains("same oven") && page.contains("Part 4."), "{page}");
}
