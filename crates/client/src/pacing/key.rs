//! What a limit applies to: origin, account and scope, or the caller's own name for it.

use std::hash::{DefaultHasher, Hash, Hasher};

use http::{HeaderMap, HeaderName, header};
use policy::limit::Limit;
use url::{Position, Url};

use super::{store::Label, told::Told};
use crate::Request;

/// The keys of one request. The same numbers in every process: the store keeps a hash of them that only who shares
/// it can repeat.
#[derive(Clone, Debug)]
pub(super) struct Keys {
    pub(super) scope: u64,
    /// `None` when the caller named the key.
    pub(super) account: Option<u64>,
    pub(super) label: Label,
}

impl Keys {
    /// The caller's name stands for account and scope; the origin stays.
    pub(super) fn of(request: &Request, told: &Told, name: Option<&str>) -> Self {
        let uri = &request.uri;
        let base = hash(|state| {
            (uri.scheme(), uri.host_str(), uri.port_or_known_default()).hash(state);
            match name {
                Some(name) => name.hash(state),
                None => account(&request.headers).hash(state),
            }
        });
        let model = told.model.as_deref().or_else(|| model_in_path(uri)).filter(|_| name.is_none());
        let label = Label { origin: origin(uri), scope: model.unwrap_or_default().into() };
        if name.is_some() {
            return Self { scope: base, account: None, label };
        }
        let scope = hash(|state| {
            base.hash(state);
            match model {
                Some(model) => model.hash(state),
                None => hash_path(uri, state),
            }
        });
        Self { scope, account: Some(base), label }
    }

    /// The key of a rule of the caller's limit. Without a name it counts for the whole account. Each limit is counted
    /// by itself.
    pub(super) fn rule(&self, limit: &Limit, index: usize) -> u64 {
        let base = self.account.unwrap_or(self.scope);
        hash(|state| (base, limit, index).hash(state))
    }

    /// The key of the line for those who wait for the same: what is known is shared, and so is the caller's limit.
    pub(super) fn line(&self, share: bool, limit: Option<&Limit>) -> u64 {
        hash(|state| (self.scope, share, limit).hash(state))
    }

    /// The key of a bucket that the server named.
    pub(super) fn bucket(&self, name: &str) -> u64 {
        let base = self.account.unwrap_or(self.scope);
        hash(|state| (base, "bucket", name).hash(state)).max(1)
    }
}

/// The origin as RFC 6454 section 6.2 writes it, cut out of an address of http or https: that names no port which goes
/// without saying.
fn origin(uri: &Url) -> String {
    [&uri[..Position::AfterScheme], "://", &uri[Position::BeforeHost..Position::AfterPort]].concat()
}

fn hash(feed: impl FnOnce(&mut DefaultHasher)) -> u64 {
    let mut state = DefaultHasher::new();
    feed(&mut state);
    state.finish()
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

fn model_in_path(uri: &Url) -> Option<&str> {
    let mut segments = uri.path_segments()?;
    segments.find(|segment| *segment == "models")?;
    segments.next().filter(|model| !model.is_empty())
}

/// The path, with what looks like an identifier left out.
fn hash_path(uri: &Url, state: &mut impl Hasher) {
    for segment in uri.path_segments().into_iter().flatten() {
        if is_identifier(segment) { "*" } else { segment }.hash(state);
    }
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

    fn request(uri: &str, header: (&'static str, &str), json: &str) -> Request {
        let mut headers = HeaderMap::from_iter([(header::CONTENT_TYPE, "application/json".parse().unwrap())]);
        headers.insert(header.0, HeaderValue::from_str(header.1).unwrap());
        let body = Body::bytes(json.to_owned());
        Request { method: Method::POST, uri: uri.parse().unwrap(), headers, body }
    }

    #[test]
    fn an_origin_is_written_as_origins_are() {
        for uri in [
            "http://a/x?y",
            "https://a:443/",
            "https://u:p@a.test:8443/x",
            "http://127.0.0.1:80/",
            "http://[::1]:8080/a@b:1",
            "https://b\u{fc}cher.test/",
        ] {
            let uri: Url = uri.parse().unwrap();
            assert_eq!(origin(&uri), uri.origin().ascii_serialization());
        }
    }

    fn keys(request: &Request, name: Option<&str>) -> Keys {
        Keys::of(request, &Told::by(request), name)
    }

    fn key(uri: &str, header: (&'static str, &str), json: &str) -> u64 {
        keys(&request(uri, header, json), None).scope
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

    #[test]
    fn a_name_stands_for_account_and_scope() {
        let named = |uri: &str, token: &str, name: &str| {
            let keys = keys(&request(uri, ("authorization", token), r#"{"model":"m"}"#), Some(name));
            assert_eq!((keys.account, keys.label.scope.as_str()), (None, ""));
            keys.scope
        };
        assert_eq!(named("https://a/x", "Bearer one", "k"), named("https://a/y", "Bearer two", "k"));
        assert_ne!(named("https://a/x", "Bearer one", "k"), named("https://a/x", "Bearer one", "l"));
        assert_ne!(named("https://a/x", "Bearer one", "k"), named("https://b/x", "Bearer one", "k"));
    }

    #[test]
    fn a_limit_counts_for_the_account_and_each_text_by_itself() {
        let keys = |path: &str| keys(&request(&format!("https://a{path}"), ("x-api-key", "y"), ""), None);
        let limit = |text| Limit::parse(text).unwrap();
        assert_eq!(keys("/a").rule(&limit("5/s"), 0), keys("/b").rule(&limit("5/s"), 0));
        assert_ne!(keys("/a").rule(&limit("5/s"), 0), keys("/a").rule(&limit("6/s"), 0));
        let both = limit("5/s, 40/min");
        assert_ne!(keys("/a").rule(&both, 0), keys("/a").rule(&both, 1));
        assert_ne!(keys("/a").rule(&limit("5/s"), 0), keys("/a").rule(&both, 0));
    }

    #[test]
    fn labels_name_origin_and_model_and_nothing_else() {
        let label = |uri: &str, json: &str| {
            let label = keys(&request(uri, ("x-api-key", "secret"), json), None).label;
            (label.origin, label.scope)
        };
        for (uri, json, origin, model) in [
            ("https://u:p@api.test/v1/chat?key=s", r#"{"model":"m-5"}"#, "https://api.test", "m-5"),
            ("http://api.test:8080/v1/models/g-2:generate", "", "http://api.test:8080", "g-2:generate"),
            ("https://api.test/hook/s3cret", "{}", "https://api.test", ""),
        ] {
            assert_eq!(label(uri, json), (origin.into(), model.into()));
        }
    }
}
