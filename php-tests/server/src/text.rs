//! Decodes the texts of a script to bytes: latin-1, base64 and the names of HTTP/2 errors.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;

use crate::spec::CodeSpec;

/// One byte per character, as HTTP/1 headers were defined; the log decodes the same way.
pub fn latin1(text: &str) -> Result<Bytes, String> {
    text.chars()
        .map(|c| u8::try_from(c).map_err(|_| format!("{c:?} is no latin-1 character: use base64")))
        .collect()
}

pub fn from_base64(text: &str) -> Result<Bytes, String> {
    STANDARD.decode(text).map(Bytes::from).map_err(|e| format!("base64: {e}"))
}

/// RFC 9113, section 7.
const CODES: [&str; 14] = [
    "NO_ERROR",
    "PROTOCOL_ERROR",
    "INTERNAL_ERROR",
    "FLOW_CONTROL_ERROR",
    "SETTINGS_TIMEOUT",
    "STREAM_CLOSED",
    "FRAME_SIZE_ERROR",
    "REFUSED_STREAM",
    "CANCEL",
    "COMPRESSION_ERROR",
    "CONNECT_ERROR",
    "ENHANCE_YOUR_CALM",
    "INADEQUATE_SECURITY",
    "HTTP_1_1_REQUIRED",
];

pub fn error_code(spec: CodeSpec) -> Result<u32, String> {
    match spec {
        CodeSpec::Number(n) => Ok(n),
        CodeSpec::Name(name) => CODES
            .iter()
            .position(|known| *known == name)
            .and_then(|at| u32::try_from(at).ok())
            .ok_or_else(|| format!("unknown h2 error code {name:?}")),
    }
}
