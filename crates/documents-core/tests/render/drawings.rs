//! SVG.

use document::RenderSize;
use image::ImageFormat;

use crate::support::{dark, draw, file, halves, pixel, wide};

fn svg(content: &str) -> Vec<u8> {
    format!("<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' width='100' height='50'>{content}</svg>")
        .into_bytes()
}

#[test]
fn shapes_are_drawn_on_white_as_wide_as_asked_for() {
    let drawing = wide(&svg("<rect width='50' height='50' fill='#f00'/>"), 200);
    assert_eq!((drawing.width, drawing.height), (200, 100));
    assert_eq!((pixel(&drawing, 50, 50), pixel(&drawing, 150, 50)), ([255, 0, 0], [255; 3]));
}

#[test]
fn text_is_drawn_without_any_font_of_the_system() {
    for family in ["serif", "Some Unknown Sans"] {
        let text = format!("<text x='5' y='40' font-size='40' font-family='{family}'>\u{416}\u{3a9}B</text>");
        let drawing = wide(&svg(&text), 100);
        assert!(dark(&drawing) > 200, "{family}: {}", dark(&drawing));
    }
}

#[test]
fn pictures_within_a_drawing_are_drawn() {
    let png = base64(&file(&halves(10, 10), ImageFormat::Png));
    let image = format!(
        "<image width='100' height='50' preserveAspectRatio='none' href='data:image/png;base64,{png}'/>"
    );
    let drawing = wide(&svg(&image), 100);
    assert_eq!((pixel(&drawing, 10, 25), pixel(&drawing, 90, 25)), ([255, 0, 0], [0, 0, 255]));
}

#[test]
fn nothing_outside_of_a_drawing_is_looked_at() {
    let folder = std::env::temp_dir().join(format!("formwork-drawing-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("red.png");
    std::fs::write(&path, file(&halves(10, 10), ImageFormat::Png)).unwrap();
    for address in [
        path.display().to_string(),
        format!("file://{}", path.display()),
        "http://127.0.0.1:9/a.png".to_owned(),
    ] {
        let image = format!("<image width='100' height='50' href='{address}' xlink:href='{address}'/>");
        let drawing = wide(&svg(&image), 50);
        assert!(drawing.rgba.iter().all(|channel| *channel == 255), "{address}");
    }
    let entity = format!(
        "<!DOCTYPE svg [<!ENTITY x SYSTEM 'file://{}'>]><svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><text>&x;</text></svg>",
        path.display()
    );
    assert!(draw(entity.as_bytes(), 1, RenderSize::Width(9)).is_err());
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn names_of_namespaces_may_be_entities() {
    let text = "<!DOCTYPE svg [<!ENTITY ns 'http://www.w3.org/2000/svg'>]><svg xmlns='&ns;' width='9' height='9'><rect width='9' height='9'/></svg>";
    assert_eq!(pixel(&wide(text.as_bytes(), 9), 4, 4), [0; 3]);
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let letter = |number: u32| LETTERS[(number & 63) as usize] as char;
    bytes
        .chunks(3)
        .flat_map(|chunk| {
            let bytes = [0, 1, 2].map(|at| u32::from(chunk.get(at).copied().unwrap_or(0)));
            let number = (bytes[0] << 16) | (bytes[1] << 8) | bytes[2];
            let mut four = [letter(number >> 18), letter(number >> 12), letter(number >> 6), letter(number)];
            for padding in &mut four[chunk.len() + 1..] {
                *padding = '=';
            }
            four
        })
        .collect()
}
