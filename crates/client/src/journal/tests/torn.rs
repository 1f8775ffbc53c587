//! Files that do not end as they should, and files that are none of ours.

use super::*;
use crate::forked;

/// A small journal.
fn journal(folder: &Folder) -> Vec<u8> {
    let mut journal = folder.open();
    for (key, body) in [(Key::Int(1), &b"one"[..]), (key("é\n"), b"\xff"), (Key::Int(3), b"")] {
        journal.add(&key, &entry(body.to_vec()));
    }
    folder.bytes()
}

/// The whole lines of a file.
fn whole_lines(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte == b'\n').count()
}

#[test]
fn cut_off_at_any_length() {
    let folder = Folder::new();
    let whole = journal(&folder);
    let keys = [Key::Int(1), key("é\n"), Key::Int(3)];
    for length in 0..=whole.len() {
        let left = &whole[..length];
        let mut journal = folder.holding(left).open();
        let entries = whole_lines(left).saturating_sub(1);
        assert_eq!(journal.len(), entries, "{length}");
        for (at, key) in keys.iter().enumerate() {
            assert_eq!(journal.get(key).is_some(), at < entries, "{length} {key}");
        }
        // What was half of a line is gone, and the next one is whole.
        journal.add(&Key::Int(4), &entry("four"));
        drop(journal);
        assert_eq!(whole_lines(&folder.bytes()), entries + 2);
        let journal = folder.open();
        assert_eq!(
            (journal.len(), journal.get(&Key::Int(4)).unwrap().response.body),
            (entries + 1, "four".into())
        );
    }
}

#[test]
fn what_was_only_begun_may_be_anything() {
    let folder = Folder::new();
    let whole = journal(&folder);
    for rest in [&b"\0"[..], &[0; 100_000], b"garbage", b"{}", b"{\"key\":", b"\xff\xfe"] {
        assert_eq!(folder.holding(&[&whole, rest].concat()).open().len(), 3);
        assert_eq!(folder.bytes(), whole);
    }
}

#[test]
fn a_damaged_line_is_named_and_nothing_is_changed() {
    let folder = Folder::new();
    let whole = String::from_utf8(journal(&folder)).unwrap();
    let mut lines: Vec<&str> = whole.split_inclusive('\n').collect();
    let good = lines[2].to_owned();
    let changed = |from: &str, to: &str| {
        assert!(good.contains(from), "{from}");
        good.replace(from, to)
    };
    let bad = [
        "\n".to_owned(),
        "secret\n".into(),
        "{}\n".into(),
        "[]\n".into(),
        "null\n".into(),
        format!("{}\n", "\0".repeat(100_000)),
        format!("{}\n", &good[..good.len() / 2]),
        format!("{}{good}", good.trim_end()),
        format!("{},\n", good.trim_end()),
        changed("\"status\":200", "\"status\":\"secret\""),
        changed("\"status\":200,", ""),
        changed("\"status\":200", "\"status\":200,\"status\":200"),
        changed("\"status\":200", "\"status\":200,\"secret\":1"),
        changed("\"status\":200", "\"status\":65536"),
        changed("\"headers\":[]", "\"headers\":[[\"a b\",\"c\"]]"),
        changed("\"headers\":[]", "\"headers\":[[\"a\",\"\\n\"]]"),
        changed("\"headers\":[]", "\"headers\":[[\"a\"]]"),
        changed("https://api.test", "api.test"),
        changed("\"answered\"", "\"secret\""),
        changed("\"1.1\"", "\"1.2\""),
        changed("\"hash\":\"", "\"hash\":\"AAAA"),
        changed("\"hash\":\"", "\"hash\":\"!"),
        changed("\"key\":\"é\\n\"", "\"key\":1.5"),
        changed("\"key\":\"é\\n\"", "\"key\":9223372036854775808"),
        changed("\"key\":\"é\\n\"", "\"key\":{\"base64\":\"secret!\"}"),
        changed("\"key\":\"é\\n\"", "\"key\":{\"base32\":\"\"}"),
        changed("\"key\":\"é\\n\"", "\"key\":null"),
    ];
    for bad in &bad {
        lines[2] = bad;
        let bytes = lines.concat().into_bytes();
        let error = folder.holding(&bytes).error();
        assert!(error.starts_with("The journal is damaged: line 3 is no entry (column "), "{bad} {error}");
        assert!(!error.contains("secret"), "{error}");
        assert_eq!(folder.bytes(), bytes);
    }
    lines[2] = &good;
    lines[3] = "x\n";
    assert!(folder.holding(lines.concat().as_bytes()).error().contains("line 4"));
}

#[test]
fn files_that_are_none_of_ours() {
    let folder = Folder::new();
    let head = String::from_utf8(scan::HEAD.to_vec()).unwrap();
    let foreign = "The journal must be a new file or one that a batch wrote: line 1 is another's";
    let later = "The journal has version 2 of the format, where 1 is known";
    for (content, expected) in [
        ("secret".to_owned(), foreign),
        ("\n".into(), foreign),
        (format!("\n{head}"), foreign),
        (format!("{}\r\n", head.trim_end()), foreign),
        ("x".repeat(1_000_000), foreign),
        ("{\"format\":\"other\",\"version\":1}\n".into(), foreign),
        (head.replace('1', "2"), later),
        (head.replace("1}", "2,\"more\":true}"), later),
    ] {
        assert_eq!(folder.holding(content.as_bytes()).error(), expected);
        assert_eq!(folder.bytes(), content.as_bytes());
    }
}

/// The most memory this process had, in KiB, since it was last asked.
fn peak() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    // proc(5): sets the peak to what is used now.
    fs::write("/proc/self/clear_refs", "5").unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

#[test]
fn a_long_line_is_not_kept_in_memory() {
    const MIB: usize = 1024 * 1024;
    let folder = Folder::new();
    let mut journal = folder.open();
    journal.add(&Key::Int(1), &entry("a\"".repeat(6 * MIB)));
    journal.add(&Key::Int(2), &entry(vec![0xff; 12 * MIB]));
    drop(journal);
    let begun = [&folder.bytes()[..], &vec![b'x'; 12 * MIB]].concat();
    folder.holding(&begun);
    drop(begun);
    // Code that is touched for the first time counts, too.
    forked::in_child(|| {
        peak();
        let before = peak();
        assert_eq!(folder.open().len(), 2);
        let used = peak().saturating_sub(before);
        assert!(used < 6 * 1024, "{used} KiB");
    });
    assert_eq!(folder.open().get(&Key::Int(2)).unwrap().response.body.len(), 12 * MIB);
}
