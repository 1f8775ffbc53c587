//! One line of the journal: an entry as JSON. The body comes last, so that a person sees the rest first.

use std::{
    borrow::Cow,
    fmt, io,
    time::{Duration, SystemTime},
};

use http::{HeaderMap, HeaderName, HeaderValue, Version, header};
use policy::{Attempt, Reason};
use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{Error, SeqAccess, Visitor},
};
use url::Url;

use super::{
    Entry, Finished, Hash, Key,
    text::{self, Text},
};
use crate::{Payload, Response};

/// The line, its break included.
pub(super) fn write(key: &Key, hash: &Hash, finished: &Finished<'_>) -> io::Result<Vec<u8>> {
    /// About what all but the body takes.
    const HEAD: usize = 2048;
    let Finished { response, attempts, waited, elapsed } = *finished;
    let written = Written {
        key,
        hash,
        status: response.status,
        reason: Bytes(&response.reason_phrase),
        protocol: response.version,
        headers: &response.headers,
        uri: &response.uri,
        retry_after: response.retry_after,
        attempts,
        waited,
        elapsed,
        body: &response.body,
    };
    let mut line = Vec::with_capacity(response.body.len().saturating_add(HEAD));
    serde_json::to_writer(&mut line, &written)?;
    line.push(b'\n');
    Ok(line)
}

/// The entry of a line without its break; `None` if it is none.
pub(super) fn read(line: &[u8]) -> Option<((Key, Hash), Entry)> {
    let record: Record<Text> = serde_json::from_slice(line).ok()?;
    let response = Response {
        status: record.status,
        reason_phrase: record.reason.0,
        version: record.protocol,
        headers: record.headers,
        removed: Vec::new(),
        body: Payload::from(record.body.0),
        uri: record.uri,
        retry_after: record.retry_after,
    };
    let Record { attempts, waited, elapsed, .. } = record;
    Some(((record.key, record.hash), Entry { response, attempts, waited, elapsed }))
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Written<'a> {
    key: &'a Key,
    hash: &'a Hash,
    status: u16,
    reason: Bytes<'a>,
    #[serde(with = "protocol")]
    protocol: Version,
    #[serde(serialize_with = "write_headers")]
    headers: &'a HeaderMap,
    #[serde(serialize_with = "write_uri")]
    uri: &'a Url,
    retry_after: Option<Duration>,
    #[serde(serialize_with = "write_attempts")]
    attempts: &'a [Attempt],
    waited: Duration,
    elapsed: Duration,
    #[serde(serialize_with = "write_body")]
    body: &'a Payload,
}

/// The same fields, read. `B`: what becomes of the body.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Record<B> {
    pub(super) key: Key,
    pub(super) hash: Hash,
    status: u16,
    reason: Text,
    #[serde(with = "protocol")]
    protocol: Version,
    #[serde(deserialize_with = "read_headers")]
    headers: HeaderMap,
    #[serde(deserialize_with = "read_uri")]
    uri: Url,
    retry_after: Option<Duration>,
    #[serde(deserialize_with = "read_attempts")]
    attempts: Vec<Attempt>,
    waited: Duration,
    elapsed: Duration,
    body: B,
}

struct Bytes<'a>(&'a [u8]);

impl Serialize for Bytes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        text::serialize(self.0, serializer)
    }
}

fn write_body<S: Serializer>(body: &Payload, serializer: S) -> Result<S::Ok, S::Error> {
    text::serialize_all(body.chunks(), serializer)
}

/// Without userinfo and query, which may hold a credential, and without the fragment, which no server was sent.
fn write_uri<S: Serializer>(uri: &Url, serializer: S) -> Result<S::Ok, S::Error> {
    let mut uri = uri.clone();
    // Only a URL without a host refuses this, and it has no userinfo.
    let _ = uri.set_username("");
    let _ = uri.set_password(None);
    uri.set_query(None);
    uri.set_fragment(None);
    serializer.serialize_str(uri.as_str())
}

fn read_uri<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Url, D::Error> {
    Cow::<str>::deserialize(deserializer)?.parse().map_err(D::Error::custom)
}

/// Pairs, since a name may come more than once. Cookies are credentials.
fn write_headers<S: Serializer>(headers: &HeaderMap, serializer: S) -> Result<S::Ok, S::Error> {
    let kept = headers.iter().filter(|(name, _)| *name != header::SET_COOKIE);
    serializer.collect_seq(kept.map(|(name, value)| (name.as_str(), Bytes(value.as_bytes()))))
}

fn read_headers<'de, D: Deserializer<'de>>(deserializer: D) -> Result<HeaderMap, D::Error> {
    deserializer.deserialize_seq(HeadersVisitor)
}

struct HeadersVisitor;

impl<'de> Visitor<'de> for HeadersVisitor {
    type Value = HeaderMap;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("pairs of a name and a value")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut pairs: A) -> Result<HeaderMap, A::Error> {
        let mut headers = HeaderMap::new();
        while let Some((name, value)) = pairs.next_element::<(String, Text)>()? {
            let name: HeaderName = name.parse().map_err(A::Error::custom)?;
            let value = HeaderValue::try_from(value.0).map_err(A::Error::custom)?;
            headers.try_append(name, value).map_err(A::Error::custom)?;
        }
        Ok(headers)
    }
}

/// As PHP sees it.
mod protocol {
    use super::*;

    const NAMES: [(Version, &str); 5] = [
        (Version::HTTP_09, "0.9"),
        (Version::HTTP_10, "1.0"),
        (Version::HTTP_11, "1.1"),
        (Version::HTTP_2, "2"),
        (Version::HTTP_3, "3"),
    ];

    pub(super) fn serialize<S: Serializer>(version: &Version, serializer: S) -> Result<S::Ok, S::Error> {
        let name = NAMES.iter().find(|(known, _)| known == version).map_or("1.1", |(_, name)| name);
        serializer.serialize_str(name)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Version, D::Error> {
        let name = Cow::<str>::deserialize(deserializer)?;
        let found = NAMES.iter().find(|(_, known)| *known == name);
        found.map(|(version, _)| *version).ok_or_else(|| D::Error::custom("no version of HTTP"))
    }
}

/// The fields of policy's record.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Attempt", rename_all = "camelCase", deny_unknown_fields)]
struct Sent {
    number: u32,
    status: Option<u16>,
    error: Option<String>,
    #[serde(serialize_with = "write_time")]
    started_at: SystemTime,
    duration: Duration,
    wait: Duration,
    paced: Duration,
    #[serde(with = "reason")]
    reason: Reason,
}

fn write_attempts<S: Serializer>(attempts: &[Attempt], serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Borrowed<'a>(#[serde(serialize_with = "write_attempt")] &'a Attempt);

    fn write_attempt<S: Serializer>(attempt: &Attempt, serializer: S) -> Result<S::Ok, S::Error> {
        Sent::serialize(attempt, serializer)
    }

    serializer.collect_seq(attempts.iter().map(Borrowed))
}

fn read_attempts<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Attempt>, D::Error> {
    #[derive(Deserialize)]
    struct Owned(#[serde(with = "Sent")] Attempt);

    let attempts = Vec::<Owned>::deserialize(deserializer)?;
    Ok(attempts.into_iter().map(|attempt| attempt.0).collect())
}

/// serde refuses times before 1970, where only a broken clock can be.
fn write_time<S: Serializer>(time: &SystemTime, serializer: S) -> Result<S::Ok, S::Error> {
    time.max(&SystemTime::UNIX_EPOCH).serialize(serializer)
}

mod reason {
    use super::*;

    pub(super) fn serialize<S: Serializer>(reason: &Reason, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(reason.as_str())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Reason, D::Error> {
        let name = Cow::<str>::deserialize(deserializer)?;
        let found = Reason::ALL.into_iter().find(|known| known.as_str() == name);
        found.ok_or_else(|| D::Error::custom("no reason"))
    }
}
