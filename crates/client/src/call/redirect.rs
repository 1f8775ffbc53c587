//! Where a 3xx leads: RFC 9110 section 15.4, with the credentials left behind at another origin.

use std::borrow::Cow;

use http::{HeaderMap, HeaderName, Method, header};
use percent_encoding::{CONTROLS, percent_encode};
use policy::FailureKind;
use url::Url;

use super::{Request, prepare::IDEMPOTENCY_KEY};
use crate::{Body, Failed};

/// The request that the answer leads to, or `None` when the answer is to be handed over.
/// `followed`: the redirects that led to `request`.
pub(crate) fn follow(
    request: &Request,
    status: u16,
    answer: &HeaderMap,
    followed: u32,
    max: u32,
) -> Result<Option<Request>, Failed> {
    if max == 0 || !matches!(status, 301 | 302 | 303 | 307 | 308) {
        return Ok(None);
    }
    let Some(uri) = target(&request.uri, answer) else { return Ok(None) };
    if followed >= max {
        return Err(forbidden(format!("More than {max} redirects")));
    }
    match (request.uri.scheme(), uri.scheme()) {
        (_, "https") | ("http", "http") => {}
        ("https", "http") => return Err(forbidden("A redirect from https to http is not followed".into())),
        _ => {
            return Err(forbidden("A redirect to a scheme other than http and https is not followed".into()));
        }
    }
    let mut next = Request { uri, ..request.clone() };
    if turns_into_get(status, &request.method) {
        next.method = Method::GET;
        next.body = Body::default();
        remove(&mut next.headers, |name| name.as_str().starts_with("content-") || name == IDEMPOTENCY_KEY);
    }
    if next.uri.origin() != request.uri.origin() {
        remove(&mut next.headers, is_credential);
        next.headers.remove(header::HOST);
    }
    Ok(Some(next))
}

/// The Location, resolved; its userinfo is nobody's credential here. Bytes that are no UTF-8 stay the
/// bytes they are.
fn target(base: &Url, answer: &HeaderMap) -> Option<Url> {
    let location = answer.get(header::LOCATION)?.as_bytes();
    let location = match std::str::from_utf8(location) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => percent_encode(location, CONTROLS).into(),
    };
    if location.trim().is_empty() {
        return None;
    }
    let mut uri = base.join(&location).ok()?;
    if uri.has_authority() && !uri.cannot_be_a_base() {
        let _ = uri.set_username("");
        let _ = uri.set_password(None);
    }
    if uri.fragment().is_none() {
        uri.set_fragment(base.fragment());
    }
    Some(uri)
}

fn turns_into_get(status: u16, method: &Method) -> bool {
    match status {
        301 | 302 => method == Method::POST,
        303 => method != Method::HEAD && method != Method::GET,
        _ => false,
    }
}

/// Whether only the origin it was meant for may see the field.
pub(crate) fn is_credential(name: &HeaderName) -> bool {
    matches!(*name, header::AUTHORIZATION | header::PROXY_AUTHORIZATION | header::COOKIE)
        || name.as_str().ends_with("api-key")
}

fn remove(headers: &mut HeaderMap, unwanted: impl Fn(&HeaderName) -> bool) {
    let names: Vec<HeaderName> = headers.keys().filter(|name| unwanted(name)).cloned().collect();
    for name in names {
        headers.remove(name);
    }
}

fn forbidden(message: String) -> Failed {
    Failed { kind: FailureKind::Redirect, message, unsent: false, permanent: true }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn request(method: Method, uri: &str) -> Request {
        let mut headers = HeaderMap::new();
        for name in ["authorization", "cookie", "x-api-key", "content-type", "accept", "host"] {
            headers.insert(name, HeaderValue::from_static("v"));
        }
        Request { method, uri: Url::parse(uri).unwrap(), headers, body: Body::bytes("x") }
    }

    fn to(location: &str) -> HeaderMap {
        HeaderMap::from_iter([(header::LOCATION, location.parse().unwrap())])
    }

    #[test]
    fn methods_change_as_rfc_9110_says() {
        let rows = [
            (301, Method::POST, Method::GET),
            (302, Method::POST, Method::GET),
            (302, Method::PUT, Method::PUT),
            (303, Method::PUT, Method::GET),
            (303, Method::HEAD, Method::HEAD),
            (307, Method::POST, Method::POST),
            (308, Method::POST, Method::POST),
        ];
        for (status, before, after) in rows {
            let next =
                follow(&request(before.clone(), "http://a/x"), status, &to("/y"), 0, 5).unwrap().unwrap();
            assert_eq!(next.method, after, "{status} {before}");
            assert_eq!(next.body.is_empty(), before != after, "{status} {before}");
            assert_eq!(next.headers.contains_key("content-type"), before == after, "{status} {before}");
            assert_eq!(next.uri.as_str(), "http://a/y");
        }
    }

    #[test]
    fn a_get_has_no_idempotency_key() {
        let mut post = request(Method::POST, "http://a/x");
        post.headers.insert(IDEMPOTENCY_KEY, HeaderValue::from_static("k"));
        for (status, kept) in [(302, false), (303, false), (307, true)] {
            let next = follow(&post, status, &to("/y"), 0, 5).unwrap().unwrap();
            assert_eq!(next.headers.contains_key(IDEMPOTENCY_KEY), kept, "{status}");
        }
    }

    #[test]
    fn a_location_that_is_no_utf_8_keeps_its_bytes() {
        let location = HeaderValue::from_bytes(b"/caf\xe9?q=\xfc").unwrap();
        let answer = HeaderMap::from_iter([(header::LOCATION, location)]);
        let next = follow(&request(Method::GET, "http://a/x"), 302, &answer, 0, 5).unwrap().unwrap();
        assert_eq!(next.uri.as_str(), "http://a/caf%E9?q=%FC");
    }

    #[test]
    fn another_origin_gets_no_credential() {
        for location in ["http://b/", "http://a:81/", "https://a/", "//b/"] {
            let next =
                follow(&request(Method::GET, "http://a/x"), 302, &to(location), 0, 5).unwrap().unwrap();
            let left: Vec<_> = next.headers.keys().map(HeaderName::as_str).collect();
            assert_eq!(left.len(), 2, "{location}: {left:?}");
        }
        let same =
            follow(&request(Method::GET, "http://a/x"), 302, &to("http://u:p@a/"), 0, 5).unwrap().unwrap();
        assert!(same.headers.contains_key("authorization"));
        assert_eq!(same.uri.as_str(), "http://a/");
    }

    #[test]
    fn what_is_no_redirect_is_an_answer() {
        let request = request(Method::GET, "http://a/x");
        assert!(follow(&request, 302, &HeaderMap::new(), 0, 5).unwrap().is_none());
        assert!(follow(&request, 302, &to("http://"), 0, 5).unwrap().is_none());
        assert!(follow(&request, 302, &to(" "), 0, 5).unwrap().is_none());
        assert!(follow(&request, 304, &to("/y"), 0, 5).unwrap().is_none());
        assert!(follow(&request, 302, &to("/y"), 0, 0).unwrap().is_none());
    }

    #[test]
    fn what_must_not_be_followed_is_a_redirect_failure() {
        let last = request(Method::GET, "https://a/x");
        for location in ["http://a/", "ftp://a/", "file:///etc/passwd", "mailto:x@y"] {
            assert_eq!(follow(&last, 302, &to(location), 0, 5).unwrap_err().kind, FailureKind::Redirect);
        }
        assert_eq!(follow(&last, 302, &to("/y"), 5, 5).unwrap_err().kind, FailureKind::Redirect);
    }
}
