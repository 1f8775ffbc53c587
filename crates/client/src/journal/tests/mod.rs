//! Real files.

mod entries;
mod files;
mod hashes;
mod kills;
mod torn;

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use http::{HeaderMap, HeaderName, HeaderValue, Method, Version};
use policy::{Attempt, Reason};

use super::*;
use crate::{Body, Payload, Request};

/// A folder with room for one journal, in memory: what is synced is not waited for.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir_in("/dev/shm").unwrap())
    }

    fn file(&self) -> PathBuf {
        self.0.path().join("journal")
    }

    fn open(&self) -> Journal {
        Journal::open(&self.file()).unwrap()
    }

    fn error(&self) -> String {
        Journal::open(&self.file()).unwrap_err().to_string()
    }

    fn bytes(&self) -> Vec<u8> {
        fs::read(self.file()).unwrap()
    }

    /// The file, made anew with this content.
    fn holding(&self, bytes: &[u8]) -> &Self {
        fs::write(self.file(), bytes).unwrap();
        self
    }
}

fn key(text: &str) -> Key {
    Key::Text(text.into())
}

fn request(body: &str) -> Request {
    Request {
        method: Method::POST,
        uri: "https://api.test/v1/chat?a=1".parse().unwrap(),
        headers: HeaderMap::from_iter([(http::header::ACCEPT, HeaderValue::from_static("*/*"))]),
        body: Body::bytes(body.to_owned()),
    }
}

fn hash(body: &str) -> Hash {
    Hash::of(&request(body)).unwrap()
}

fn entry(body: impl Into<Payload>) -> Entry {
    Entry {
        response: Response {
            status: 200,
            reason_phrase: b"OK".to_vec(),
            version: Version::HTTP_11,
            headers: HeaderMap::new(),
            removed: Vec::new(),
            body: body.into(),
            uri: "https://api.test/v1/chat".parse().unwrap(),
            retry_after: None,
        },
        attempts: vec![Attempt {
            number: 1,
            status: Some(200),
            error: None,
            started_at: SystemTime::UNIX_EPOCH + Duration::new(1_700_000_000, 123_456_789),
            duration: Duration::from_nanos(1_234_567_891),
            wait: Duration::ZERO,
            paced: Duration::from_millis(5),
            reason: Reason::Answered,
        }],
        waited: Duration::from_nanos(1),
        elapsed: Duration::from_secs(3),
    }
}

impl Entry {
    fn finished(&self) -> Finished<'_> {
        let Self { response, attempts, waited, elapsed } = self;
        Finished { response, attempts, waited: *waited, elapsed: *elapsed }
    }
}

impl Journal {
    fn add(&mut self, key: &Key, entry: &Entry) {
        self.append(key, &hash(""), &entry.finished()).unwrap();
    }

    fn get(&self, key: &Key) -> Option<Entry> {
        self.find(key, &hash("")).unwrap()
    }
}

#[track_caller]
fn assert_same(one: &Entry, other: &Entry) {
    let (left, right) = (&one.response, &other.response);
    assert_eq!(left.status, right.status);
    assert_eq!(left.reason_phrase, right.reason_phrase);
    assert_eq!(left.version, right.version);
    assert!(left.headers.iter().eq(&right.headers), "{:?} {:?}", left.headers, right.headers);
    assert!(left.body == right.body, "{} {}", left.body.len(), right.body.len());
    assert_eq!(left.uri, right.uri);
    assert_eq!(left.retry_after, right.retry_after);
    assert_eq!(one.attempts, other.attempts);
    assert_eq!((one.waited, one.elapsed), (other.waited, other.elapsed));
}
