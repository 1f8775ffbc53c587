//! Chunked coding (RFC 9112, section 7.1) and the ways to get it wrong.

use bytes::{BufMut, BytesMut};

use crate::spec::ChunkFault;
use crate::step::Header;

/// One chunk; an empty one is left out, since it would end the body.
#[must_use]
pub fn chunk(data: &[u8], fault: Option<ChunkFault>) -> BytesMut {
    let mut out = BytesMut::with_capacity(data.len() + 32);
    if data.is_empty() {
        return out;
    }
    match fault {
        Some(ChunkFault::BadSize) => out.put_slice(b"zz\r\n"),
        // One digit more than 64 bits hold.
        Some(ChunkFault::HugeSize) => out.put_slice(b"fffffffffffffffff\r\n"),
        Some(ChunkFault::MissingCrlf | ChunkFault::NoEnd) | None => {
            out.put_slice(format!("{:x}\r\n", data.len()).as_bytes());
        }
    }
    out.put_slice(data);
    if fault != Some(ChunkFault::MissingCrlf) {
        out.put_slice(b"\r\n");
    }
    out
}

#[must_use]
pub fn end(trailers: &[Header], fault: Option<ChunkFault>) -> BytesMut {
    let mut out = BytesMut::new();
    if fault == Some(ChunkFault::NoEnd) {
        return out;
    }
    out.put_slice(b"0\r\n");
    for trailer in trailers {
        out.put_slice(&trailer.name);
        out.put_slice(b": ");
        out.put_slice(&trailer.value);
        out.put_slice(b"\r\n");
    }
    out.put_slice(b"\r\n");
    out
}
