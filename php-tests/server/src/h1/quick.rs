//! Answers `GET /bytes/N` from a buffer that is built once per connection: the upstream of benchmarks.

use std::io;

use bytes::{BufMut, Bytes, BytesMut};

use super::conn::Conn;
use crate::body::Body;
use crate::wire::Wire;

/// Larger answers are written in pieces and not kept.
const KEPT: u64 = 1024 * 1024;

#[derive(Debug, Default)]
pub struct Quick {
    size: u64,
    answer: Bytes,
}

impl Quick {
    pub async fn answer<W: Wire>(
        &mut self,
        conn: &mut Conn<W>,
        size: u64,
        keep_alive: bool,
    ) -> io::Result<()> {
        if keep_alive && size == self.size && !self.answer.is_empty() {
            return conn.write(&self.answer).await;
        }
        let body = Body::repeat(b"x", size);
        let mut out = BytesMut::new();
        let close = if keep_alive { "" } else { "connection: close\r\n" };
        let head = format!(
            "HTTP/1.1 200 OK\r\ncontent-type: application/octet-stream\r\ncontent-length: {size}\r\n{close}\r\n"
        );
        out.put_slice(head.as_bytes());
        if size <= KEPT {
            body.pieces(u64::MAX).for_each(|piece| out.put_slice(&piece));
            let answer = out.freeze();
            conn.write(&answer).await?;
            if keep_alive {
                (self.size, self.answer) = (size, answer);
            }
            return Ok(());
        }
        conn.write(&out).await?;
        for piece in body.pieces(u64::MAX) {
            conn.write(&piece).await?;
        }
        Ok(())
    }
}
