//! The JSON form of a step, field by field. Unknown fields are errors: a typo in a test must not pass silently.
//!
//! What the fields mean is in README.md; `step.rs` turns this form into what the connections play.

use serde::Deserialize;
use serde_json::Value;

/// What a script does after its last step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Then {
    #[default]
    RepeatLast,
    Cycle,
}

/// What happens to one request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    #[default]
    Answer,
    Echo,
    Redirect,
    Drop,
    Reset,
    Stall,
    Raw,
    Half,
    Drip,
    Endless,
    Goaway,
    RefuseStream,
}

/// How a connection ends when it ends before its time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// In order: close_notify under TLS, then FIN.
    #[default]
    Close,
    /// FIN alone, which under TLS is a truncation.
    Cut,
    /// RST.
    Reset,
    /// Not at all: silence until the client leaves.
    Stall,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Encoding {
    Gzip,
    Br,
    Zstd,
    Deflate,
    /// Raw deflate without the zlib frame: what some servers wrongly send as `deflate`.
    DeflateRaw,
}

/// Where a chunked body goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChunkFault {
    BadSize,
    HugeSize,
    MissingCrlf,
    NoEnd,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Goaway {
    /// GOAWAY whose last stream is below this one: the request was not processed.
    Unprocessed,
    /// The request is answered; GOAWAY follows.
    After,
}

/// A header value: text, one byte per character (latin-1), or any bytes in base64.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum HeaderText {
    Text(String),
    Number(i64),
    Bytes { base64: String },
}

pub type HeaderSpec = (String, HeaderText);

#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum InformationalSpec {
    Status(u16),
    Full {
        status: u16,
        #[serde(default)]
        headers: Vec<HeaderSpec>,
    },
}

/// `true` (all), `false` (none) or how many bytes of the request's body are read before the action.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(untagged)]
pub enum ReadBodySpec {
    Switch(bool),
    UpTo(u64),
}

/// A wrong content-length, or `false` for a body that ends with the connection.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(untagged)]
pub enum LengthSpec {
    Switch(bool),
    Claimed(u64),
}

/// An h2 error code by name (`CANCEL`) or number.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum CodeSpec {
    Number(u32),
    Name(String),
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DripSpec {
    #[serde(default)]
    pub bytes: Option<u64>,
    pub every_ms: u64,
    /// Drip the head too, not only the body.
    #[serde(default)]
    pub head: bool,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BombSpec {
    #[serde(default)]
    pub count: Option<u64>,
    #[serde(default)]
    pub size: Option<usize>,
    #[serde(default)]
    pub endless: bool,
}

/// One step, as written in JSON.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct StepSpec {
    pub action: Action,
    pub times: Option<u64>,

    pub read_body: Option<ReadBodySpec>,
    pub read_delay_ms: Option<u64>,
    pub delay_ms: Option<u64>,
    pub body_delay_ms: Option<u64>,
    pub hold: Option<String>,

    pub informational: Vec<InformationalSpec>,
    pub status: Option<u16>,
    pub reason: Option<String>,
    pub version: Option<String>,
    pub headers: Vec<HeaderSpec>,
    pub location: Option<String>,
    pub header_bomb: Option<BombSpec>,

    pub body: Option<String>,
    pub body_base64: Option<String>,
    pub body_json: Option<Value>,
    pub body_repeat: Option<(String, u64)>,
    pub template: bool,
    pub encoding: Option<Encoding>,
    pub encoding_header: Option<bool>,
    pub truncate: Option<i64>,

    pub content_length: Option<LengthSpec>,
    pub chunked: Option<bool>,
    pub chunk_size: Option<u64>,
    pub chunks: Option<Vec<String>>,
    pub chunk_fault: Option<ChunkFault>,
    pub trailers: Vec<HeaderSpec>,
    pub drip: Option<DripSpec>,
    pub send_bytes: Option<u64>,
    pub end: Option<End>,

    pub close: bool,
    pub close_idle_after_ms: Option<u64>,
    pub close_on_next: Option<End>,

    pub raw: Option<String>,
    pub raw_base64: Option<String>,

    pub goaway: Option<Goaway>,
    pub last_stream: Option<u32>,
    pub error_code: Option<CodeSpec>,
}
