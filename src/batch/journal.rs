//! The journal of a batch, from PHP's side: keys, results that are there already, and errors.

use std::{cell::RefCell, collections::HashSet};

use client::{
    Ended, Request, Response,
    journal::{Finished, Hash, Journal, JournalError, Key},
    runtime,
};
use ext_php_rs::{types::Zval, zend::BailoutGuard};

use super::INPUT;
use crate::{
    attempt, local_path, response,
    room::Room,
    text,
    zend::{Args, Iteration, Parsed, Thrown, args::type_name, ffi, native::Tracer, strings, throw},
};

const ARGUMENT: &str = "RetryClient::sendAll(): Argument #5 ($journal)";

pub struct Log {
    journal: RefCell<Option<Journal>>,
    /// The input once more, where that is possible: what is journaled is looked for first.
    journaled: RefCell<Option<Iteration>>,
    /// Whether what has an entry has been looked for beforehand.
    has_looked: bool,
    seen: RefCell<HashSet<Key>>,
}

/// A request of the batch as the journal knows it.
pub struct Entry {
    key: Key,
    hash: Hash,
}

impl Log {
    pub fn open(args: &Args<'_>, index: usize, path: &[u8], input: &Iteration) -> Parsed<Self> {
        let path = local_path::writable_file(path).map_err(|rule| args.value_error(index, rule))?;
        let journal = Journal::open(&path).map_err(|error| args.value_error(index, &rule(&error)))?;
        let journaled = if journal.is_empty() { None } else { input.again() };
        Ok(Self {
            journal: RefCell::new(Some(journal)),
            has_looked: journaled.is_some(),
            journaled: RefCell::new(journaled),
            seen: RefCell::default(),
        })
    }

    /// The next element of the input that has an entry, before the others are looked at.
    pub fn next_journaled(&self) -> Parsed<Option<(Zval, Zval)>> {
        let iteration = self.journaled.take();
        let Some(iteration) = iteration else { return Ok(None) };
        while let Some((key, request)) = iteration.next()? {
            if key_of(&key).is_some_and(|key| self.has_entry(&key)) {
                self.journaled.replace(Some(iteration));
                return Ok(Some((key, request)));
            }
        }
        Ok(None)
    }

    /// The key of an element; `None` if its entry has been found in an earlier pass.
    pub fn key(&self, key: &Zval) -> Parsed<Option<Key>> {
        let Some(own) = key_of(key) else {
            let rule = format!("must have keys of type int|string with a journal, {} given", type_name(key));
            return Err(throw::value_error(format!("{INPUT} {rule}")));
        };
        if self.seen.borrow_mut().insert(own.clone()) {
            return Ok(Some(own));
        }
        // What can be gone through twice is an array, which has each key once.
        if self.has_looked && self.has_entry(&own) {
            return Ok(None);
        }
        let rule = format!("must have each key once with a journal, {} came twice", text::shown_key(key));
        Err(throw::value_error(format!("{INPUT} {rule}")))
    }

    fn has_entry(&self, key: &Key) -> bool {
        self.journal.borrow().as_ref().is_some_and(|journal| journal.contains(key))
    }

    pub fn trace(&self, tracer: &mut Tracer) {
        for iteration in self.journaled.try_borrow().iter().flat_map(|iteration| iteration.iter()) {
            iteration.trace(tracer);
        }
    }

    /// Nobody else writes to it, a parent process neither.
    pub fn check(&self) -> Parsed<()> {
        self.journal.borrow().as_ref().map_or(Ok(()), Journal::check).map_err(|error| fail(&error))
    }

    pub fn entry(&self, key: Key, request: &Request) -> Parsed<Entry> {
        let hash = Hash::of(request).map_err(|error| refuse(&error))?;
        Ok(Entry { key, hash })
    }

    /// The response that the journal has.
    pub fn find(&self, entry: &Entry) -> Parsed<Option<Zval>> {
        let found = match &*self.journal.borrow() {
            Some(journal) => journal.find(&entry.key, &entry.hash).map_err(|error| refuse(&error))?,
            None => None,
        };
        let Some(found) = found.map(BailoutGuard::new) else { return Ok(None) };
        if !Room::default().fits(&found.response.body) {
            let rule = format!(
                "has a body of {} bytes, for which memory_limit leaves no room",
                found.response.body.len()
            );
            return Err(throw::value_error(format!("{ARGUMENT} {rule}")));
        }
        let body = strings::joined(found.response.body.len(), found.response.body.chunks());
        let attempts = attempt::attempts(&found.attempts);
        Ok(Some(response::response(&found.response, body, &attempts, found.waited, found.elapsed)))
    }

    /// Keeps a result, before anybody sees it.
    pub fn write(&self, entry: &Entry, response: &Response, ended: &Ended) -> Parsed<()> {
        let finished =
            Finished { response, attempts: &ended.attempts, waited: ended.waited, elapsed: ended.elapsed };
        match &mut *self.journal.borrow_mut() {
            Some(journal) => journal
                .append(&entry.key, &entry.hash, &finished)
                .and_then(|()| journal.sync_if_due(runtime::now()))
                .map_err(|error| fail(&error)),
            None => Ok(()),
        }
    }

    pub fn close(&self) -> Parsed<()> {
        self.journal.take().map_or(Ok(()), Journal::close).map_err(|error| fail(&error))
    }
}

fn key_of(key: &Zval) -> Option<Key> {
    match key.long() {
        Some(index) => Some(Key::Int(index)),
        None => key.zend_str().map(|text| Key::Text(text.as_bytes().to_vec())),
    }
}

/// The message, to follow the name of the argument.
fn rule(error: &JournalError) -> String {
    let message = error.to_string();
    message.strip_prefix("The journal ").map(str::to_owned).unwrap_or(message)
}

/// For what stands in the journal.
fn refuse(error: &JournalError) -> Thrown {
    throw::value_error(format!("{ARGUMENT} {}", rule(error)))
}

/// For a file that cannot be written any more.
fn fail(error: &JournalError) -> Thrown {
    // SAFETY: ext/spl is part of every PHP.
    throw::throw(unsafe { &*ffi::spl_ce_RuntimeException }, error.to_string())
}
