//! What a limit applies to: origin, account and scope, or the caller's own name for it.

use std::{
    hash::{BuildHasher, Hash, Hasher, RandomState},
    sync::OnceLock,
};

use http::{HeaderMap, HeaderName, header};
use serde::Deserialize;

use crate::Request;

/// A keyed one-way hash: no credential can be read back from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Key(u64);

impl Key {
    /// The caller's name stands for account and scope; the origin stays.
    pub(crate) fn of(request: &Request, name: Option<&str>) -> Self {
        let uri = &request.uri;
        hash(|state| {
            (uri.scheme(), uri.host_str(), uri.port_or_known_default()).hash(state);
            match name {
                Some(name) => name.hash(state),
                None => {
                    account(&request.headers).hash(state);
                    hash_scope(request, state);
                }
            }
        })
    }

    #[cfg(test)]
    pub(crate) fn named(name: &str) -> Self {
        hash(|state| name.hash(state))
    }
}

fn hash(feed: impl FnOnce(&mut std::hash::DefaultHasher)) -> Key {
    static SECRET: OnceLock<RandomState> = OnceLock::new();
    let mut state = SECRET.get_or_init(RandomState::new).build_hasher();
    feed(&mut state);
    Key(state.finish())
}

/// The part of the credentials that names an account. Of AWS's signature (SigV4) that is the access key
/// id: the rest changes with each request.
fn account(headers: &HeaderMap) -> Option<&[u8]> {
    if let Some(value) = headers.get(header::AUTHORIZATION).map(http::HeaderValue::as_bytes) {
        let scheme_end = value.iter().position(|byte| *byte == b' ')?;
        let (scheme, rest) = value.split_at_checked(scheme_end)?;
        return match scheme.to_ascii_lowercase().as_slice() {
            b"bearer" | b"basic" => Some(rest),
            b"aws4-hmac-sha256" => access_key_id(rest),
            _ => None,
        };
    }
    let is_key = |name: &&HeaderName| name.as_str().ends_with("api-key");
    let name = headers.keys().find(is_key)?;
    headers.get(name).map(http::HeaderValue::as_bytes)
}

fn access_key_id(parameters: &[u8]) -> Option<&[u8]> {
    const MARK: &[u8] = b"Credential=";
    let at = parameters.windows(MARK.len()).position(|window| window == MARK)?;
    parameters.get(at + MARK.len()..)?.split(|byte| *byte == b'/').next()
}

/// The model that the request names, in its JSON body or its path; else the path, with what looks like
/// an identifier left out.
fn hash_scope(request: &Request, state: &mut impl Hasher) {
    if let Some(model) = model_in_body(request) {
        return model.hash(state);
    }
    let mut segments = request.uri.path_segments().into_iter().flatten();
    while let Some(segment) = segments.next() {
        if segment == "models"
            && let Some(model) = segments.next()
        {
            return model.hash(state);
        }
    }
    for segment in request.uri.path_segments().into_iter().flatten() {
        if is_identifier(segment) { "*" } else { segment }.hash(state);
    }
}

fn model_in_body(request: &Request) -> Option<String> {
    #[derive(Deserialize)]
    struct Named {
        model: String,
    }
    let is_json = request.headers.get(header::CONTENT_TYPE)?.as_bytes().starts_with(b"application/json");
    let body = request.body.in_memory().filter(|_| is_json)?;
    serde_json::from_slice::<Named>(body).ok().map(|named| named.model)
}

/// A number, a UUID, or anything longer than 20 characters.
fn is_identifier(segment: &str) -> bool {
    segment.len() > 20 || (!segment.is_empty() && segment.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use http::{HeaderValue, Method};

    use super::*;
    use crate::Body;

    fn key(uri: &str, header: (&'static str, &str), json: &str) -> Key {
        let mut headers = HeaderMap::from_iter([(header::CONTENT_TYPE, "application/json".parse().unwrap())]);
        headers.insert(header.0, HeaderValue::from_str(header.1).unwrap());
        let body = Body::bytes(json.to_owned());
        Key::of(&Request { method: Method::POST, uri: uri.parse().unwrap(), headers, body }, None)
    }

    #[test]
    fn what_tells_keys_apart() {
        let auth = ("authorization", "Bearer one");
        let base = key("https://a/v1/chat", auth, r#"{"model":"m"}"#);
        assert_eq!(base, key("https://a:443/v1/chat", auth, r#"{"input":[1,2],"model":"m"}"#));
        for other in [
            key("https://b/v1/chat", auth, r#"{"model":"m"}"#),
            key("http://a/v1/chat", auth, r#"{"model":"m"}"#),
            key("https://a/v1/chat", ("authorization", "Bearer two"), r#"{"model":"m"}"#),
            key("https://a/v1/chat", ("x-api-key", "one"), r#"{"model":"m"}"#),
            key("https://a/v1/chat", auth, r#"{"model":"n"}"#),
            key("https://a/v1/chat", auth, "{}"),
        ] {
            assert_ne!(base, other);
        }
    }

    #[test]
    fn identifiers_in_a_path_do_not_tell_keys_apart() {
        let at = |path: &str| key(&format!("https://a{path}"), ("x", "y"), "");
        assert_eq!(at("/users/1/posts"), at("/users/22/posts"));
        assert_eq!(
            at("/f/0190163d-8694-739b-aea5-966c26f8ad91"),
            at("/f/1190163d-8694-739b-aea5-966c26f8ad92")
        );
        assert_ne!(at("/users/1"), at("/posts/1"));
        assert_eq!(at("/v1/models/m:generate"), at("/v1/projects/p/models/m:generate"));
    }

    #[test]
    fn of_a_sigv4_signature_only_the_access_key_id_counts() {
        let signed = |id: &str, signature: &str| {
            let value =
                format!("AWS4-HMAC-SHA256 Credential={id}/20260101/eu/s/aws4_request, Signature={signature}");
            key("https://a/x", ("authorization", &value), "")
        };
        assert_eq!(signed("AKIA1", "aa"), signed("AKIA1", "bb"));
        assert_ne!(signed("AKIA1", "aa"), signed("AKIA2", "aa"));
    }
}
