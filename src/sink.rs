//! Where the body of the final response goes: memory, a file, or a stream of PHP.

use client::Sink;
use ext_php_rs::types::Zval;
use policy::Timestamp;

use crate::{
    local_path,
    php_stream::{self, Stream, StreamError},
    refusal::Refusal,
    text,
    zend::{Parsed, Thrown, native::Tracer},
};

/// The sink of one call.
#[derive(Debug)]
pub struct Target {
    /// The stream resource, or null.
    stream: Zval,
    /// Where the stream was before the call.
    start: u64,
    /// The call's deadline: nothing is written after it.
    until: Option<Timestamp>,
}

/// What the argument asks for. A file is not touched yet.
pub fn open(value: &Zval, until: Option<Timestamp>) -> Result<(Sink, Target), Refusal> {
    let none = Target { stream: Zval::null(), start: 0, until };
    if value.is_null() {
        return Ok((Sink::Lent, none));
    }
    if value.is_string() {
        let path = local_path::writable_file(text::bytes(value)).map_err(Refusal::value)?;
        return Ok((Sink::File(path), none));
    }
    let stream = Stream::of(value).ok_or_else(|| Refusal::ty("must be an open stream resource"))?;
    let sink = Sink::Stream { rewindable: stream.is_rewindable() };
    Ok((sink, Target { stream: value.shallow_clone(), start: stream.position(), until }))
}

impl Target {
    /// Whether PHP code may run when it is written to.
    pub fn is_stream(&self) -> bool {
        !self.stream.is_null()
    }

    pub fn stream_copy(&self) -> Zval {
        self.stream.shallow_clone()
    }

    pub fn trace(&self, tracer: &mut Tracer) {
        tracer.value(&self.stream);
    }

    /// Writes a chunk. PHP code may run, and what it throws ends the call.
    pub fn write(&self, bytes: &[u8]) -> Parsed<Result<(), String>> {
        told(php_stream::write_all(&self.stream, bytes, self.until))
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
        Err(StreamError::Late) => Ok(Err("it did not take the body in time".to_owned())),
        Err(StreamError::Stuck | StreamError::TooLong) => {
            Ok(Err("the sink does not take the body".to_owned()))
        }
    }
}
