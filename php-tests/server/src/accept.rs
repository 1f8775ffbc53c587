//! Accepts connections, shakes hands, and hands each to what its listener speaks.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;

use crate::listeners::{Listener, Security, Speaks};
use crate::options::Options;
use crate::state::Shared;
use crate::stats::{Counts, Open};
use crate::wire::{ConnInfo, TlsInfo, Wire};
use crate::{h1, h2_side, proxy, tls};

/// Out of file descriptors: trying again at once would only burn the processor.
const AFTER_ACCEPT_ERROR: Duration = Duration::from_millis(10);

/// What every connection of a listener shares.
#[derive(Debug)]
struct Door {
    name: &'static str,
    security: Security,
    speaks: Speaks,
    counts: Arc<Counts>,
    shared: Arc<Shared>,
    options: Arc<Options>,
}

/// Starts accepting; must be called within the runtime.
pub fn spawn(listener: Listener, shared: &Arc<Shared>, options: &Arc<Options>) -> io::Result<()> {
    let door = Arc::new(Door {
        name: listener.name,
        security: listener.security,
        speaks: listener.speaks,
        counts: shared.stats.of(listener.name),
        shared: Arc::clone(shared),
        options: Arc::clone(options),
    });
    for socket in listener.sockets {
        let socket = TcpListener::from_std(socket)?;
        let door = Arc::clone(&door);
        tokio::spawn(async move {
            loop {
                match socket.accept().await {
                    Ok((stream, peer)) => {
                        let door = Arc::clone(&door);
                        tokio::spawn(async move { connection(&door, stream, peer).await });
                    }
                    Err(_) => tokio::time::sleep(AFTER_ACCEPT_ERROR).await,
                }
            }
        });
    }
    Ok(())
}

async fn connection(door: &Door, mut stream: TcpStream, peer: SocketAddr) {
    let _open = Open::new(Arc::clone(&door.counts));
    // Answers are written whole; waiting for more would only delay them.
    let _ = stream.set_nodelay(true);
    match &door.security {
        Security::Plain => speak(door, stream, peer, None).await,
        Security::Tls(config) => shake(door, stream, peer, config).await,
        Security::Slow(config) => {
            tokio::time::sleep(door.options.tls_delay).await;
            shake(door, stream, peer, config).await;
        }
        Security::Silent => until_gone(&mut stream).await,
        Security::Garbage => {
            let mut hello = [0; 1024];
            let _ = stream.read(&mut hello).await;
            let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n").await;
            let _ = stream.shutdown().await;
            until_gone(&mut stream).await;
        }
    }
}

async fn until_gone(stream: &mut TcpStream) {
    let mut ignored = [0; 4096];
    while matches!(stream.read(&mut ignored).await, Ok(n) if n > 0) {}
}

async fn shake(door: &Door, stream: TcpStream, peer: SocketAddr, config: &Arc<ServerConfig>) {
    match TlsAcceptor::from(Arc::clone(config)).accept(stream).await {
        Ok(stream) => {
            door.counts.tls_handshakes.fetch_add(1, Ordering::Relaxed);
            let info = tls::info(&stream);
            speak(door, stream, peer, Some(info)).await;
        }
        Err(_) => {
            door.counts.tls_failed.fetch_add(1, Ordering::Relaxed);
        }
    }
}

async fn speak<W: Wire>(door: &Door, wire: W, peer: SocketAddr, tls: Option<TlsInfo>) {
    let h2 = tls.as_ref().is_some_and(|t| t.alpn.as_deref() == Some("h2")) || door.speaks == Speaks::H2;
    let info = ConnInfo {
        id: door.shared.next_connection(),
        listener: door.name,
        peer,
        tls,
        counts: Arc::clone(&door.counts),
        requests: AtomicU64::new(0),
    };
    match door.speaks {
        Speaks::Proxy { auth } => {
            let wanted = auth.then_some(door.options.proxy_user.as_str());
            proxy::serve(&door.shared, &info, wire, wanted).await;
        }
        Speaks::Http | Speaks::H2 if h2 => h2_side::serve(&door.shared, info, wire).await,
        Speaks::Http | Speaks::H2 => h1::serve(&door.shared, &info, wire).await,
    }
}
