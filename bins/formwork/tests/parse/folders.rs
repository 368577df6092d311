//! Folders that are read, and the folder that is written to.

use crate::{Desk, told};

#[test]
fn folders_are_read_with_all_below_them_but_for_hidden_files_and_links() {
    let desk = Desk::new(&[
        ("in/b.txt", "second"),
        ("in/a.txt", "first"),
        ("in/deep/er/c.md", "third"),
        ("in/.hidden.txt", "secret"),
        ("in/.git/d.txt", "secret"),
        ("outside.txt", "outside"),
    ]);
    std::os::unix::fs::symlink(desk.path("outside.txt"), desk.path("in/link.txt")).unwrap();
    std::os::unix::fs::symlink(desk.path("in"), desk.path("in/deep/loop")).unwrap();
    let printed = desk.printed(&["in"]);
    let names: Vec<_> = printed.lines().filter(|line| line.starts_with("==>")).collect();
    assert_eq!(names, ["==> in/a.txt <==", "==> in/b.txt <==", "==> in/deep/er/c.md <=="]);
    assert!(!printed.contains("secret") && !printed.contains("outside"), "{printed}");
}

#[test]
fn an_output_folder_gets_a_file_for_each_input_under_its_path() {
    let desk = Desk::new(&[("in/a.txt", "first"), ("in/deep/b.md", "# second"), ("c.csv", "x,y\n1,2\n")]);
    desk.printed(&["--output", "out", "in", "c.csv"]);
    assert_eq!(desk.files("out"), ["out/a.txt.md", "out/c.csv.md", "out/deep/b.md.md"]);
    assert_eq!(desk.read("out/deep/b.md.md"), "# second\n");
    desk.printed(&["--json", "-o", "out", "c.csv"]);
    assert!(desk.read("out/c.csv.json").starts_with("{\"file\":\"c.csv\",\"format\":\"csv\""));
}

#[test]
fn files_of_one_name_do_not_replace_each_other() {
    let desk = Desk::new(&[("one/a.txt", "first"), ("two/a.txt", "second"), ("three/a.txt", "third")]);
    desk.printed(&["-o", "out", "one/a.txt", "two/a.txt", "three/a.txt"]);
    assert_eq!(desk.files("out"), ["out/a.txt.2.md", "out/a.txt.3.md", "out/a.txt.md"]);
    assert_eq!(
        (desk.read("out/a.txt.md"), desk.read("out/a.txt.2.md")),
        ("first\n".into(), "second\n".into())
    );
}

#[test]
fn files_that_are_there_stay_unless_they_may_be_overwritten() {
    let desk = Desk::new(&[("a.txt", "new"), ("b.txt", "other"), ("out/a.txt.md", "old")]);
    let output = desk.run(&["-o", "out", "a.txt", "b.txt"]);
    assert_eq!(output.status.code(), Some(1));
    let (_, complaint) = told(&output);
    assert!(complaint.starts_with("formwork: a.txt: ") && complaint.contains("--overwrite"), "{complaint}");
    assert_eq!((desk.read("out/a.txt.md"), desk.read("out/b.txt.md")), ("old".into(), "other\n".into()));
    desk.printed(&["-o", "out", "--overwrite", "a.txt", "b.txt"]);
    assert_eq!(desk.read("out/a.txt.md"), "new\n");
    assert_eq!(desk.files("out"), ["out/a.txt.md", "out/b.txt.md"]);
}

#[test]
fn nothing_is_written_outside_the_output_folder() {
    let desk = Desk::new(&[("in/up/a.txt", "text"), ("target.txt", "kept"), ("b.txt", "text")]);
    std::fs::create_dir_all(desk.path("out")).unwrap();
    std::fs::create_dir_all(desk.path("elsewhere")).unwrap();
    // Links that lie in the output folder lead out of it.
    std::os::unix::fs::symlink(desk.path("elsewhere"), desk.path("out/up")).unwrap();
    std::os::unix::fs::symlink(desk.path("target.txt"), desk.path("out/b.txt.md")).unwrap();
    let output = desk.run(&["-o", "out", "--overwrite", "in", "b.txt", "in/../b.txt"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert_eq!(desk.files("elsewhere"), [""; 0]);
    assert_eq!((desk.read("target.txt"), desk.read("out/b.txt.md")), ("kept".into(), "text\n".into()));
    let named = desk.fed(&["-o", "out", "--name", "../../escaped.txt", "-"], b"from a pipe");
    assert!(named.status.success(), "{named:?}");
    assert_eq!(desk.read("out/escaped.txt.md"), "from a pipe\n");
}

#[test]
fn the_output_folder_is_not_read_where_it_lies_in_a_folder_that_is_read() {
    let desk = Desk::new(&[("in/a.txt", "text")]);
    for _ in 0..2 {
        desk.printed(&["-o", "in/out", "--overwrite", "in"]);
        assert_eq!(desk.files("in"), ["in/a.txt", "in/out/a.txt.md"]);
    }
}
