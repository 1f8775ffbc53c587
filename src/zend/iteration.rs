//! Going through an `iterable` one element at a time, with PHP code running in between.

use std::cell::{Cell, RefCell};

use ext_php_rs::{types::Zval, zend::ce};

use super::{Parsed, Thrown, ffi, native::Tracer, object, object::Object, throw};

/// An iterable on its way. Only one element at a time is asked for, and none before the first [`next`](Self::next).
#[derive(Debug)]
pub struct Iteration {
    source: RefCell<Source>,
}

#[derive(Debug)]
enum Source {
    /// An array, and a position in it.
    Array(Zval, Cell<u32>),
    /// A Traversable that nobody has asked yet.
    Traversable(Zval),
    Iterator(Zval),
    Over,
}

impl Iteration {
    /// `None` if it is neither an array nor Traversable.
    #[must_use]
    pub fn of(iterable: &Zval) -> Option<Self> {
        let own = iterable.dereference().shallow_clone();
        let source = if own.is_array() {
            Source::Array(own, Cell::new(0))
        } else if object::is_instance(&own, ce::traversable()) {
            Source::Traversable(own)
        } else {
            return None;
        };
        Some(Self { source: RefCell::new(source) })
    }

    /// How many elements there are, if that is known beforehand. PHP code of a `Countable` may run.
    pub fn count(&self) -> Parsed<Option<u64>> {
        let object = match &*self.source.borrow() {
            Source::Array(array, _) => return Ok(array.array().map(|array| array.len() as u64)),
            Source::Traversable(object) if object::is_instance(object, ce::countable()) => {
                object.shallow_clone()
            }
            _ => return Ok(None),
        };
        let count = object::call_method(Object::of(&object).ok_or(Thrown)?, "count", &mut [])?;
        Ok(count.long().and_then(|count| u64::try_from(count).ok()))
    }

    /// From its beginning once more; `None` if it can be gone through only once.
    #[must_use]
    pub fn again(&self) -> Option<Self> {
        match &*self.source.borrow() {
            Source::Array(array, _) => Self::of(array),
            _ => None,
        }
    }

    /// The next key and value. An exception ends it.
    pub fn next(&self) -> Parsed<Option<(Zval, Zval)>> {
        if let Source::Array(array, position) = &*self.source.borrow() {
            return Ok(next_of_array(array, position));
        }
        // PHP code that comes back here finds it over.
        let (iterator, is_first) = match self.source.replace(Source::Over) {
            Source::Traversable(object) => (iterator_of(object)?, true),
            Source::Iterator(iterator) => (iterator, false),
            _ => return Ok(None),
        };
        let element = next_of_iterator(&iterator, is_first)?;
        if element.is_some() {
            *self.source.borrow_mut() = Source::Iterator(iterator);
        }
        Ok(element)
    }

    pub fn trace(&self, tracer: &mut Tracer) {
        if let Ok(source) = self.source.try_borrow()
            && let Source::Array(value, _) | Source::Traversable(value) | Source::Iterator(value) = &*source
        {
            tracer.value(value);
        }
    }
}

fn next_of_array(array: &Zval, position: &Cell<u32>) -> Option<(Zval, Zval)> {
    let table = std::ptr::from_ref(array.array()?).cast_mut();
    let mut at = position.get();
    let mut key = Zval::new();
    // SAFETY: our own reference keeps the array as it is; a position is an index that the engine checks itself.
    let value = unsafe {
        let value = ffi::zend_hash_get_current_data_ex(table, &raw mut at).as_ref()?;
        ffi::zend_hash_get_current_key_zval_ex(table, &raw mut key, &raw const at);
        ffi::zend_hash_move_forward_ex(table, &raw mut at);
        value.dereference().shallow_clone()
    };
    position.set(at);
    Some((key, value))
}

/// As `foreach` finds it.
fn iterator_of(mut object: Zval) -> Parsed<Zval> {
    while !object::is_instance(&object, ce::iterator()) {
        let aggregate = Object::of(&object).filter(|object| object.is_a(ce::aggregate()));
        let aggregate = aggregate
            .ok_or_else(|| throw::error("A Traversable must be an Iterator or an IteratorAggregate"))?;
        let inner = object::call_method(aggregate, "getIterator", &mut [])?;
        object = inner;
    }
    Ok(object)
}

fn next_of_iterator(iterator: &Zval, is_first: bool) -> Parsed<Option<(Zval, Zval)>> {
    let object = Object::of(iterator).ok_or(Thrown)?;
    object::call_method(object, if is_first { "rewind" } else { "next" }, &mut [])?;
    let is_valid = object::call_method(object, "valid", &mut [])?;
    if !is_valid.is_true() {
        return Ok(None);
    }
    let value = object::call_method(object, "current", &mut [])?;
    let key = object::call_method(object, "key", &mut [])?;
    Ok(Some((key, value)))
}
