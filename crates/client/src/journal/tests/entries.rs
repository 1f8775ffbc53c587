//! What is written is what is read.

use bytes::Bytes;
use proptest::prelude::*;

use super::*;

fn of_all_kinds() -> Entry {
    let mut entry = entry("{\"a\": \"\\ \u{1}\u{7f}\u{2028} é 🦀\"}\r\n");
    let response = &mut entry.response;
    response.status = 503;
    response.reason_phrase = b"N\xff\xe9 \"x\"".to_vec();
    response.version = Version::HTTP_2;
    response.retry_after = Some(Duration::new(u64::MAX, 999_999_999));
    for (name, value) in
        [("x-b", &b"1"[..]), ("x-a", b"\xff\x80"), ("x-b", b"2"), ("x-c", b""), ("x-b", b"\xc3\xa9\t\"")]
    {
        response.headers.append(HeaderName::from_static(name), HeaderValue::from_bytes(value).unwrap());
    }
    let first = entry.attempts[0].clone();
    entry.attempts = Reason::ALL.map(|reason| Attempt { reason, ..first.clone() }).to_vec();
    entry.attempts[3] = Attempt {
        number: u32::MAX,
        status: None,
        error: Some("Cannot connect to \"x\"".into()),
        wait: Duration::MAX,
        paced: Duration::from_nanos(1),
        ..first
    };
    entry
}

#[test]
fn every_field_comes_back() {
    let folder = Folder::new();
    let keys =
        [Key::Int(i64::MIN), Key::Int(1), key("1"), key(""), key("é\n\"\0"), Key::Text(vec![0xff, 0, b'a'])];
    let mut journal = folder.open();
    assert!(journal.is_empty());
    let entry = of_all_kinds();
    for key in &keys {
        assert!(!journal.contains(key));
        journal.add(key, &entry);
        assert_same(&journal.get(key).unwrap(), &entry);
    }
    journal.close().unwrap();
    let journal = folder.open();
    assert_eq!(journal.len(), keys.len());
    for key in &keys {
        assert!(journal.contains(key));
        assert_same(&journal.get(key).unwrap(), &entry);
    }
    assert!(journal.get(&key("2")).is_none());
    assert_eq!(folder.bytes().iter().filter(|byte| **byte == b'\n').count(), 1 + keys.len());
}

#[test]
fn all_versions_of_http() {
    let folder = Folder::new();
    let mut journal = folder.open();
    let versions = [Version::HTTP_09, Version::HTTP_10, Version::HTTP_11, Version::HTTP_2, Version::HTTP_3];
    for version in versions {
        let mut entry = entry("");
        entry.response.version = version;
        journal.add(&Key::Int(1), &entry);
        assert_same(&journal.get(&Key::Int(1)).unwrap(), &entry);
    }
}

#[test]
fn what_a_line_looks_like() {
    let folder = Folder::new();
    let mut journal = folder.open();
    let mut entry = entry("{\"é\"}");
    entry.response.headers.insert("x-a", HeaderValue::from_static("b"));
    journal.append(&Key::Int(7), &hash("x"), &entry.finished()).unwrap();
    entry.response.body = Payload::from(vec![0xff]);
    journal.append(&Key::Text(vec![0xfe]), &hash("x"), &entry.finished()).unwrap();
    let text = String::from_utf8(folder.bytes()).unwrap();
    let hash = serde_json::to_string(&hash("x")).unwrap();
    let rest = format!(
        ",\"hash\":{hash},\"status\":200,\"reason\":\"OK\",\"protocol\":\"1.1\",\"headers\":[[\"x-a\",\"b\"]],\
        \"uri\":\"https://api.test/v1/chat\",\"retryAfter\":null,\"attempts\":[{{\"number\":1,\"status\":200,\
        \"error\":null,\"startedAt\":{{\"secs_since_epoch\":1700000000,\"nanos_since_epoch\":123456789}},\
        \"duration\":{{\"secs\":1,\"nanos\":234567891}},\"wait\":{{\"secs\":0,\"nanos\":0}},\
        \"paced\":{{\"secs\":0,\"nanos\":5000000}},\"reason\":\"answered\"}}],\
        \"waited\":{{\"secs\":0,\"nanos\":1}},\"elapsed\":{{\"secs\":3,\"nanos\":0}},\"body\":"
    );
    let lines = [
        "{\"format\":\"retry_client journal\",\"version\":1}".to_owned(),
        format!("{{\"key\":7{rest}\"{{\\\"é\\\"}}\"}}"),
        format!("{{\"key\":{{\"base64\":\"/g==\"}}{rest}{{\"base64\":\"/w==\"}}}}"),
    ];
    assert!(text.lines().eq(lines), "{text}");
}

#[test]
fn no_credential_is_written() {
    let folder = Folder::new();
    let mut journal = folder.open();
    let mut request = request("");
    request.uri = "https://user:secret@api.test/?key=secret".parse().unwrap();
    for name in ["authorization", "proxy-authorization", "cookie", "x-api-key", "x-other"] {
        request.headers.insert(name, HeaderValue::from_static("secret"));
    }
    let hash = Hash::of(&request).unwrap();
    let mut entry = entry("");
    entry.response.uri = "https://user:secret@api.test/a?key=secret#secret".parse().unwrap();
    for value in ["a=secret", "b=secret"] {
        entry.response.headers.append(http::header::SET_COOKIE, HeaderValue::from_static(value));
    }
    journal.append(&Key::Int(1), &hash, &entry.finished()).unwrap();
    assert!(!String::from_utf8(folder.bytes()).unwrap().contains("secret"));
    let found = journal.find(&Key::Int(1), &hash).unwrap().unwrap();
    assert_eq!(found.response.uri.as_str(), "https://api.test/a");
    assert!(found.response.headers.is_empty());
}

#[test]
fn another_request_under_a_key() {
    let folder = Folder::new();
    let mut journal = folder.open();
    for key in [Key::Int(7), key("a\nb"), key(&"é".repeat(100))] {
        journal.add(&key, &entry(""));
        let error = journal.find(&key, &hash("other")).unwrap_err();
        assert_eq!(error.to_string(), format!("The journal has another request under the key {key}"));
    }
    let shown = [Key::Int(-7), key("a\nb"), key(&"é".repeat(61))].map(|key| key.to_string());
    assert_eq!(shown, ["-7".into(), "\"a?b\"".into(), format!("\"{}...\"", "é".repeat(60))]);
}

#[test]
fn the_last_entry_of_a_key_holds() {
    let folder = Folder::new();
    let mut journal = folder.open();
    journal.add(&Key::Int(1), &entry("one"));
    journal.add(&Key::Int(1), &entry("two"));
    for _ in 0..2 {
        assert_eq!((journal.len(), journal.get(&Key::Int(1)).unwrap().response.body), (1, "two".into()));
        drop(journal);
        journal = folder.open();
    }
}

#[test]
fn a_time_before_1970_is_1970() {
    let folder = Folder::new();
    let mut journal = folder.open();
    let mut entry = entry("");
    entry.attempts[0].started_at = SystemTime::UNIX_EPOCH - Duration::from_secs(1);
    journal.add(&Key::Int(1), &entry);
    assert_eq!(journal.get(&Key::Int(1)).unwrap().attempts[0].started_at, SystemTime::UNIX_EPOCH);
}

fn payload(stretches: &[Vec<u8>]) -> Payload {
    let mut payload = Payload::default();
    for stretch in stretches {
        // Long enough to be kept as a stretch of its own.
        let padded = [&b"x".repeat(4096), stretch.as_slice(), &b"y".repeat(4096)];
        let (one, two) = padded.split_at(1);
        payload.push(Bytes::from(one.concat()));
        payload.push(Bytes::from(two.concat()));
    }
    payload
}

#[test]
fn a_body_in_stretches_is_one_body() {
    let folder = Folder::new();
    let mut journal = folder.open();
    let text = "a é 🦀 ".repeat(3000).into_bytes();
    for size in [4096, 4097, 4098, 4099, 4100, 9999] {
        // Cut between any two bytes of a character, and as bytes that are no text, at any of three places.
        for tail in [&b""[..], b"\xff", b"\xff\xff", b"\xf0\x9f", b"\xc3"] {
            let whole = [&text[..], tail].concat();
            let mut body = Payload::default();
            whole.chunks(size).for_each(|stretch| body.push(Bytes::copy_from_slice(stretch)));
            journal.add(&Key::Int(1), &entry(body));
            assert_eq!(journal.get(&Key::Int(1)).unwrap().response.body.to_vec(), whole, "{size} {tail:?}");
        }
    }
}

#[test]
fn a_long_body_of_bytes() {
    let folder = Folder::new();
    let mut journal = folder.open();
    let body: Vec<u8> = (0..300_001_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    journal.add(&Key::Int(1), &entry(body.clone()));
    assert_eq!(journal.get(&Key::Int(1)).unwrap().response.body.to_vec(), body);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_bytes_come_back(
        name: Vec<u8>, reason: Vec<u8>, stretches in prop::collection::vec(any::<Vec<u8>>(), 0..3), text: String,
    ) {
        let folder = Folder::new();
        let mut journal = folder.open();
        let mut one = entry(payload(&stretches));
        one.response.reason_phrase = reason;
        let other = entry(text);
        journal.add(&Key::Text(name.clone()), &one);
        journal.add(&Key::Int(1), &other);
        drop(journal);
        let journal = folder.open();
        assert_same(&journal.get(&Key::Text(name)).unwrap(), &one);
        assert_same(&journal.get(&Key::Int(1)).unwrap(), &other);
    }
}
