//! The sentences of exceptions. They name method, origin and path; never userinfo, query or fragment, which may hold a
//! key, and no bytes of the server that are not printable.

use std::time::Duration;

use http::StatusCode;
use url::Url;

use crate::{response::Answered, seconds, uri};

/// `POST https://api.example.com/v1/x`; without a method only the address.
#[must_use]
pub fn subject(method: Option<&str>, address: &[u8]) -> String {
    let place = shortened(place(address));
    match method {
        Some(method) if !place.is_empty() => format!("{method} {place}"),
        Some(method) => method.to_owned(),
        None if place.is_empty() => "The server".to_owned(),
        None => place,
    }
}

/// Long enough to tell addresses apart, short enough for a log.
fn shortened(place: String) -> String {
    const MAX: usize = 500;
    match place.char_indices().nth(MAX) {
        Some((end, _)) => format!("{}…", place.get(..end).unwrap_or_default()),
        None => place,
    }
}

fn place(address: &[u8]) -> String {
    let text = String::from_utf8_lossy(address);
    if let Ok(mut url) = Url::parse(&text) {
        url.set_query(None);
        url.set_fragment(None);
        // Both fail only for addresses without a host, which have no userinfo.
        let _ = url.set_username("");
        let _ = url.set_password(None);
        return url.into();
    }
    let redacted = uri::redact(address);
    let shown = redacted.split(|&byte| byte == b'?' || byte == b'#').next().unwrap_or_default();
    printable(shown)
}

/// `POST https://api.example.com/v1/x answered 429 Too Many Requests after 5 attempts`.
#[must_use]
pub fn answered(method: Option<&str>, response: &Answered<'_>) -> String {
    let subject = subject(method, response.uri);
    let attempts = response.attempts.array().map_or(0, |attempts| attempts.len());
    format!("{subject} answered {}{}", status(response), after(attempts))
}

/// `429 Too Many Requests`: the server's words, or those of the registry where HTTP/2 has none.
#[must_use]
pub fn status(response: &Answered<'_>) -> String {
    let code = response.status;
    let said = printable(response.reason_phrase);
    let known = u16::try_from(code).ok().and_then(|code| StatusCode::from_u16(code).ok());
    match (said.trim(), known.and_then(|known| known.canonical_reason())) {
        ("", Some(reason)) => format!("{code} {reason}"),
        ("", None) => code.to_string(),
        (said, _) => format!("{code} {said}"),
    }
}

/// ` after 5 attempts`; nothing for the first.
#[must_use]
pub fn after(attempts: usize) -> String {
    if attempts > 1 { format!(" after {attempts} attempts") } else { String::new() }
}

/// `4.2 seconds`.
#[must_use]
pub fn span(duration: Duration) -> String {
    let text = seconds::text(duration);
    let unit = if text == "1" { "second" } else { "seconds" };
    format!("{text} {unit}")
}

/// At most this much of the server's words.
const MOST: usize = 100;

fn printable(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).chars().map(|c| if c.is_control() { '?' } else { c }).take(MOST).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subject_holds_no_secret() {
        for (address, shown) in [
            ("https://api.example.com/v1/x", "https://api.example.com/v1/x"),
            ("https://user:pass@api.example.com/v1/x?key=s3cret#s3cret", "https://api.example.com/v1/x"),
            ("//user@host/x?s3cret", "//[redacted]@host/x"),
            ("/x?s3cret", "/x"),
        ] {
            assert_eq!(subject(None, address.as_bytes()), shown);
        }
        assert_eq!(subject(Some("GET"), b""), "GET");
        assert_eq!(subject(None, b""), "The server");
    }
}
