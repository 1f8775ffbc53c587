//! Where the body of the final response goes: memory, a file, or a stream of PHP.

use client::Sink;
use ext_php_rs::types::Zval;

use crate::{
    local_path,
    php_stream::{self, Stream, StreamError},
    refusal::Refusal,
    text,
    zend::{Parsed, Thrown},
};

/// The sink of one call.
#[derive(Debug)]
pub struct Target {
    /// The stream resource, or null.
    stream: Zval,
    /// Where the stream was before the call.
    start: u64,
}

/// What the argument asks for. A file is not touched yet.
pub fn open(value: &Zval) -> Result<(Sink, Target), Refusal> {
    let none = Target { stream: Zval::null(), start: 0 };
    if value.is_null() {
        return Ok((Sink::Memory, none));
    }
    if value.is_string() {
        let path = local_path::writable_file(text::bytes(value)).map_err(Refusal::value)?;
        return Ok((Sink::File(path), none));
    }
    let stream = Stream::of(value).ok_or_else(|| Refusal::ty("must be an open stream resource"))?;
    let sink = Sink::Stream { rewindable: stream.is_rewindable() };
    Ok((sink, Target { stream: value.shallow_clone(), start: stream.position() }))
}

impl Target {
    /// Writes a chunk. PHP code may run, and what it throws ends the call.
    pub fn write(&self, bytes: &[u8]) -> Parsed<Result<(), String>> {
        told(php_stream::write_all(&self.stream, bytes))
    }

    /// Cuts the stream back to where it was.
    pub fn rewind(&self) -> Parsed<Result<(), String>> {
        told(php_stream::cut_back(&self.stream, self.start))
    }
}

fn told(outcome: Result<(), StreamError>) -> Parsed<Result<(), String>> {
    match outcome {
        Ok(()) => Ok(Ok(())),
        Err(StreamError::Thrown) => Err(Thrown),
        Err(StreamError::Gone) => Ok(Err("the sink has been closed".to_owned())),
        Err(StreamError::Stuck | StreamError::TooLong) => {
            Ok(Err("the sink does not take the body".to_owned()))
        }
    }
}
