//! Names to addresses by the system's resolver (hosts file, nsswitch, search domains).

use std::{io, net::ToSocketAddrs};

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

/// getaddrinfo on a thread of the event loop's blocking pool.
pub(crate) struct SystemResolver;

/// The name could not be resolved; nothing was sent.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct NotResolved(#[source] io::Error);

impl Resolve for SystemResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let lookup =
            without_signals(|| tokio::task::spawn_blocking(move || (name.as_str(), 0).to_socket_addrs()));
        Box::pin(async move {
            let addresses = lookup.await.map_err(io::Error::other).flatten().map_err(NotResolved)?;
            Ok(Box::new(addresses) as Addrs)
        })
    }
}

/// Runs `start` with all signals blocked: a thread born in it inherits that, and so never runs a
/// handler that belongs to the thread of the interpreter.
fn without_signals<R>(start: impl FnOnce() -> R) -> R {
    // SAFETY: both sets are initialised by the calls that fill them, and the caller's mask is put
    // back on the same thread before this returns.
    unsafe {
        let mut all = std::mem::zeroed::<libc::sigset_t>();
        let mut before = std::mem::zeroed::<libc::sigset_t>();
        libc::sigfillset(&raw mut all);
        libc::pthread_sigmask(libc::SIG_SETMASK, &raw const all, &raw mut before);
        let result = start();
        libc::pthread_sigmask(libc::SIG_SETMASK, &raw const before, std::ptr::null_mut());
        result
    }
}
