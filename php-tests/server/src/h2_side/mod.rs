//! Serves HTTP/2 on one connection: accepts its streams and drives what they send.

mod session;
mod stream;
mod tap;
mod write;

use std::sync::Arc;
use std::sync::atomic::Ordering;

use tokio::sync::mpsc::unbounded_channel;
use tokio::time::{Instant, sleep_until};

use crate::spec::End;
use crate::state::Shared;
use crate::wire::{ConnInfo, Wire};
use session::{Session, Wish};
use tap::{Injector, Tap};

/// Uploads must not wait for the window: flow control is the `h2` crate's matter, not the tests'.
const STREAM_WINDOW: u32 = 1024 * 1024;
const CONNECTION_WINDOW: u32 = 16 * 1024 * 1024;
const MAX_HEADER_LIST: u32 = 4 * 1024 * 1024;
const MAX_STREAMS: u32 = 1000;

pub async fn serve<W: Wire>(shared: &Arc<Shared>, info: ConnInfo, wire: W) {
    let injector = Injector::default();
    let tap = Tap::new(wire, injector.clone());
    let handshake = h2::server::Builder::new()
        .initial_window_size(STREAM_WINDOW)
        .initial_connection_window_size(CONNECTION_WINDOW)
        .max_header_list_size(MAX_HEADER_LIST)
        .max_concurrent_streams(MAX_STREAMS)
        .handshake::<_, bytes::Bytes>(tap)
        .await;
    let Ok(mut connection) = handshake else {
        info.counts.bad_requests.fetch_add(1, Ordering::Relaxed);
        return;
    };
    let (wishes, mut wished) = unbounded_channel();
    let session = Arc::new(Session::new(injector, wishes));
    let info = Arc::new(info);
    let mut close_at: Option<Instant> = None;
    loop {
        let idle = async {
            match close_at {
                Some(at) => sleep_until(at).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            accepted = connection.accept() => {
                // An error ends the connection, as it does for the client.
                let Some(Ok((request, respond))) = accepted else { return };
                close_at = None;
                // Busy from here on, so that no earlier stream's end closes the connection under this one.
                session.begin();
                let (shared, info, session) = (Arc::clone(shared), Arc::clone(&info), Arc::clone(&session));
                tokio::spawn(async move {
                    stream::serve(&shared, &info, &session, request, respond).await;
                });
            }
            Some(wish) = wished.recv() => match wish {
                Wish::Shutdown => connection.graceful_shutdown(),
                Wish::CloseIdleAfter(after) => close_at = Some(Instant::now() + after),
            },
            () = idle => {
                close_at = None;
                if session.is_idle() {
                    session.injector.send(&[], Some(End::Close));
                }
            }
        }
    }
}
