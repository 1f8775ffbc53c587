//! A buffered HTTP/1 connection: fills its buffer, notices that the client has left, and ends in the wanted way.

use std::future::Future;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use bytes::BytesMut;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::answering::Answering;
use crate::spec::End;
use crate::wire::Wire;

/// How long a client may go on sending after an answer that did not wait for its body.
const LINGER: Duration = Duration::from_secs(1);
/// RST discards what is still in the send queue; on loopback this is enough for it to arrive.
const BEFORE_RESET: Duration = Duration::from_millis(20);

#[derive(Debug)]
pub struct Conn<W> {
    pub wire: W,
    pub buf: BytesMut,
    /// Something was written: an RST must not overtake it.
    pub wrote: bool,
    /// The answer that is being sent, if it is logged.
    pub answering: Option<Arc<Answering>>,
}

impl<W: Wire> Conn<W> {
    pub fn new(wire: W) -> Self {
        Self { wire, buf: BytesMut::with_capacity(8 * 1024), wrote: false, answering: None }
    }

    /// Reads more into the buffer; false at the end of the stream.
    pub async fn fill(&mut self) -> io::Result<bool> {
        self.buf.reserve(8 * 1024);
        Ok(self.wire.read_buf(&mut self.buf).await? > 0)
    }

    pub async fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.wrote = true;
        let written = match self.wire.write_all(bytes).await {
            // TLS keeps records back until it is told otherwise.
            Ok(()) => self.wire.flush().await,
            Err(e) => Err(e),
        };
        if written.is_err() {
            self.client_left();
        }
        written
    }

    /// As `write`, bytes of the answer's body: `counted` of them without framing.
    pub async fn write_body(&mut self, bytes: &[u8], counted: usize) -> io::Result<()> {
        self.write(bytes).await?;
        if let Some(answering) = &self.answering {
            answering.add(counted);
        }
        Ok(())
    }

    fn client_left(&self) {
        if let Some(answering) = &self.answering {
            answering.client_left();
        }
    }

    /// Waits for `what`; false if the client left before.
    pub async fn wait(&mut self, what: impl Future<Output = ()>) -> bool {
        tokio::pin!(what);
        loop {
            tokio::select! {
                () = &mut what => return true,
                more = self.fill() => if !matches!(more, Ok(true)) {
                    self.client_left();
                    return false;
                },
            }
        }
    }

    /// Ends the connection. `unread`: the client may still be sending, and closing now would turn FIN into RST.
    pub async fn end(mut self, how: End, unread: bool) {
        match how {
            End::Close => {
                // The peer may be gone already; there is nobody to tell.
                let _ = self.wire.shutdown().await;
                if unread {
                    let drain = async {
                        while matches!(self.fill().await, Ok(true)) {
                            self.buf.clear();
                        }
                    };
                    let _ = tokio::time::timeout(LINGER, drain).await;
                }
            }
            End::Cut => {}
            End::Reset => {
                if self.wrote {
                    tokio::time::sleep(BEFORE_RESET).await;
                }
                self.wire.arm_reset();
            }
            End::Stall => {
                while matches!(self.fill().await, Ok(true)) {
                    self.buf.clear();
                }
                self.client_left();
            }
        }
    }
}
