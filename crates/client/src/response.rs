//! What came back from one send.

use std::time::Duration;

use http::{HeaderMap, HeaderName, HeaderValue};
use policy::FailureKind;
use url::Url;

use crate::Payload;

/// A response, read as far as its use needs.
#[derive(Clone, Debug)]
pub struct Response {
    pub status: u16,
    pub reason_phrase: Vec<u8>,
    pub version: http::Version,
    pub headers: HeaderMap,
    /// The headers that went when its content coding was undone.
    pub removed: Vec<(HeaderName, HeaderValue)>,
    pub body: Payload,
    /// Where it came from, after redirects.
    pub uri: Url,
    /// What the server asked for, uncapped.
    pub retry_after: Option<Duration>,
}

/// Why there is no response.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Failed {
    pub kind: FailureKind,
    /// For a person; names the origin at most, never a path, a query or a credential.
    pub message: String,
    /// Proven never to have reached the server.
    pub unsent: bool,
    /// No repetition can mend it.
    pub permanent: bool,
}

/// The call is not in this process, or its question was never answered.
pub(crate) fn abandoned() -> Failed {
    Failed {
        kind: FailureKind::Reset,
        message: "The call was begun in another process and cannot go on here".into(),
        unsent: false,
        permanent: true,
    }
}
