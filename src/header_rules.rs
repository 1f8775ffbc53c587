//! What may stand in the header of a request, and which headers are secret. Rules follow an
//! argument's name and show the header's name as it was given, never its value.

use http::{HeaderMap, HeaderName, HeaderValue, header};

/// A header of a request, or the rule it breaks.
pub fn request_field(name: &[u8], value: &[u8]) -> Result<(HeaderName, HeaderValue), String> {
    let (name, value) = field(name, value)?;
    check_framing(&name, &value)?;
    Ok((name, value))
}

/// A header of any message, or the rule it breaks.
pub fn field(name: &[u8], value: &[u8]) -> Result<(HeaderName, HeaderValue), String> {
    let known = self::name(name)?;
    let mut value = self::value(value).ok_or_else(|| {
        format!("must not have a control character in the value of \"{}\"", name.escape_ascii())
    })?;
    value.set_sensitive(is_secret(name));
    Ok((known, value))
}

/// A token, RFC 9110 section 5.1.
pub fn name(name: &[u8]) -> Result<HeaderName, String> {
    HeaderName::from_bytes(name).map_err(|_| {
        // What follows the first wrong byte may be a value: "Authorization: secret" as a name.
        let token = name.iter().take_while(|&&b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_');
        let shown: String = token.map(|&b| char::from(b)).collect();
        if name.is_empty() {
            "must not have an empty header name".to_owned()
        } else {
            format!("must have header names as keys, \"{shown}…\" is none")
        }
    })
}

/// Any bytes but control characters, RFC 9110 section 5.5; blanks around it do not belong to it.
pub fn value(bytes: &[u8]) -> Option<HeaderValue> {
    HeaderValue::from_bytes(trim(bytes)).ok()
}

/// What the transport decides by itself.
fn check_framing(name: &HeaderName, value: &HeaderValue) -> Result<(), String> {
    if name == header::TRANSFER_ENCODING {
        return Err("must not have \"transfer-encoding\", which the body decides".to_owned());
    }
    let expects =
        value.as_bytes().split(|&b| b == b',').any(|item| trim(item).eq_ignore_ascii_case(b"100-continue"));
    if name == header::EXPECT && expects {
        return Err("must not have \"expect: 100-continue\", which is not supported".to_owned());
    }
    Ok(())
}

/// Takes a Content-Length that is true out of `headers`: the transport writes it.
pub fn take_content_length(headers: &mut HeaderMap, length: u64) -> Result<(), String> {
    let told_wrong = |value: &HeaderValue| {
        value.to_str().ok().and_then(|digits| digits.parse::<u64>().ok()) != Some(length)
    };
    if headers.get_all(header::CONTENT_LENGTH).iter().any(told_wrong) {
        return Err(format!("must not have another \"content-length\" than the body's, which is {length}"));
    }
    headers.remove(header::CONTENT_LENGTH);
    Ok(())
}

/// Whether people must not see the value.
pub fn is_secret(name: &[u8]) -> bool {
    const NAMES: [&str; 5] = ["authorization", "proxy-authorization", "cookie", "set-cookie", "api-key"];
    const SUFFIX: &[u8] = b"-api-key";
    let ends = name.len().checked_sub(SUFFIX.len()).and_then(|at| name.get(at..));
    NAMES.iter().any(|known| name.eq_ignore_ascii_case(known.as_bytes()))
        || ends.is_some_and(|end| end.eq_ignore_ascii_case(SUFFIX))
}

fn trim(bytes: &[u8]) -> &[u8] {
    let blank = |b: &u8| *b == b' ' || *b == b'\t';
    let start = bytes.iter().position(|b| !blank(b)).unwrap_or(bytes.len());
    let end = bytes.iter().rposition(|b| !blank(b)).map_or(start, |last| last.saturating_add(1));
    bytes.get(start..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_kept_and_blanks_around_them_are_not() {
        let (name, value) = request_field(b"X-Foo", b" \ta \xff\tb ").unwrap();
        assert_eq!((name.as_str(), value.as_bytes()), ("x-foo", &b"a \xff\tb"[..]));
        assert_eq!(request_field(b"x", b"  ").unwrap().1.as_bytes(), b"");
    }

    #[test]
    fn no_message_shows_a_value() {
        for (name, value, rule) in [
            ("", "x", "must not have an empty header name"),
            (
                "Authorization: Bearer s3cret",
                "",
                "must have header names as keys, \"Authorization…\" is none",
            ),
            ("X-A", "s3cret\n", "must not have a control character in the value of \"X-A\""),
            ("X-A", "s3\0cret", "must not have a control character in the value of \"X-A\""),
            ("Transfer-Encoding", "chunked", "must not have \"transfer-encoding\", which the body decides"),
            ("Expect", "a, 100-Continue", "must not have \"expect: 100-continue\", which is not supported"),
        ] {
            assert_eq!(request_field(name.as_bytes(), value.as_bytes()).unwrap_err(), rule);
        }
    }

    #[test]
    fn a_content_length_must_be_true() {
        for (told, good) in [("3", true), ("4", false), ("x", false), ("3, 3", false)] {
            let mut headers = HeaderMap::new();
            headers.append(header::CONTENT_LENGTH, told.parse().unwrap());
            assert_eq!(take_content_length(&mut headers, 3).is_ok(), good);
            assert_eq!(headers.is_empty(), good);
        }
    }

    #[test]
    fn credentials_are_secret() {
        for name in
            ["Authorization", "COOKIE", "x-api-key", "X-Goog-Api-Key", "api-key", "Proxy-Authorization"]
        {
            assert!(is_secret(name.as_bytes()), "{name}");
        }
        for name in ["accept", "x-api-key-id", "key"] {
            assert!(!is_secret(name.as_bytes()), "{name}");
        }
    }
}
