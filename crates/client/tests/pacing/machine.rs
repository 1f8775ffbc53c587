//! A machine of a test's own: its processes share one file, in a folder that nobody else uses.

use std::{io::PipeReader, path::PathBuf};

use client::{Call, Limits, SharedMemory, keep_state_at};
use policy::Options;
use test_server::TestServer;

use crate::support::{children::Child, options};

pub struct Machine(tempfile::TempDir);

impl Machine {
    pub fn new() -> Self {
        Self(tempfile::tempdir_in("/dev/shm").unwrap())
    }

    pub fn folder(&self) -> PathBuf {
        self.0.path().into()
    }

    /// For a process that has made no call yet. The test's own never does: what it keeps is the user's.
    fn begin_process(&self) {
        keep_state_at(SharedMemory::At(self.folder()));
    }

    pub fn start(&self, work: impl FnOnce()) -> Child {
        Child::start(|| {
            self.begin_process();
            work();
        })
    }

    /// A process that can tell numbers.
    pub fn telling(&self, work: impl FnOnce(&mut dyn FnMut(u64))) -> (Child, PipeReader) {
        Child::telling(|tell| {
            self.begin_process();
            work(tell);
        })
    }

    /// A process from its start to its end.
    pub fn run(&self, work: impl FnOnce()) {
        self.start(work).wait();
    }

    /// So many processes that do the same, all to their end.
    pub fn run_all(&self, count: usize, work: impl Fn()) {
        let children: Vec<_> = (0..count).map(|_| self.start(&work)).collect();
        children.into_iter().for_each(Child::wait);
    }
}

/// The call shares what it knows.
pub fn shared(mut call: Call) -> Call {
    call.limits.share = true;
    call
}

pub fn with_limits(mut call: Call, limits: Limits) -> Call {
    call.limits = limits;
    call
}

/// Under this limit, and tried once.
pub fn once_under(limit: &str) -> Options {
    Options { limit: Some(limit.into()), ..once() }
}

pub fn once() -> Options {
    Options { max_attempts: 1, ..options() }
}

/// One of the counts of what the server decided under this name.
pub fn decided(server: &TestServer, name: &str, count: &str) -> u64 {
    server.limited(name)[count].as_u64().unwrap_or_default()
}

/// When requests arrived under this name, on CLOCK_MONOTONIC.
pub fn arrivals(server: &TestServer, name: &str) -> Vec<u64> {
    let found = server.limited(name);
    found["log"].as_array().unwrap().iter().map(|entry| entry["monotonic_ns"].as_u64().unwrap()).collect()
}
