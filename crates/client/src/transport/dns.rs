//! Names to addresses: those that the caller gives, else by the system's resolver (hosts file, nsswitch, search domains).

use std::{
    cell::RefCell,
    future::ready,
    io, iter,
    net::{SocketAddr, ToSocketAddrs},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use tokio::sync::oneshot;

use super::hosts::Hosts;
use crate::fork;

pub(crate) struct Resolver {
    pub hosts: Hosts,
}

/// The name could not be resolved; nothing was sent.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct NotResolved(#[source] io::Error);

/// The system gives no more threads (RLIMIT_NPROC, a cgroup's `pids.max`, seccomp).
#[derive(Debug, thiserror::Error)]
#[error("no thread for the lookup can be started: {0}")]
struct NoThread(io::Error);

impl Resolve for Resolver {
    fn resolve(&self, name: Name) -> Resolving {
        match self.hosts.get(name.as_str()) {
            // The port is the URL's.
            Some(address) => Box::pin(ready(Ok(Box::new(iter::once(SocketAddr::new(address, 0))) as Addrs))),
            None => ask_system(name),
        }
    }
}

/// getaddrinfo on a thread of its own. The event loop's would do, but starting one panics where the system
/// gives no more threads.
fn ask_system(name: Name) -> Resolving {
    let (answer, answered) = oneshot::channel();
    let started = Running::one_more().and_then(|running| {
        let look_up = move || {
            let found = (name.as_str(), 0).to_socket_addrs();
            drop(running);
            // A call that is over asks no more.
            let _ = answer.send(found);
        };
        without_signals(|| thread::Builder::new().name("retry_client".into()).spawn(look_up))
            .map_err(|error| io::Error::other(NoThread(error)))
    });
    Box::pin(async move {
        started.map_err(NotResolved)?;
        let addresses = answered.await.map_err(io::Error::other).flatten().map_err(NotResolved)?;
        Ok(Box::new(addresses) as Addrs)
    })
}

/// A lookup cannot be ended. While no name server answers, each call leaves one behind that holds a thread and a socket:
/// so many at most.
const MOST: usize = 32;

thread_local! {
    /// Of this process: no thread comes along with a fork.
    static RUNNING: RefCell<(u32, Arc<AtomicUsize>)> = RefCell::default();
}

/// One of the lookups that are running, until it is dropped.
struct Running(Arc<AtomicUsize>);

impl Running {
    fn one_more() -> io::Result<Self> {
        let count = RUNNING.with_borrow_mut(|(generation, count)| {
            if *generation != fork::generation() {
                (*generation, *count) = (fork::generation(), Arc::default());
            }
            Arc::clone(count)
        });
        if count.load(Ordering::Relaxed) >= MOST {
            return Err(io::Error::other(format!("{MOST} lookups have had no answer yet")));
        }
        count.fetch_add(1, Ordering::Relaxed);
        Ok(Self(count))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether this thread blocks SIGALRM.
    fn is_deaf() -> bool {
        // SAFETY: the set is filled by the first call; nothing is changed.
        unsafe {
            let mut mask = std::mem::zeroed::<libc::sigset_t>();
            libc::pthread_sigmask(libc::SIG_SETMASK, std::ptr::null(), &raw mut mask);
            libc::sigismember(&raw const mask, libc::SIGALRM) == 1
        }
    }

    #[test]
    fn lookups_that_hang_are_bounded() {
        let running: Vec<_> = (0..MOST).map(|_| Running::one_more().unwrap()).collect();
        assert!(Running::one_more().is_err());
        drop(running);
        assert!(Running::one_more().is_ok());
    }

    #[test]
    fn a_thread_that_is_started_without_signals_gets_none() {
        assert!(without_signals(|| thread::spawn(is_deaf)).join().unwrap());
        assert!(!is_deaf());
        assert!(!thread::spawn(is_deaf).join().unwrap());
    }
}
