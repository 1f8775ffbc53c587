//! The boundary of a multipart body, found in the Content-Type. It is drawn anew for each request that is built, by
//! this library and by others.

use http::{HeaderMap, header};

/// A Content-Type, taken apart at its boundary.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Split<'a> {
    pub(super) before: &'a [u8],
    pub(super) boundary: &'a [u8],
    pub(super) after: &'a [u8],
}

/// `None` where there is none, or no single Content-Type.
pub(super) fn of(headers: &HeaderMap) -> Option<Split<'_>> {
    let mut values = headers.get_all(header::CONTENT_TYPE).iter();
    let (value, None) = (values.next()?, values.next()) else { return None };
    split(value.as_bytes())
}

/// RFC 9110 section 8.3: parameters in any case, their values quoted or not.
fn split(value: &[u8]) -> Option<Split<'_>> {
    const TYPE: &[u8] = b"multipart/";
    const NAME: &[u8] = b"boundary=";
    if !value.get(..TYPE.len())?.eq_ignore_ascii_case(TYPE) {
        return None;
    }
    let is_name = |window: &[u8]| {
        window
            .split_first()
            .is_some_and(|(before, name)| b"; \t".contains(before) && name.eq_ignore_ascii_case(NAME))
    };
    let length = NAME.len().saturating_add(1);
    let start = value.windows(length).position(is_name)?.saturating_add(length);
    let quoted = value.get(start) == Some(&b'"');
    let (before, rest) = value.split_at_checked(start.saturating_add(usize::from(quoted)))?;
    let is_end = |byte: &u8| if quoted { *byte == b'"' } else { b"; \t".contains(byte) };
    let (boundary, after) = rest.split_at_checked(rest.iter().position(is_end).unwrap_or(rest.len()))?;
    (!boundary.is_empty()).then_some(Split { before, boundary, after })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_boundary_of_a_content_type() {
        for (value, parts) in [
            ("multipart/form-data; boundary=ab", Some(("multipart/form-data; boundary=", "ab", ""))),
            ("Multipart/Mixed;BOUNDARY=a;b=c", Some(("Multipart/Mixed;BOUNDARY=", "a", ";b=c"))),
            ("multipart/x; boundary=\"a b\"; c", Some(("multipart/x; boundary=\"", "a b", "\"; c"))),
            ("multipart/x; boundary=\"a", Some(("multipart/x; boundary=\"", "a", ""))),
            ("multipart/x; boundary=a b", Some(("multipart/x; boundary=", "a", " b"))),
            ("multipart/x; boundary=", None),
            ("multipart/x; boundary=\"\"", None),
            ("multipart/x; xboundary=a", None),
            ("multipart/x", None),
            ("text/plain; boundary=a", None),
            ("", None),
        ] {
            let parts = parts.map(|(before, boundary, after): (&str, &str, &str)| Split {
                before: before.as_bytes(),
                boundary: boundary.as_bytes(),
                after: after.as_bytes(),
            });
            assert_eq!(split(value.as_bytes()), parts, "{value}");
        }
    }

    #[test]
    fn two_content_types_have_no_boundary() {
        let value = http::HeaderValue::from_static("multipart/x; boundary=a");
        let mut headers = HeaderMap::from_iter([(header::CONTENT_TYPE, value.clone())]);
        assert!(of(&headers).is_some());
        headers.append(header::CONTENT_TYPE, value);
        assert_eq!(of(&headers), None);
    }
}
