//! Registered classes, found again, and the properties of their objects.

use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

use ext_php_rs::{types::Zval, zend::ClassEntry};

use super::{Parsed, object, object::Object};

/// A registered class, found again. Set anew at each module start: a class entry does not outlive its module.
#[derive(Debug)]
pub struct Handle {
    class: AtomicPtr<ClassEntry>,
    /// Where its own properties begin, behind those of its parents.
    first_slot: AtomicUsize,
}

impl Handle {
    #[must_use]
    pub const fn new() -> Self {
        Self { class: AtomicPtr::new(std::ptr::null_mut()), first_slot: AtomicUsize::new(0) }
    }

    /// # Panics
    /// Before the class is registered, which only a wrong order in `lib.rs` can bring about.
    #[must_use]
    pub fn class(&self) -> &'static ClassEntry {
        // SAFETY: null, or an entry that lives until the module is shut down.
        match unsafe { self.class.load(Ordering::Relaxed).as_ref() } {
            Some(class) => class,
            None => panic!("a class is used before it is registered"),
        }
    }

    /// An object whose constructor has not run; [`fill`](Self::fill) all its slots before PHP sees it.
    #[must_use]
    pub fn create(&self) -> Zval {
        object::create(self.class())
    }

    /// An object with these values in the class's own properties, in the order they are declared. There is no type
    /// check: give exactly the declared types.
    #[must_use]
    pub fn create_with(&self, values: impl IntoIterator<Item = Zval>) -> Zval {
        let created = self.create();
        if let Some(this) = Object::of(&created) {
            for (property, value) in values.into_iter().enumerate() {
                self.fill(this, property, value);
            }
        }
        created
    }

    /// Whether it is an instance of this class.
    #[must_use]
    pub fn owns(&self, value: &Zval) -> bool {
        object::is_instance(value, self.class())
    }

    /// Writes one of the properties that this class declares, counted from 0. There is no type check.
    pub fn fill(&self, this: Object<'_>, property: usize, value: Zval) {
        object::fill(this, self.index(property), value);
    }

    /// Reads one of the properties that this class declares; an `\Error` if it is not initialized.
    pub fn read<'o>(&self, this: Object<'o>, property: usize) -> Parsed<&'o Zval> {
        self.peek(this, property).ok_or_else(|| object::not_constructed(this))
    }

    /// As [`read`](Self::read); `None` if it is not initialized.
    #[must_use]
    pub fn peek<'o>(&self, this: Object<'o>, property: usize) -> Option<&'o Zval> {
        object::slot(this, self.index(property))
    }

    pub(super) fn set(&self, class: &'static ClassEntry, first_slot: usize) {
        self.first_slot.store(first_slot, Ordering::Relaxed);
        self.class.store(std::ptr::from_ref(class).cast_mut(), Ordering::Relaxed);
    }

    fn index(&self, property: usize) -> usize {
        self.first_slot.load(Ordering::Relaxed).saturating_add(property)
    }
}
