//! One step of a script, ready to play: bytes decoded, body compressed, durations typed. `compile.rs` makes it.

use std::time::Duration;

use bytes::Bytes;

use crate::body::Body;
use crate::spec::{Action, ChunkFault, End, Goaway};

/// Why a script was refused. The text goes to the test's author.
#[derive(Debug, thiserror::Error)]
pub enum StepError {
    #[error("{0}")]
    Json(#[from] serde_json::Error),
    #[error("a script needs at least one step")]
    Empty,
    #[error("step {index}: {reason}")]
    Step { index: usize, reason: String },
    #[error("the name {0:?} must be of letters, digits, '.', '_', '-' and not begin with '_'")]
    Name(String),
}

#[derive(Clone, Debug)]
pub struct Header {
    pub name: Bytes,
    pub value: Bytes,
    /// The value has `{{…}}` in it and is filled in at the time of the answer.
    pub template: bool,
}

impl Header {
    pub fn new(name: impl Into<Bytes>, value: impl Into<Bytes>) -> Self {
        Self { name: name.into(), value: value.into(), template: false }
    }

    #[must_use]
    pub fn is(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name.as_bytes())
    }
}

#[derive(Clone, Debug)]
pub struct Informational {
    pub status: u16,
    pub headers: Vec<Header>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReadBody {
    #[default]
    All,
    UpTo(u64),
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Length {
    #[default]
    True,
    Claimed(u64),
    /// No framing: the body ends with the connection.
    Unsaid,
}

#[derive(Clone, Copy, Debug)]
pub struct Drip {
    pub bytes: u64,
    pub every: Duration,
    pub head: bool,
}

#[derive(Clone, Copy, Debug)]
pub struct Bomb {
    pub count: u64,
    pub size: usize,
}

#[derive(Clone, Debug, Default)]
pub struct Step {
    pub action: Action,
    pub times: u64,

    pub read_body: ReadBody,
    pub read_delay: Option<Duration>,
    pub delay: Option<Duration>,
    pub body_delay: Option<Duration>,
    pub hold: Option<String>,

    pub informational: Vec<Informational>,
    pub status: u16,
    pub reason: Option<Bytes>,
    pub http10: bool,
    pub headers: Vec<Header>,
    pub bomb: Option<Bomb>,

    pub body: Body,
    pub template: bool,

    pub length: Length,
    pub chunked: Option<bool>,
    pub chunk_size: Option<u64>,
    pub chunks: Option<Vec<Bytes>>,
    pub chunk_fault: Option<ChunkFault>,
    pub trailers: Vec<Header>,
    pub drip: Option<Drip>,
    pub send_bytes: Option<u64>,
    pub end: Option<End>,

    pub close: bool,
    pub close_idle_after: Option<Duration>,
    pub close_on_next: Option<End>,

    pub raw: Bytes,

    pub goaway: Option<Goaway>,
    pub last_stream: Option<u32>,
    pub error_code: Option<u32>,
}

impl Step {
    /// A plain answer, for the endpoints the server builds itself.
    #[must_use]
    pub fn plain(status: u16, content_type: &'static str, body: impl Into<Bytes>) -> Self {
        Self {
            times: 1,
            status,
            headers: vec![Header::new("content-type", content_type)],
            body: Body::Whole(body.into()),
            ..Self::default()
        }
    }

    #[must_use]
    pub fn json(status: u16, value: &serde_json::Value) -> Self {
        Self::plain(status, "application/json", value.to_string())
    }

    /// Whether the author frames the body by hand.
    #[must_use]
    pub fn frames_itself(&self) -> bool {
        self.headers.iter().any(|h| h.is("content-length") || h.is("transfer-encoding"))
    }
}
