//! When two requests are the same to a journal.

use http::header;
use proptest::prelude::*;

use super::*;
use crate::Part;

fn with(change: impl FnOnce(&mut Request)) -> Hash {
    let mut request = request("body");
    request.headers.insert("x-a", HeaderValue::from_static("1"));
    request.headers.append("x-a", HeaderValue::from_static("2"));
    change(&mut request);
    Hash::of(&request).unwrap()
}

#[test]
fn what_a_request_asks_for_makes_a_difference() {
    let uri = |uri: &'static str| with(|request| request.uri = uri.parse().unwrap());
    let header = |name: &'static str, value: &'static str| {
        with(|request| drop(request.headers.insert(name, HeaderValue::from_static(value))))
    };
    let all = [
        with(|_| {}),
        with(|request| request.method = Method::PUT),
        with(|request| request.body = Body::default()),
        with(|request| request.body = Body::bytes("Body")),
        with(|request| request.body = Body::bytes("body ")),
        uri("https://api.test/v1/chat?a=2"),
        uri("https://api.test/v1/chat"),
        uri("https://api.test/v1/Chat?a=1"),
        uri("http://api.test/v1/chat?a=1"),
        uri("https://api.test:444/v1/chat?a=1"),
        header("x-a", "1"),
        header("x-b", "1"),
        header("x-b", ""),
        header("content-type", "text/plain"),
        header("x-api-key-id", "1"),
        with(|request| drop(request.headers.remove("x-a"))),
        with(|request| assert!(request.headers.append("x-a", HeaderValue::from_static("2")))),
    ];
    for (at, one) in all.iter().enumerate() {
        assert!(!all[..at].contains(one), "{at}");
    }
}

#[test]
fn who_asks_makes_none() {
    let plain = with(|_| {});
    for name in [
        "Authorization",
        "Proxy-Authorization",
        "Cookie",
        "X-Api-Key",
        "API-key",
        "x-goog-api-key",
        "Idempotency-Key",
        "User-Agent",
    ] {
        let name: HeaderName = name.parse().unwrap();
        for value in ["secret", "another"] {
            let given = with(|request| drop(request.headers.insert(&name, HeaderValue::from_static(value))));
            assert_eq!(given, plain, "{name}");
        }
    }
    for uri in ["https://u@api.test/v1/chat?a=1", "https://u:p@api.test/v1/chat?a=1"] {
        assert_eq!(with(|request| request.uri = uri.parse().unwrap()), plain);
    }
}

/// A hash that changes makes journals useless that were written before.
#[test]
fn the_hash_stays_what_it_is() {
    let known = "\"9oXSxKAnu80oHkV7blNpIN/6tuS1sUMHvArn4t0Fs+w=\"";
    assert_eq!(serde_json::to_string(&with(|_| {})).unwrap(), known);
    let (body, content_type) = Body::multipart(vec![part("a", Body::bytes("1"))], "b");
    let known = "\"eLLD2JYZ9NgW3fcju4KZRCSTGuW2A/LL0UHkTYx4H5o=\"";
    assert_eq!(serde_json::to_string(&multipart(body, &content_type)).unwrap(), known);
}

#[test]
fn nothing_is_shifted_from_one_part_to_the_next() {
    let of = |headers: &[(&str, &str)], body: &str| {
        let mut request = request(body);
        request.headers = headers
            .iter()
            .map(|(name, value)| (name.parse::<HeaderName>().unwrap(), value.parse::<HeaderValue>().unwrap()))
            .collect();
        Hash::of(&request).unwrap()
    };
    assert_ne!(of(&[("a", "bc")], ""), of(&[("ab", "c")], ""));
    assert_ne!(of(&[("a", "b"), ("c", "d")], ""), of(&[("a", "bcd")], ""));
    assert_ne!(of(&[("a", "b")], "c"), of(&[("a", "bc")], ""));
    assert_ne!(of(&[("a", "")], ""), of(&[], "a"));
}

fn file(contents: &[u8]) -> Body {
    use std::io::Write;
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(contents).unwrap();
    Body::file(file, 0, contents.len() as u64)
}

fn part(name: &str, contents: Body) -> Part {
    Part { name: name.into(), filename: None, content_type: None, contents }
}

fn multipart(body: Body, content_type: &str) -> Hash {
    with(|request| {
        request.headers.insert(header::CONTENT_TYPE, content_type.parse().unwrap());
        request.body = body;
    })
}

#[test]
fn a_body_is_hashed_wherever_it_is() {
    let contents: Vec<u8> = (0..200_000_u32).map(|n| n as u8).collect();
    let of = |body: Body| with(|request| request.body = body);
    assert_eq!(of(file(&contents)), of(Body::bytes(contents.clone())));
    let mut other = contents.clone();
    other[199_999] = 0;
    assert_ne!(of(file(&other)), of(Body::bytes(contents)));
}

#[test]
fn a_body_that_cannot_be_read_has_no_hash() {
    let body = Body::file(tempfile::tempfile().unwrap(), 0, 1);
    let error = Hash::of(&Request { body, ..request("") }).unwrap_err().to_string();
    assert_eq!(
        error,
        "The journal needs the request's body, which cannot be read: the file became shorter while it was read"
    );
}

#[test]
fn a_boundary_makes_no_difference() {
    let form = |boundary: &str, value: &str, contents: &[u8]| {
        let parts = vec![part("a", Body::bytes(value.to_owned())), part("b", file(contents))];
        let (body, content_type) = Body::multipart(parts, boundary);
        multipart(body, &content_type)
    };
    let boundaries = [crate::boundary(), crate::boundary(), "x".into(), "1".into()];
    let all: Vec<_> = boundaries.iter().map(|boundary| form(boundary, "1", b"file")).collect();
    assert!(all.iter().all(|one| *one == all[0]));
    for (value, contents) in [("2", &b"file"[..]), ("x", b"file"), ("", b"file"), ("1", b"File"), ("1", b"")]
    {
        for boundary in &boundaries {
            assert_ne!(form(boundary, value, contents), all[0], "{boundary} {value}");
        }
    }
    // Nor is it anything that one can write into a field.
    let values = ["--x", "\r\n--x", "\r\n--x--", "\r\n--", "\r\n", ""];
    for (at, value) in values.iter().enumerate() {
        for other in &values[..at] {
            assert_ne!(form("x", value, b""), form("x", other, b""), "{value:?} {other:?}");
        }
    }
}

#[test]
fn a_type_with_another_parameter_is_another() {
    let of = |content_type: &str| multipart(Body::bytes("--x\r\n\r\na\r\n--x--\r\n"), content_type);
    assert_ne!(of("multipart/form-data; boundary=x"), of("multipart/mixed; boundary=x"));
    assert_ne!(of("multipart/mixed; boundary=x; a=b"), of("multipart/mixed; boundary=x; a=c"));
    assert_ne!(of("multipart/mixed; boundary=x"), of("multipart/mixed; boundary="));
    // A body that is not taken apart there.
    assert_ne!(of("multipart/mixed; boundary=x"), of("multipart/mixed; boundary=y"));
}

/// `body` with boundaries where it has a `|`.
fn drawn(body: &str, boundary: &str) -> Vec<u8> {
    body.replace('|', &format!("\r\n--{boundary}")).into_bytes()
}

proptest! {
    #[test]
    fn the_order_and_case_of_headers_make_no_difference(
        headers in prop::collection::btree_map("[a-z]{1,8}", "[ -~]{0,8}", 0..8), seed: prop::sample::Index,
    ) {
        let of = |headers: &mut dyn Iterator<Item = (String, String)>| with(|request| {
            for (name, value) in headers {
                request.headers.append(name.parse::<HeaderName>().unwrap(), value.parse().unwrap());
            }
        });
        let turned = headers.clone().into_iter().map(|(name, value)| (name.to_uppercase(), value));
        let mut turned: Vec<_> = turned.collect();
        if !turned.is_empty() {
            let middle = seed.index(turned.len());
            turned.rotate_left(middle);
        }
        prop_assert_eq!(of(&mut headers.into_iter()), of(&mut turned.into_iter()));
    }

    #[test]
    fn two_forms_are_the_same_only_up_to_the_boundary(
        one in "[|a\r\n-]{0,12}", other in "[|a\r\n-]{0,12}", at: prop::sample::Index,
    ) {
        let of = |body: Vec<u8>, boundary: &str| {
            multipart(Body::bytes(body), &format!("multipart/form-data; boundary={boundary}"))
        };
        let (first, second) = (of(drawn(&one, "Xb"), "Xb"), of(drawn(&other, "Yboundary"), "Yboundary"));
        prop_assert_eq!(first == second, one == other);
        prop_assert_eq!(of(drawn(&one, "Xb"), "Xb"), of(drawn(&one, "Yboundary"), "Yboundary"));
        // However it is cut into stretches.
        let bytes = drawn(&one, "Xb");
        let (before, after) = bytes.split_at(at.index(bytes.len() + 1));
        let parts = [part("n", Body::bytes(before.to_vec())), part("n", file(after))];
        let (cut, _) = Body::multipart(parts.to_vec(), "Xb");
        let mut whole = Vec::new();
        cut.read(|stretch| whole.extend_from_slice(stretch)).unwrap();
        let of = |body: Body| multipart(body, "multipart/form-data; boundary=Xb");
        prop_assert_eq!(of(cut), of(Body::bytes(whole)));
    }
}
