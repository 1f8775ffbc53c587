//! What is added to a request once, before its first attempt.

use http::{HeaderName, HeaderValue, header};
use policy::{
    Settings,
    idempotency::{self, KeyOrigin},
};
use std::time::SystemTime;

use super::Request;
use crate::random;

pub(crate) const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// Turns the URI's userinfo into Basic credentials (RFC 7617) and gives POST and PATCH the key that
/// stays the same on all attempts.
pub(crate) fn prepare(request: &mut Request, settings: &Settings, now: SystemTime) -> KeyOrigin {
    move_userinfo(request);
    if request.headers.contains_key(&IDEMPOTENCY_KEY) {
        return KeyOrigin::Callers;
    }
    if !settings.idempotency_key || !idempotency::takes_key(&request.method) {
        return KeyOrigin::Absent;
    }
    let key = random::with(|rng| idempotency::new_key(now, rng));
    match HeaderValue::from_str(&key) {
        Ok(value) => {
            request.headers.insert(IDEMPOTENCY_KEY, value);
            KeyOrigin::Ours
        }
        Err(_) => KeyOrigin::Absent,
    }
}

fn move_userinfo(request: &mut Request) {
    let uri = &mut request.uri;
    if uri.username().is_empty() && uri.password().is_none() {
        return;
    }
    let credentials = basic(uri.username(), uri.password().unwrap_or_default());
    // Only a URL without a host refuses this, and such a one is never sent.
    let _ = uri.set_username("");
    let _ = uri.set_password(None);
    if let Some(value) = credentials {
        request.headers.entry(header::AUTHORIZATION).or_insert(value);
    }
}

fn basic(username: &str, password: &str) -> Option<HeaderValue> {
    use base64::{Engine, prelude::BASE64_STANDARD};
    let mut pair: Vec<u8> = percent_encoding::percent_decode_str(username).collect();
    pair.push(b':');
    pair.extend(percent_encoding::percent_decode_str(password));
    let mut value = HeaderValue::from_str(&format!("Basic {}", BASE64_STANDARD.encode(pair))).ok()?;
    value.set_sensitive(true);
    Some(value)
}

#[cfg(test)]
mod tests {
    use http::{HeaderMap, Method};
    use policy::Options;

    use super::*;
    use crate::Body;

    fn request(method: Method, uri: &str) -> Request {
        Request { method, uri: uri.parse().unwrap(), headers: HeaderMap::new(), body: Body::default() }
    }

    #[test]
    fn userinfo_becomes_basic_credentials_and_leaves_the_uri() {
        let settings = Options::default().validate().unwrap();
        let mut with = request(Method::GET, "http://Aladdin:open%20sesame@a/x");
        prepare(&mut with, &settings, SystemTime::UNIX_EPOCH);
        assert_eq!(with.uri.as_str(), "http://a/x");
        assert_eq!(with.headers["authorization"], "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==");

        let mut own = request(Method::GET, "http://u:p@a/x");
        own.headers.insert("authorization", HeaderValue::from_static("Bearer x"));
        prepare(&mut own, &settings, SystemTime::UNIX_EPOCH);
        assert_eq!(own.headers["authorization"], "Bearer x");
        assert_eq!(own.uri.as_str(), "http://a/x");
    }

    #[test]
    fn only_post_and_patch_get_a_key_and_the_callers_stays() {
        let settings = Options::default().validate().unwrap();
        let mut post = request(Method::POST, "http://a/");
        assert_eq!(prepare(&mut post, &settings, SystemTime::UNIX_EPOCH), KeyOrigin::Ours);
        assert_eq!(post.headers["idempotency-key"].len(), 36);
        let first = post.headers["idempotency-key"].clone();
        assert_eq!(prepare(&mut post, &settings, SystemTime::UNIX_EPOCH), KeyOrigin::Callers);
        assert_eq!(post.headers["idempotency-key"], first);

        let mut put = request(Method::PUT, "http://a/");
        assert_eq!(prepare(&mut put, &settings, SystemTime::UNIX_EPOCH), KeyOrigin::Absent);
        assert!(put.headers.is_empty());
    }
}
