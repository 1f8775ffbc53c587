//! A file as sink: whole or untouched.

use std::{
    fs::{self, Permissions},
    os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt, symlink},
    path::{Path, PathBuf},
};

use client::{Call, Ended, Sink};
use policy::{FailureKind, Options, Reason};
use test_server::{TestServer, json};

use crate::support::{
    ends::{answer, failure},
    get, quick, reasons, send,
};

struct Folder {
    server: TestServer,
    folder: tempfile::TempDir,
}

impl Folder {
    fn new(steps: serde_json::Value) -> Self {
        let server = TestServer::start();
        server.script("a", steps);
        Self { server, folder: tempfile::tempdir().unwrap() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn call(&self, path: &Path) -> Call {
        let three = Options { max_attempts: 3, ..quick(0.01) };
        let mut call = get(&format!("{}/a", self.server.http()), &three);
        call.sink = Sink::File(path.to_owned());
        call
    }

    fn send(&self, path: &Path) -> Ended {
        send(self.call(path))
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.folder.path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

#[test]
fn a_whole_body_replaces_the_file() {
    let case =
        Folder::new(json!([{"status": 503, "body": "busy"}, {"body_repeat": ["0123456789", 1_000_000]}]));
    let path = case.path("wanted");
    fs::write(&path, "old").unwrap();
    let answer = answer(case.send(&path));
    assert_eq!((answer.status, answer.body.len()), (200, 0));
    let written = fs::read(&path).unwrap();
    assert_eq!(written.len(), 10_000_000);
    assert!(written.chunks(10).all(|ten| ten == b"0123456789"));
    assert_eq!(case.names(), ["wanted"]);
}

#[test]
fn a_failed_call_leaves_the_old_file_and_nothing_else() {
    for step in [
        json!({"action": "half", "body_repeat": ["x", 100_000]}),
        json!({"action": "reset"}),
        json!({"body": "hello", "encoding": "gzip", "truncate": -4}),
    ] {
        let case = Folder::new(json!([step]));
        let path = case.path("wanted");
        fs::write(&path, "old").unwrap();
        let ended = case.send(&path);
        assert_eq!(reasons(&ended.attempts), [Reason::Network, Reason::Network, Reason::AttemptsExhausted]);
        failure(ended);
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(case.names(), ["wanted"]);
        failure(case.send(&case.path("new")));
        assert_eq!(case.names(), ["wanted"]);
    }
}

#[test]
fn a_broken_body_is_sent_for_again_into_a_fresh_file() {
    let case = Folder::new(json!([{"action": "half", "body": "0123456789"}, {"body": "whole"}]));
    let path = case.path("wanted");
    let ended = case.send(&path);
    assert_eq!(reasons(&ended.attempts), [Reason::Network, Reason::Answered]);
    assert_eq!(fs::read(&path).unwrap(), b"whole");
}

#[test]
fn permissions_stay() {
    let case = Folder::new(json!([{"body": "new"}]));
    for mode in [0o600, 0o640, 0o644, 0o664, 0o666, 0o755] {
        let path = case.path("wanted");
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
        answer(case.send(&path));
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o7777, mode, "{mode:o}");
        assert_eq!(fs::read(&path).unwrap(), b"new");
    }
}

#[test]
fn a_new_file_has_the_permissions_of_any_new_file() {
    let case = Folder::new(json!([{"body": "new"}]));
    fs::write(case.path("any"), "").unwrap();
    answer(case.send(&case.path("wanted")));
    let mode = |name: &str| fs::metadata(case.path(name)).unwrap().permissions().mode();
    assert_eq!(mode("wanted"), mode("any"));
}

#[test]
fn a_link_stays_and_its_target_is_replaced() {
    let case = Folder::new(json!([{"body": "new"}]));
    fs::create_dir(case.path("elsewhere")).unwrap();
    let target = case.path("elsewhere/target");
    fs::write(&target, "old").unwrap();
    symlink("elsewhere/target", case.path("link")).unwrap();
    symlink("link", case.path("second")).unwrap();
    answer(case.send(&case.path("second")));
    assert_eq!(fs::read_link(case.path("second")).unwrap(), Path::new("link"));
    assert_eq!(fs::read_link(case.path("link")).unwrap(), Path::new("elsewhere/target"));
    assert_eq!(fs::read(&target).unwrap(), b"new");
}

#[test]
fn a_link_to_what_does_not_exist_yet_leads_there_too() {
    let case = Folder::new(json!([{"body": "new"}]));
    fs::create_dir(case.path("elsewhere")).unwrap();
    symlink("elsewhere/target", case.path("link")).unwrap();
    symlink("link", case.path("second")).unwrap();
    answer(case.send(&case.path("second")));
    assert_eq!(fs::read(case.path("elsewhere/target")).unwrap(), b"new");
    assert!(fs::symlink_metadata(case.path("link")).unwrap().is_symlink());

    symlink("round", case.path("round")).unwrap();
    assert_eq!(failure(case.send(&case.path("round"))).kind, FailureKind::Sink);
    assert_eq!(case.names(), ["elsewhere", "link", "round", "second"]);
}

#[test]
fn other_links_to_the_old_file_keep_it() {
    let case = Folder::new(json!([{"body": "new"}]));
    let path = case.path("wanted");
    fs::write(&path, "old").unwrap();
    fs::hard_link(&path, case.path("backup")).unwrap();
    answer(case.send(&path));
    assert_eq!(fs::read(case.path("backup")).unwrap(), b"old");
    assert_eq!(fs::metadata(&path).unwrap().nlink(), 1);
}

#[test]
fn what_is_no_file_is_not_replaced() {
    let case = Folder::new(json!([{"body": "new"}]));
    fs::create_dir(case.path("folder")).unwrap();
    let ended = case.send(&case.path("folder"));
    assert_eq!(failure(ended).kind, FailureKind::Sink);
    assert!(fs::metadata(case.path("folder")).unwrap().is_dir());

    // A named pipe, as /dev/stdout or /dev/null might be.
    let pipe = case.path("pipe");
    let name = std::ffi::CString::new(pipe.to_str().unwrap()).unwrap();
    // SAFETY: the name is a valid C string.
    assert_eq!(unsafe { libc::mkfifo(name.as_ptr(), 0o600) }, 0);
    let ended = case.send(&pipe);
    assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo(), "the pipe was replaced");
    assert_eq!(failure(ended).kind, FailureKind::Sink);
    assert_eq!(case.names(), ["folder", "pipe"]);
}

#[test]
fn a_folder_that_does_not_exist_fails_once() {
    let case = Folder::new(json!([{"body": "new"}]));
    let ended = case.send(&case.path("none/wanted"));
    assert_eq!(reasons(&ended.attempts), [Reason::NotRetryable]);
    let failed = failure(ended);
    assert_eq!((failed.kind, failed.permanent), (FailureKind::Sink, true));
    assert_eq!(case.server.log("a").len(), 1);
}

#[test]
fn an_error_page_replaces_the_file_only_if_wanted() {
    let case = Folder::new(json!([{"status": 404, "body": "no such"}]));
    let path = case.path("wanted");
    fs::write(&path, "old").unwrap();
    let mut asked = case.call(&path);
    asked.sink_errors = false;
    assert_eq!(answer(send(asked)).body, "no such");
    assert_eq!(fs::read(&path).unwrap(), b"old");
    assert_eq!(answer(case.send(&path)).body, "");
    assert_eq!(fs::read(&path).unwrap(), b"no such");
}

#[test]
fn an_empty_body_is_an_empty_file() {
    let case = Folder::new(json!([{"status": 204}]));
    let path = case.path("wanted");
    fs::write(&path, "old").unwrap();
    assert_eq!(answer(case.send(&path)).status, 204);
    assert_eq!(fs::read(&path).unwrap(), b"");
}
