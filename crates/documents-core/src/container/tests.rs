use super::*;

/// A ZIP file of deflated files.
fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    document_samples::archive(files, true)
}

fn open(bytes: &[u8]) -> Container<'_> {
    Container::open(bytes, &Limits::default()).unwrap()
}

#[test]
fn files_are_found_by_name_whatever_its_case_and_slashes() {
    let bytes = zip(&[("Word\\Document.xml", b"one"), ("a/", b""), ("b", b"two")]);
    let container = open(&bytes);
    assert_eq!(container.names().collect::<Vec<_>>(), ["Word/Document.xml", "b"]);
    assert_eq!(container.read("/word/document.xml").unwrap().unwrap(), b"one");
    assert!(container.contains("b") && !container.contains("c"));
    assert_eq!(container.read("c").unwrap(), None);
}

#[test]
fn what_stands_before_the_container_does_not_matter() {
    let mut bytes = b"a program".to_vec();
    bytes.extend(zip(&[("a", b"content")]));
    assert_eq!(open(&bytes).read("a").unwrap().unwrap(), b"content");
}

#[test]
fn names_that_lead_out_of_a_folder_are_only_names() {
    let bytes = zip(&[("../../etc/passwd", b"x"), ("/etc/passwd", b"y")]);
    let container = open(&bytes);
    assert_eq!(container.names().collect::<Vec<_>>(), ["../../etc/passwd", "etc/passwd"]);
    assert_eq!(container.read("etc/passwd").unwrap().unwrap(), b"y");
}

#[test]
fn a_container_that_was_cut_off_is_read_as_far_as_it_goes() {
    let bytes = zip(&[("a", b"first"), ("b", b"second")]);
    let second = bytes.windows(4).rposition(|window| window == b"PK\x03\x04").unwrap();
    let cut = &bytes[..second + 12];
    let container = open(cut);
    assert_eq!(container.names().collect::<Vec<_>>(), ["a"]);
    assert_eq!(container.read("a").unwrap().unwrap(), b"first");
}

#[test]
fn a_bomb_is_refused_before_it_is_inflated() {
    let zeros = vec![0; 20 << 20];
    let bytes = zip(&[("bomb", &zeros)]);
    let refused = open(&bytes).read("bomb");
    assert!(matches!(refused, Err(ParseError::Limit(_))), "{refused:?}");
}

#[test]
fn what_is_inflated_counts_over_all_files() {
    let half: Vec<u8> = (0..60_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let bytes = zip(&[("a", &half), ("b", &half)]);
    let limits = Limits { inflated_bytes: 100_000, ..Limits::default() };
    let container = Container::open(&bytes, &limits).unwrap();
    assert_eq!(container.read("a").unwrap().unwrap(), half);
    assert!(matches!(container.read("b"), Err(ParseError::Limit(_))));
    let limits = Limits { entry_bytes: 50_000, ..Limits::default() };
    assert!(matches!(Container::open(&bytes, &limits).unwrap().read("a"), Err(ParseError::Limit(_))));
}

#[test]
fn too_many_files_are_refused() {
    let names: Vec<String> = (0..30).map(|index| format!("f{index}")).collect();
    let files: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &b""[..])).collect();
    let limits = Limits { entries: 29, ..Limits::default() };
    assert!(matches!(Container::open(&zip(&files), &limits), Err(ParseError::Limit(_))));
}

#[test]
fn damage_is_an_error_and_never_a_panic() {
    let bytes = zip(&[("a", b"some content of the first"), ("b", b"second")]);
    for at in 0..bytes.len() {
        for value in [0, 0xff] {
            let mut damaged = bytes.clone();
            damaged[at] = value;
            if let Ok(container) = Container::open(&damaged, &Limits::default()) {
                for name in container.names() {
                    let _ = container.read(name);
                }
            }
            let _ = Container::open(&damaged[at..], &Limits::default());
        }
    }
    assert!(matches!(Container::open(b"PK\x03\x04", &Limits::default()), Err(ParseError::Damaged(_))));
}

#[test]
fn a_locked_file_says_so() {
    let mut bytes = zip(&[("a", b"x")]);
    let central = bytes.windows(4).position(|window| window == b"PK\x01\x02").unwrap();
    bytes[central + 8] = 1;
    assert!(matches!(open(&bytes).read("a"), Err(ParseError::Encrypted)));
}
