//! The journal of a batch: a file that keeps what finished, so that another run goes on where this one ended.
//!
//! One line of JSON for each finished request, behind a first line that names the format. A line is written by one
//! write at the end of the file, and is an entry once its line break is there: whoever is killed leaves whole lines
//! and at most the beginning of one, which the next open cuts off. One process at a time has the file.
//!
//! Only keys, hashes and places are kept in memory. Of a request the file has nothing but a hash, so no credential. What
//! a server answered is there as it came, but for its cookies: hence the mode 0600.

mod boundary;
mod error;
mod hash;
mod key;
mod line;
mod scan;
#[cfg(test)]
mod tests;
mod text;

use std::{
    collections::HashMap,
    fs::{File, Metadata, OpenOptions, TryLockError},
    io,
    os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt},
    path::Path,
    time::Duration,
};

use policy::{Attempt, Timestamp};

use crate::{Response, fork};

pub use error::JournalError;
pub use hash::Hash;
pub use key::Key;

/// What is written is on the disk after so long, if [`Journal::sync_if_due`] is called.
const SYNC_INTERVAL: Duration = Duration::from_secs(1);

/// An open journal. Nobody else can open it until this is dropped.
#[derive(Debug)]
pub struct Journal {
    file: File,
    /// The lock, on an opening of its own: a child that is forked has none of it.
    _lock: Lock,
    index: HashMap<Key, Place>,
    /// Behind the last whole line.
    end: u64,
    /// Something was written since the last sync.
    unsynced: bool,
    synced_at: Option<Timestamp>,
    generation: u32,
}

/// Where an entry is, and what request it is of.
#[derive(Debug)]
struct Place {
    hash: Hash,
    offset: u64,
    /// Without the line break.
    length: u64,
}

/// How a request ended, as the journal has it.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its headers are without cookies, its URI is without userinfo, query and fragment.
    pub response: Response,
    pub attempts: Vec<Attempt>,
    pub waited: Duration,
    pub elapsed: Duration,
}

/// How a request ended, to be written.
#[derive(Clone, Copy, Debug)]
pub struct Finished<'a> {
    pub response: &'a Response,
    pub attempts: &'a [Attempt],
    pub waited: Duration,
    pub elapsed: Duration,
}

impl Journal {
    /// Opens the file, or makes it, and reads what it has.
    ///
    /// # Errors
    /// It is no regular file, not a journal or damaged, or somebody else has it open.
    pub fn open(path: &Path) -> Result<Self, JournalError> {
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            // Should it be a terminal or a device: neither wait for it nor be controlled by it.
            .custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY)
            .open(path)
            .map_err(|error| match error.kind() {
                io::ErrorKind::IsADirectory => JournalError::NotAFile,
                _ => JournalError::io("opened")(error),
            })?;
        let found = file.metadata().map_err(JournalError::io("opened"))?;
        if !found.is_file() {
            return Err(JournalError::NotAFile);
        }
        let lock = lock(path, &found)?;
        let (index, end) = scan::scan(&file)?;
        let generation = fork::generation();
        let mut journal =
            Self { file, _lock: lock, index, end, unsynced: false, synced_at: None, generation };
        journal.cut()?;
        if end == 0 {
            journal.write(scan::HEAD)?;
        }
        Ok(journal)
    }

    /// # Errors
    /// It is a parent process's.
    pub fn check(&self) -> Result<(), JournalError> {
        if self.is_ours() { Ok(()) } else { Err(JournalError::Forked) }
    }

    /// How many requests have an entry.
    #[must_use]
    pub fn len(&self) -> usize {
        self.index.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.index.is_empty()
    }

    #[must_use]
    pub fn contains(&self, key: &Key) -> bool {
        self.index.contains_key(key)
    }

    /// Reads the entry of this key, if there is one.
    ///
    /// # Errors
    /// It is of another request, or cannot be read.
    pub fn find(&self, key: &Key, hash: &Hash) -> Result<Option<Entry>, JournalError> {
        let Some(place) = self.index.get(key) else { return Ok(None) };
        if place.hash != *hash {
            return Err(JournalError::Other(key.clone()));
        }
        let changed = || JournalError::Changed(key.clone());
        let mut line = vec![0; usize::try_from(place.length).map_err(|_| changed())?];
        self.file.read_exact_at(&mut line, place.offset).map_err(JournalError::io("read"))?;
        let (found, entry) = line::read(&line).ok_or_else(changed)?;
        if found == (key.clone(), *hash) { Ok(Some(entry)) } else { Err(changed()) }
    }

    /// Adds an entry, in the place of one that has the same key.
    ///
    /// # Errors
    /// It cannot be written; the journal is then as it was.
    pub fn append(&mut self, key: &Key, hash: &Hash, finished: &Finished<'_>) -> Result<(), JournalError> {
        let line = line::write(key, hash, finished).map_err(JournalError::io("written"))?;
        let offset = self.end;
        self.write(&line)?;
        let place = Place { hash: *hash, offset, length: (line.len() as u64).saturating_sub(1) };
        self.index.insert(key.clone(), place);
        Ok(())
    }

    /// Brings what was written to the disk if the last time is a second ago. `now` is of any one clock.
    ///
    /// # Errors
    /// The system could not: what it wrote since the last time may be lost.
    pub fn sync_if_due(&mut self, now: Timestamp) -> Result<(), JournalError> {
        if self.synced_at.is_some_and(|at| now.since(at) < SYNC_INTERVAL) {
            return Ok(());
        }
        self.synced_at = Some(now);
        self.sync()
    }

    /// Brings what was written to the disk, and lets others have the file. So does a drop, in silence.
    ///
    /// # Errors
    /// As of [`Journal::sync_if_due`].
    pub fn close(mut self) -> Result<(), JournalError> {
        self.sync()
    }

    fn sync(&mut self) -> Result<(), JournalError> {
        if !std::mem::take(&mut self.unsynced) || !self.is_ours() {
            return Ok(());
        }
        self.file.sync_data().map_err(JournalError::io("brought to the disk"))?;
        self.look()
    }

    /// Of these bytes all are in the file afterwards, or none.
    fn write(&mut self, bytes: &[u8]) -> Result<(), JournalError> {
        self.check()?;
        self.look()?;
        if let Err(error) = self.file.write_all_at(bytes, self.end) {
            // If that fails too, what is there has no line break: the next write or open removes it.
            let _ = self.cut();
            return Err(JournalError::io("written")(error));
        }
        self.end = self.end.saturating_add(bytes.len() as u64);
        self.unsynced = true;
        Ok(())
    }

    /// Whether it is as it was left.
    fn look(&self) -> Result<(), JournalError> {
        let found = self.file.metadata().map_err(JournalError::io("read"))?;
        if found.len() == self.end && found.nlink() > 0 { Ok(()) } else { Err(JournalError::Meddled) }
    }

    /// Removes what is behind the last whole line.
    fn cut(&self) -> Result<(), JournalError> {
        self.file.set_len(self.end).map_err(JournalError::io("written"))
    }

    fn is_ours(&self) -> bool {
        self.generation == fork::generation()
    }
}

impl Drop for Journal {
    fn drop(&mut self) {
        // Who wants to know calls close().
        let _ = self.sync();
    }
}

/// Held until it is dropped, or the process ends.
#[derive(Debug)]
struct Lock(fork::Private);

impl Drop for Lock {
    fn drop(&mut self) {
        // A child that another thread forked while the lock was made has it too: closing it would leave it there.
        if let Some(file) = self.0.get() {
            let _ = rustix::fs::flock(file, rustix::fs::FlockOperation::Unlock);
        }
    }
}

fn lock(path: &Path, expected: &Metadata) -> Result<Lock, JournalError> {
    let file = File::open(path).map_err(JournalError::io("opened"))?;
    file.try_lock().map_err(|error| match error {
        TryLockError::WouldBlock => JournalError::InUse,
        TryLockError::Error(error) => JournalError::io("locked")(error),
    })?;
    let found = file.metadata().map_err(JournalError::io("opened"))?;
    if (found.dev(), found.ino()) != (expected.dev(), expected.ino()) {
        return Err(JournalError::Meddled);
    }
    let private = fork::Private::new(file).map_err(JournalError::io("locked"))?;
    private.map(Lock).ok_or_else(|| JournalError::io("locked")(io::Error::other("too many locks are held")))
}
