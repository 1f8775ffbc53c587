//! Where a large body is put together: in the PHP string that the response is going to have, made when the length is
//! known. What the engine of the calls gets of it is a pointer; it is of no use once the [`Room`] is gone.

use std::{cell::RefCell, ptr::NonNull};

use bytes::Bytes;
use client::Payload;
use ext_php_rs::types::Zval;

use crate::{budget, zend::strings};

/// The string, if one was asked for. It must outlive the call and what the call has brought.
#[derive(Debug, Default)]
pub struct Room(RefCell<Option<Zval>>);

impl Room {
    /// `None` when PHP's memory has no room for so many bytes.
    pub fn lend(&self, length: usize) -> Option<Box<dyn client::Room>> {
        // What an attempt that broke has left goes first.
        drop(self.0.take());
        if !budget::fits(length) {
            return None;
        }
        let string = strings::blank(length);
        let place = strings::place(&string)?;
        *self.0.borrow_mut() = Some(string);
        Some(Box::new(Writing { place, length, written: 0 }))
    }

    /// Whether the body is in here, all of it.
    pub fn holds(&self, body: &Payload) -> bool {
        let mut chunks = body.chunks();
        let (Some(only), None, Some(string)) = (chunks.next(), chunks.next(), &*self.0.borrow()) else {
            return false;
        };
        strings::place(string).is_some_and(|place| place.as_ptr().cast_const() == only.as_ptr())
            && string.zend_str().is_some_and(|string| string.len == only.len())
    }

    /// Whether a response with this body can be made without running into `memory_limit`.
    pub fn fits(&self, body: &Payload) -> bool {
        self.holds(body) || budget::fits(body.len())
    }

    /// The body as a PHP string.
    pub fn string(&self, body: &Payload) -> Zval {
        match &*self.0.borrow() {
            Some(string) if self.holds(body) => string.shallow_clone(),
            _ => strings::joined(body.len(), body.chunks()),
        }
    }
}

/// The string of a [`Room`] as long as nobody else knows it.
#[derive(Debug)]
struct Writing {
    place: NonNull<u8>,
    length: usize,
    written: usize,
}

/// The bytes of a string that is written.
struct Written {
    place: NonNull<u8>,
    length: usize,
}

// SAFETY: as all that a call brings it is used and dropped by the thread of the call only.
unsafe impl Send for Written {}

impl client::Room for Writing {
    fn len(&self) -> usize {
        self.written
    }

    fn write(&mut self, stretch: &[u8]) -> bool {
        let fits = stretch.len() <= self.length - self.written;
        if fits {
            // SAFETY: within the string, which lives as long as the call is driven; nobody reads it before `finish`.
            unsafe {
                let end = self.place.as_ptr().add(self.written);
                std::ptr::copy_nonoverlapping(stretch.as_ptr(), end, stretch.len());
            }
            self.written += stretch.len();
        }
        fits
    }

    fn finish(self: Box<Self>) -> Bytes {
        Bytes::from_owner(Written { place: self.place, length: self.written })
    }
}

impl AsRef<[u8]> for Written {
    fn as_ref(&self) -> &[u8] {
        // SAFETY: so many bytes were written, and nobody writes to them any more: PHP changes no string that has
        // another owner, which the room is.
        unsafe { std::slice::from_raw_parts(self.place.as_ptr(), self.length) }
    }
}
