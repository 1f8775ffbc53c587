//! Places: how many processes wait, and how many requests are in flight, so that a killed one is counted no longer.
//!
//! A place is the lock of one byte of the file, far beyond its end; the kernel frees it with the process (fcntl(2),
//! "Open file description locks"). Such locks do not exclude their own holder, so the places of this process are
//! remembered here too. Where there is no file, or no lock to be had, they are counted here alone.

use std::{
    cell::RefCell,
    collections::{BTreeSet, HashMap},
    io,
    os::fd::AsRawFd,
};

use rand::RngExt;

use crate::{fork, random};

use super::layout::SLOTS;

/// How often another process may be faster to a free place before all are taken to be in use.
const RACES: u32 = 100;

/// How many locks of others are looked at: more is somebody's mischief.
const QUERIES: u32 = 10_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PlaceKind {
    Waiting,
    WaitingWeb,
    InFlight,
}

/// A stretch of bytes, each of them a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Range(u64);

impl Range {
    /// One for each process (each thread, where PHP has threads) that shares the file.
    pub(super) const MEMBERS: Self = Self(SLOTS as u64);

    pub(super) const fn of(kind: PlaceKind, slot: usize) -> Self {
        let kind = match kind {
            PlaceKind::Waiting => 2,
            PlaceKind::InFlight => 3,
            PlaceKind::WaitingWeb => 4,
        };
        Self(kind * SLOTS as u64 + (slot % SLOTS) as u64)
    }

    /// Wide enough for any number of 32 bits, and so far out that it is beyond the file.
    const fn start(self) -> u64 {
        self.0 << 33
    }
}

#[derive(Debug, Default)]
pub(super) struct Places {
    file: Option<fork::Private>,
    own: RefCell<HashMap<Range, BTreeSet<u32>>>,
    /// Why the kernel gives no lock.
    refusal: RefCell<Option<io::Error>>,
}

impl Places {
    pub(super) fn of(file: fork::Private) -> Self {
        Self { file: Some(file), own: RefCell::default(), refusal: RefCell::default() }
    }

    /// Whether the descriptor still is the file.
    pub(super) fn are_intact(&self) -> bool {
        self.file.as_ref().is_none_or(fork::Private::is_intact)
    }

    /// Why places are counted by this process alone, although it has the file.
    pub(super) fn refusal(&self) -> Option<String> {
        self.refusal.borrow().as_ref().map(ToString::to_string)
    }

    /// Takes one of the first `limit` places of a range.
    pub(super) fn take(&self, range: Range, limit: u32) -> Option<u32> {
        let mut own = self.own.borrow_mut();
        let own = own.entry(range).or_default();
        let free_here = |from, to| (from..to).find(|place| !own.contains(place));
        let place = match self.take_among_others(range, limit, free_here) {
            Ok(place) => place,
            Err(error) => {
                if error.raw_os_error().is_some() {
                    self.refusal.replace(Some(error));
                }
                free_here(0, limit)
            }
        }?;
        own.insert(place);
        Some(place)
    }

    fn take_among_others(
        &self,
        range: Range,
        limit: u32,
        free_here: impl Fn(u32, u32) -> Option<u32>,
    ) -> io::Result<Option<u32>> {
        if limit == 0 {
            return Ok(None);
        }
        // A random one is free more often than the first.
        let first = random::with(|rng| rng.random_range(0..limit));
        let mut candidate = free_here(first, limit);
        for _ in 0..RACES {
            if let Some(place) = candidate
                && self.set(libc::F_WRLCK, range, place)?
            {
                return Ok(Some(place));
            }
            let mut free = None;
            self.gaps(range, [(0, first), (first, limit)], |from, to| {
                free = free_here(from, to);
                free.is_some()
            })?;
            if free.is_none() {
                return Ok(None);
            }
            candidate = free;
        }
        Ok(None)
    }

    pub(super) fn give_back(&self, range: Range, place: u32) {
        // Should it fail, the lock goes with the process.
        let _ = self.set(libc::F_UNLCK, range, place);
        let mut own = self.own.borrow_mut();
        if let Some(places) = own.get_mut(&range) {
            places.remove(&place);
            if places.is_empty() {
                own.remove(&range);
            }
        }
    }

    /// How many places of a range are taken, by all processes.
    pub(super) fn taken(&self, range: Range) -> u32 {
        let own = self.own.borrow().get(&range).map_or(0, BTreeSet::len);
        let own = u32::try_from(own).unwrap_or(u32::MAX);
        let mut free = 0_u32;
        let looked = self.gaps(range, [(0, u32::MAX), (0, 0)], |from, to| {
            free = free.saturating_add(to - from);
            false
        });
        // What is not in a gap between the locks of others is locked by them.
        let others = looked.map_or(0, |()| u32::MAX - free);
        own.saturating_add(others)
    }

    /// Shows the stretches that nobody else has locked, until `enough` says so. The kernel names one lock in a
    /// stretch, not always the first, so both sides of it are looked at in turn.
    fn gaps(
        &self,
        range: Range,
        parts: [(u32, u32); 2],
        mut enough: impl FnMut(u32, u32) -> bool,
    ) -> io::Result<()> {
        let mut parts = Vec::from(parts);
        for _ in 0..QUERIES {
            let Some((from, to)) = parts.pop() else { break };
            if from >= to {
                continue;
            }
            match self.lock_within(range, from, to)? {
                None if enough(from, to) => break,
                None => {}
                Some((begin, end)) => parts.extend([(end, to), (from, begin)]),
            }
        }
        Ok(())
    }

    /// Locks or unlocks one place. `false`: another process has it. Linux says EAGAIN then; EACCES, which POSIX allows as
    /// well, is what SELinux says that lets nobody lock.
    fn set(&self, kind: libc::c_int, range: Range, place: u32) -> io::Result<bool> {
        match self.ask(libc::F_OFD_SETLK, kind, range.start() + u64::from(place), 1) {
            Ok(_) => Ok(true),
            Err(error) if error.raw_os_error() == Some(libc::EAGAIN) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// A lock of another process between two places, cut to them.
    fn lock_within(&self, range: Range, from: u32, to: u32) -> io::Result<Option<(u32, u32)>> {
        let length = u64::from(to.saturating_sub(from));
        let found = self.ask(libc::F_OFD_GETLK, libc::F_WRLCK, range.start() + u64::from(from), length)?;
        if libc::c_int::from(found.l_type) == libc::F_UNLCK {
            return Ok(None);
        }
        let place =
            |at: u64| u32::try_from(at.saturating_sub(range.start())).unwrap_or(u32::MAX).clamp(from, to);
        let begin = u64::try_from(found.l_start).unwrap_or(0);
        // A length of 0 is up to the end of all.
        let length = u64::try_from(found.l_len).ok().filter(|length| *length > 0).unwrap_or(u64::MAX);
        Ok(Some((place(begin), place(begin.saturating_add(length)))))
    }

    fn ask(
        &self,
        command: libc::c_int,
        kind: libc::c_int,
        start: u64,
        length: u64,
    ) -> io::Result<libc::flock> {
        let offset = |at: u64| libc::off_t::try_from(at).map_err(|_| io::ErrorKind::InvalidInput);
        let file = self.file.as_ref().and_then(fork::Private::get).ok_or(io::ErrorKind::NotFound)?;
        let mut lock = libc::flock {
            l_type: kind as libc::c_short,
            l_whence: libc::SEEK_SET as libc::c_short,
            l_start: offset(start)?,
            l_len: offset(length)?,
            // The kernel insists on 0.
            l_pid: 0,
        };
        // SAFETY: both commands read and write the one structure they are given, and neither waits.
        match unsafe { libc::fcntl(file.as_raw_fd(), command, &raw mut lock) } {
            -1 => Err(io::Error::last_os_error()),
            _ => Ok(lock),
        }
    }
}

impl Drop for Places {
    fn drop(&mut self) {
        // A child of another thread that was forked while the file was opened has the descriptor still: closing
        // ours would leave it the locks.
        let _ = self.ask(libc::F_OFD_SETLK, libc::F_UNLCK, 0, 0);
    }
}
