//! Object handlers: the engine's table of what an object does, with a few entries of our own.

use std::{
    any::TypeId,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Mutex, PoisonError},
};

use ext_php_rs::{
    boxed::ZBox,
    types::{ZendHashTable, ZendObject},
    zend::{ClassEntry, ZendObjectHandlers},
};

use super::{ffi, object::Object};

/// Purposes of `get_properties_for` (Zend/zend_object_handlers.h).
const FOR_DEBUG: ffi::zend_prop_purpose = 0;
const FOR_VAR_EXPORT: ffi::zend_prop_purpose = 3;

/// A copy of what ordinary objects do.
pub(super) fn standard() -> ZendObjectHandlers {
    // SAFETY: a constant table of function pointers, which every extension copies bit by bit.
    unsafe { std::ptr::read(&raw const ffi::std_object_handlers) }
}

/// The table for `K`, made at its first use. Tables are never freed: they hold nothing that a restart of the module
/// would change.
pub(super) fn once<K: 'static>(make: fn() -> ZendObjectHandlers) -> *const ZendObjectHandlers {
    /// By key, with the table's address. A static inside a generic function would be shared by all `K`.
    static MADE: Mutex<Vec<(TypeId, usize)>> = Mutex::new(Vec::new());
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, address)) = made.iter().find(|(key, _)| *key == TypeId::of::<K>()) {
        return std::ptr::with_exposed_provenance(*address);
    }
    let table: *const ZendObjectHandlers = Box::leak(Box::new(make()));
    made.push((TypeId::of::<K>(), table.expose_provenance()));
    table
}

/// `create_object` of a class whose dumps show what `F` says.
pub(super) unsafe extern "C" fn create_shown<F>(class: *mut ClassEntry) -> *mut ZendObject
where
    F: Fn(Object<'_>) -> ZBox<ZendHashTable> + 'static,
{
    const { assert!(size_of::<F>() == 0, "a plain function or a closure that captures nothing") };
    // SAFETY: what the engine does for a class without `create_object`, and another table of handlers.
    unsafe {
        let created = ffi::zend_objects_new(class);
        ffi::object_properties_init(created, class);
        (*created).handlers = once::<F>(make_shown::<F>);
        created
    }
}

fn make_shown<F>() -> ZendObjectHandlers
where
    F: Fn(Object<'_>) -> ZBox<ZendHashTable> + 'static,
{
    let mut handlers = standard();
    handlers.get_properties_for = Some(properties_for::<F>);
    handlers.clone_obj = Some(clone_with_handlers);
    handlers
}

unsafe extern "C" fn properties_for<F>(
    this: *mut ZendObject,
    purpose: ffi::zend_prop_purpose,
) -> *mut ffi::zend_array
where
    F: Fn(Object<'_>) -> ZBox<ZendHashTable> + 'static,
{
    // SAFETY: `F` has no bytes (checked where the object was made), so any aligned pointer points to it.
    let shown = unsafe { std::ptr::NonNull::<F>::dangling().as_ref() };
    // SAFETY: the engine asks for the properties of a live object.
    unsafe { shown_properties(this, purpose, shown) }
}

/// # Safety
/// `this` is a live object.
pub(super) unsafe fn shown_properties(
    this: *mut ZendObject,
    purpose: ffi::zend_prop_purpose,
    shown: impl Fn(Object<'_>) -> ZBox<ZendHashTable>,
) -> *mut ffi::zend_array {
    if purpose == FOR_DEBUG || purpose == FOR_VAR_EXPORT {
        let Some(this) = std::ptr::NonNull::new(this) else { return std::ptr::null_mut() };
        // SAFETY: the engine dumps a live object.
        let this = unsafe { Object::from_raw(this) };
        // A panic must not cross into the engine; an object that shows nothing is the safe answer to one.
        let made = catch_unwind(AssertUnwindSafe(|| shown(this)));
        // The caller releases the array.
        return made.unwrap_or_else(|_| ZendHashTable::new()).into_raw();
    }
    // SAFETY: the engine's own answer.
    unsafe { ffi::zend_std_get_properties_for(this, purpose) }
}

/// The engine's clone gets the standard table on PHP before 8.3, and would then show everything.
unsafe extern "C" fn clone_with_handlers(this: *mut ZendObject) -> *mut ZendObject {
    // SAFETY: the engine clones a live object of a class without room before its header.
    unsafe {
        let cloned = ffi::zend_objects_clone_obj(this);
        (*cloned).handlers = (*this).handlers;
        cloned
    }
}

/// An object's properties by name, as a copy to be changed before it is shown.
#[must_use]
pub fn properties(this: Object<'_>) -> ZBox<ZendHashTable> {
    // SAFETY: the engine builds the table of a live object; the copy is ours.
    unsafe {
        let all = ffi::zend_std_get_properties(this.as_ptr());
        ZBox::from_raw(ffi::zend_array_dup(all))
    }
}
