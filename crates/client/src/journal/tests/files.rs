//! What a path can lead to, and who may have it.

use std::{
    fs::{File, Permissions},
    io::Write,
    os::unix::fs::symlink,
};

use super::*;
use crate::{children::Child, forked};

fn error(path: &str) -> String {
    Journal::open(Path::new(path)).unwrap_err().to_string()
}

#[test]
fn only_the_owner_can_read_a_new_one() {
    let folder = Folder::new();
    drop(folder.open());
    assert_eq!(folder.file().metadata().unwrap().permissions().mode() & 0o7777, 0o600);
}

#[test]
fn an_empty_file_becomes_a_journal() {
    let folder = Folder::new();
    folder.holding(b"").open().add(&Key::Int(1), &entry("a"));
    assert!(folder.open().contains(&Key::Int(1)));
}

#[test]
fn one_at_a_time() {
    let folder = Folder::new();
    let journal = folder.open();
    let in_use = "The journal is in use by another process, or by another batch of this one";
    assert_eq!(folder.error(), in_use);
    forked::in_child(|| {
        assert_eq!(folder.error(), in_use);
    });
    drop(journal);
    forked::in_child(|| drop(folder.open()));
    folder.open().close().unwrap();
    folder.open();
}

#[test]
fn a_forked_child_leaves_it_alone() {
    let folder = Folder::new();
    let mut journal = Some(folder.open());
    journal.as_mut().unwrap().add(&Key::Int(1), &entry("a"));
    let before = folder.bytes();
    forked::in_child(|| {
        let mut journal = journal.take().unwrap();
        let error = journal.append(&Key::Int(2), &hash(""), &entry("").finished()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "The journal was opened before a fork and belongs to the parent process"
        );
        drop(journal);
        assert_eq!(folder.bytes(), before);
        assert!(folder.error().contains("in use"));
    });
}

#[test]
fn the_lock_is_not_left_to_a_child() {
    let folder = Folder::new();
    let journal = folder.open();
    let _child = Child::holding(|| {});
    assert!(folder.error().contains("in use"));
    drop(journal);
    folder.open();
}

#[test]
fn only_a_regular_file() {
    let folder = Folder::new();
    fs::create_dir(folder.file()).unwrap();
    let path = std::ffi::CString::new(folder.0.path().join("fifo").to_str().unwrap()).unwrap();
    // SAFETY: a live, NUL-terminated string.
    assert_eq!(unsafe { libc::mkfifo(path.as_ptr(), 0o600) }, 0);
    for path in [folder.file().to_str().unwrap(), path.to_str().unwrap(), "/dev/full", "/dev/null"] {
        assert_eq!(error(path), "The journal must be a regular file", "{path}");
    }
}

#[test]
fn a_path_that_leads_nowhere() {
    let folder = Folder::new();
    let path = folder.0.path().join("secret/journal");
    assert_eq!(
        error(path.to_str().unwrap()),
        "The journal cannot be opened: No such file or directory (os error 2)"
    );
    assert!(error("a\0b").starts_with("The journal cannot be opened: "));
}

#[test]
fn a_link_is_followed() {
    let folder = Folder::new();
    let target = folder.0.path().join("target");
    symlink(&target, folder.file()).unwrap();
    folder.open().add(&Key::Int(1), &entry("a"));
    assert!(folder.file().is_symlink());
    assert!(Journal::open(&target).unwrap().contains(&Key::Int(1)));
}

#[test]
fn a_file_that_may_only_be_read() {
    let folder = Folder::new();
    drop(folder.open());
    fs::set_permissions(folder.file(), Permissions::from_mode(0o444)).unwrap();
    fs::set_permissions(folder.0.path(), Permissions::from_mode(0o755)).unwrap();
    forked::in_child(|| {
        /// The user "nobody", should this be root, who may write to anything.
        const NOBODY: libc::uid_t = 65_534;
        // SAFETY: no memory is involved.
        unsafe { libc::setuid(NOBODY) };
        assert_eq!(folder.error(), "The journal cannot be opened: Permission denied (os error 13)");
    });
}

/// As a full disk does, but without one: a limit cuts a write short, and the next one fails.
fn limit_files_to(bytes: u64) {
    let limit = libc::rlimit { rlim_cur: bytes, rlim_max: libc::RLIM_INFINITY };
    // SAFETY: the limit is a live local; the signal is ignored.
    unsafe {
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
        assert_eq!(libc::setrlimit(libc::RLIMIT_FSIZE, &raw const limit), 0);
    }
}

#[test]
fn a_write_that_fails_half_way_leaves_nothing() {
    let folder = Folder::new();
    let mut journal = folder.open();
    journal.add(&Key::Int(1), &entry("a"));
    let before = folder.bytes();
    drop(journal);
    forked::in_child(|| {
        let mut journal = folder.open();
        limit_files_to(before.len() as u64 + 1000);
        let long = entry("a".repeat(2000));
        for _ in 0..2 {
            let error = journal.append(&Key::Int(2), &hash(""), &long.finished()).unwrap_err();
            assert_eq!(error.to_string(), "The journal cannot be written: File too large (os error 27)");
            assert_eq!(folder.bytes(), before);
            assert!(!journal.contains(&Key::Int(2)));
        }
        journal.add(&Key::Int(3), &entry("b"));
    });
    let journal = folder.open();
    assert_eq!(journal.len(), 2);
    assert_eq!(journal.get(&Key::Int(3)).unwrap().response.body, "b");
}

#[test]
fn a_first_line_that_finds_no_room() {
    let folder = Folder::new();
    forked::in_child(|| {
        limit_files_to(10);
        assert_eq!(folder.error(), "The journal cannot be written: File too large (os error 27)");
    });
    assert_eq!(folder.bytes(), b"");
    folder.open();
}

#[test]
fn what_others_did_to_an_entry_is_noticed() {
    let folder = Folder::new();
    let mut journal = folder.open();
    journal.add(&Key::Int(1), &entry("a"));
    let mut others = File::options().append(true).open(folder.file()).unwrap();
    others.write_all(b"unasked").unwrap();
    assert_eq!(journal.get(&Key::Int(1)).unwrap().response.body, "a");

    fs::write(folder.file(), String::from_utf8(folder.bytes()).unwrap().replace("\"key\":1", "\"key\":2"))
        .unwrap();
    let changed = "The journal was changed by others while in use: the entry of the key 1 is lost";
    assert_eq!(journal.find(&Key::Int(1), &hash("")).unwrap_err().to_string(), changed);
    fs::write(folder.file(), vec![0; 10_000]).unwrap();
    assert_eq!(journal.find(&Key::Int(1), &hash("")).unwrap_err().to_string(), changed);
    others.set_len(0).unwrap();
    let error = journal.find(&Key::Int(1), &hash("")).unwrap_err().to_string();
    assert!(error.starts_with("The journal cannot be read: "), "{error}");
}

#[test]
fn it_is_synced_once_a_second() {
    let folder = Folder::new();
    let mut journal = folder.open();
    let at = |seconds: f64| Timestamp::from_nanos(10).after(Duration::from_secs_f64(seconds));
    for (seconds, unsynced) in [(0.0, false), (0.9, true), (1.0, false), (1.9, true), (5.0, false)] {
        journal.add(&Key::Int(1), &entry("a"));
        assert!(journal.unsynced);
        journal.sync_if_due(at(seconds)).unwrap();
        assert_eq!(journal.unsynced, unsynced, "{seconds}");
    }
}
