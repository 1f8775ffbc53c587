//! Processes that are killed while they write.

use super::*;
use crate::children::{Child, hear};

/// Of the body of entry `n`: from some bytes to several pages.
fn body(n: u64) -> Vec<u8> {
    let text = format!("{n} ").repeat(1 + (n as usize % 50) * 40);
    if n.is_multiple_of(2) { text.into_bytes() } else { [text.as_bytes(), b"\xff"].concat() }
}

#[test]
fn what_was_reported_as_written_is_found() {
    let folder = Folder::new();
    let mut next = 0;
    for round in 0..15 {
        let (child, mut heard) = Child::telling(|tell| {
            let mut journal = folder.open();
            for n in next.. {
                journal.add(&Key::Int(n), &entry(body(n as u64)));
                tell(n as u64);
            }
        });
        let last = (0..=round).map(|_| hear(&mut heard)).last().unwrap();
        child.kill();
        // It may have come further than was heard.
        let journal = folder.open();
        let found = journal.len() as i64;
        assert!(found > last as i64, "{found} {last}");
        for n in 0..found {
            assert_eq!(journal.get(&Key::Int(n)).unwrap().response.body.to_vec(), body(n as u64));
        }
        next = found;
    }
}

#[test]
fn killed_while_it_is_made() {
    for round in 0..30 {
        let folder = Folder::new();
        let child = Child::start(|| {
            loop {
                let _ = fs::remove_file(folder.file());
                drop(folder.open());
            }
        });
        std::thread::sleep(Duration::from_micros(round * 100));
        child.kill();
        assert!(folder.open().is_empty());
    }
}
