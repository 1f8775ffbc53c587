//! Tells whether a request is the one that an entry is of: SHA-256 over what is asked for.
//!
//! Not over who asks (credentials, the user agent with its versions), nor over what is drawn anew in each run (the
//! boundary of a multipart body, idempotency keys): a batch goes on with a new token or after an update.

use base64::{Engine, prelude::BASE64_STANDARD};
use http::{HeaderName, HeaderValue, header};
use ring::digest::{Context, SHA256};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

use super::{
    JournalError,
    boundary::{self, Split},
    text::Base64,
};
use crate::{
    Request,
    call::{IDEMPOTENCY_KEY, is_credential},
};

/// Of one request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hash([u8; 32]);

impl Hash {
    /// Reads the whole body.
    ///
    /// # Errors
    /// A file of the body cannot be read.
    pub fn of(request: &Request) -> Result<Self, JournalError> {
        let mut parts = Parts(Context::new(&SHA256));
        parts.add(request.method.as_str().as_bytes());
        let mut uri = request.uri.clone();
        // Only a URL without a host refuses this, and such a one is never sent.
        let _ = uri.set_username("");
        let _ = uri.set_password(None);
        parts.add(uri.as_str().as_bytes());

        let split = boundary::of(&request.headers);
        let counts = |(name, _): &(&HeaderName, &HeaderValue)| {
            !is_credential(name) && *name != IDEMPOTENCY_KEY && *name != header::USER_AGENT
        };
        let mut headers: Vec<_> = request.headers.iter().filter(counts).collect();
        // Values of the same name stay in their order.
        headers.sort_by_key(|(name, _)| name.as_str());
        parts.add(&(headers.len() as u64).to_be_bytes());
        for (name, value) in headers {
            parts.add(name.as_str().as_bytes());
            match &split {
                // No header has a NUL of its own.
                Some(split) if name == header::CONTENT_TYPE => {
                    parts.add(&[split.before, b"\0", split.after].concat())
                }
                _ => parts.add(value.as_bytes()),
            }
        }

        let mut body = Pieces::new(parts, split.as_ref());
        request.body.read(|stretch| body.add(stretch)).map_err(JournalError::Body)?;
        Ok(body.finish().finish())
    }
}

impl Serialize for Hash {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&BASE64_STANDARD.encode(self.0))
    }
}

impl<'de> Deserialize<'de> for Hash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let bytes = Base64::deserialize(deserializer)?.0;
        bytes.try_into().map(Self).map_err(|_| D::Error::custom("no SHA-256"))
    }
}

/// What a hash is over. Each part comes with its length: nothing can pass from one to the next unnoticed.
struct Parts(Context);

impl Parts {
    fn add(&mut self, part: &[u8]) {
        self.0.update(&(part.len() as u64).to_be_bytes());
        self.0.update(part);
    }

    fn finish(self) -> Hash {
        let mut bytes = [0; 32];
        bytes.copy_from_slice(self.0.finish().as_ref());
        Hash(bytes)
    }
}

/// A body as it passes by, taken apart where the boundary is. Of each piece its own hash becomes a part, since its
/// length is not known before. How the body is cut into stretches makes no difference.
struct Pieces {
    parts: Parts,
    piece: Context,
    /// Empty: the body is one piece.
    delimiter: Vec<u8>,
    /// What may be the beginning of a delimiter.
    held: Vec<u8>,
}

impl Pieces {
    fn new(parts: Parts, split: Option<&Split<'_>>) -> Self {
        // RFC 2046 section 5.1.1: on a line of its own, and the break before it is part of it. The first one may
        // have none.
        let delimiter = split.map_or_else(Vec::new, |split| [b"\r\n--", split.boundary].concat());
        let held = if delimiter.is_empty() { Vec::new() } else { b"\r\n".to_vec() };
        Self { parts, piece: Context::new(&SHA256), delimiter, held }
    }

    fn add(&mut self, stretch: &[u8]) {
        /// How much is copied at a time to look for delimiters.
        const BLOCK: usize = 64 * 1024;
        if self.delimiter.is_empty() {
            self.piece.update(stretch);
            return;
        }
        for block in stretch.chunks(BLOCK) {
            let mut held = std::mem::take(&mut self.held);
            held.extend_from_slice(block);
            let mut rest = held.as_slice();
            while let Some((piece, after)) = self.next_delimiter(rest) {
                self.piece.update(piece);
                self.end_piece();
                rest = after;
            }
            let certain = rest.len().saturating_sub(self.delimiter.len().saturating_sub(1));
            let (piece, maybe) = rest.split_at(certain);
            self.piece.update(piece);
            self.held = maybe.to_vec();
        }
    }

    /// What is before and behind it.
    fn next_delimiter<'a>(&self, bytes: &'a [u8]) -> Option<(&'a [u8], &'a [u8])> {
        let at = bytes.windows(self.delimiter.len()).position(|window| window == self.delimiter)?;
        let (piece, rest) = bytes.split_at_checked(at)?;
        Some((piece, rest.strip_prefix(self.delimiter.as_slice())?))
    }

    fn end_piece(&mut self) {
        let piece = std::mem::replace(&mut self.piece, Context::new(&SHA256));
        self.parts.add(piece.finish().as_ref());
    }

    fn finish(mut self) -> Parts {
        self.piece.update(&self.held);
        self.end_piece();
        self.parts
    }
}
