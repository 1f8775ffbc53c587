//! PHP objects that carry Rust state, which the cycle collector can look into.
//!
//! Such an object cannot be cloned, equals only itself, and has no state until the constructor gives it one with
//! [`init`]. Methods see the state by shared reference: a callback may enter the same object again, so what changes
//! sits in cells, and no guard is held over a call into PHP.

use std::{
    ffi::c_int,
    mem::offset_of,
    panic::{AssertUnwindSafe, catch_unwind},
};

use ext_php_rs::{
    boxed::ZBox,
    types::{ZendHashTable, ZendObject, Zval},
    zend::{ClassEntry, ZendObjectHandlers},
};

use super::{Handle, Parsed, Thrown, ffi, handlers, object, object::Object, throw};

/// The Rust side of a class.
pub trait Native: Sized + 'static {
    /// Shows every PHP value that the state holds to the cycle collector. One that is not shown leaks when it is part
    /// of a cycle. Must not call into PHP.
    fn trace(&self, tracer: &mut Tracer);

    /// What dumps show, if not the declared properties as they are.
    const SHOWN: Option<fn(Object<'_>) -> ZBox<ZendHashTable>> = None;
}

/// Collects the values that a state holds.
#[derive(Debug)]
pub struct Tracer(*mut ffi::GcBuffer);

impl Tracer {
    pub fn value(&mut self, value: &Zval) {
        // SAFETY: every member of this union is a view of the same word.
        let type_info = unsafe { value.u1.type_info };
        if type_info >> ffi::Z_TYPE_FLAGS_SHIFT & ffi::IS_TYPE_REFCOUNTED == 0 {
            return;
        }
        // SAFETY: as `zend_get_gc_buffer_add_zval`: the engine's buffer, grown when full; a bitwise copy without a
        // reference, which is what the collector expects.
        unsafe {
            if (*self.0).cur == (*self.0).end {
                ffi::zend_get_gc_buffer_grow(self.0);
            }
            std::ptr::copy_nonoverlapping(std::ptr::from_ref(value), (*self.0).cur, 1);
            (*self.0).cur = (*self.0).cur.add(1);
        }
    }
}

/// State and header in one allocation, as the engine wants it: the header last, its slots behind it.
#[repr(C)]
struct Shell<T> {
    state: Option<T>,
    header: ZendObject,
}

/// Gives the object its state. A second constructor call is an `\Error`.
///
/// # Safety
/// The object's class was registered with [`Class::native::<T>`](super::Class::native).
pub unsafe fn init<T: Native>(this: Object<'_>, state: T) -> Parsed<()> {
    let shell = shell::<T>(this.as_ptr());
    // SAFETY: the caller says that this is a `Shell<T>`.
    if unsafe { &(*shell).state }.is_some() {
        let name = this.class().name().unwrap_or("object");
        return Err(throw::error(format!("Cannot call constructor of {name} twice")));
    }
    // SAFETY: as above; no reference to a state can exist while there is none.
    unsafe { (*shell).state = Some(state) };
    Ok(())
}

/// An object of the class with this state, past its constructor.
///
/// # Safety
/// The class was registered with [`Class::native::<T>`](super::Class::native).
pub unsafe fn create_with<T: Native>(class: &Handle, state: T) -> Parsed<Zval> {
    let created = class.create();
    let this = Object::of(&created).ok_or(Thrown)?;
    // SAFETY: as the caller says.
    unsafe { init(this, state) }?;
    Ok(created)
}

/// The object's state; an `\Error` if its constructor never ran.
///
/// # Safety
/// The object's class was registered with [`Class::native::<T>`](super::Class::native).
pub unsafe fn state<T: Native>(this: Object<'_>) -> Parsed<&T> {
    let shell = shell::<T>(this.as_ptr());
    // SAFETY: the caller says that this is a `Shell<T>`; once set, a state stays until the object is freed.
    unsafe { (*shell).state.as_ref() }.ok_or_else(|| object::not_constructed(this))
}

fn shell<T>(header: *mut ZendObject) -> *mut Shell<T> {
    header.wrapping_byte_sub(offset_of!(Shell<T>, header)).cast()
}

pub(super) unsafe extern "C" fn create<T: Native>(class: *mut ClassEntry) -> *mut ZendObject {
    const { assert!(align_of::<Shell<T>>() <= 8, "the Zend allocator aligns to 8 bytes") };
    // SAFETY: the engine's recipe for an object with room before the header: allocate, initialize the state, the
    // header and the declared properties, set the handlers.
    unsafe {
        let shell = ffi::ext_php_rs_zend_object_alloc(size_of::<Shell<T>>(), class).cast::<Shell<T>>();
        (&raw mut (*shell).state).write(None);
        let header = &raw mut (*shell).header;
        ffi::zend_object_std_init(header, class);
        ffi::object_properties_init(header, class);
        (*header).handlers = handlers::once::<T>(make_handlers::<T>);
        header
    }
}

fn make_handlers<T: Native>() -> ZendObjectHandlers {
    let mut handlers = handlers::standard();
    // An int, from PHP 8.6 on a size.
    handlers.offset = offset_of!(Shell<T>, header).try_into().unwrap_or_default();
    handlers.free_obj = Some(free::<T>);
    handlers.get_gc = Some(trace::<T>);
    handlers.clone_obj = None;
    handlers.compare = Some(ffi::zend_objects_not_comparable);
    if T::SHOWN.is_some() {
        handlers.get_properties_for = Some(properties_for::<T>);
    }
    handlers
}

unsafe extern "C" fn properties_for<T: Native>(
    this: *mut ZendObject,
    purpose: ffi::zend_prop_purpose,
) -> *mut ffi::zend_array {
    let show = |this: Object<'_>| T::SHOWN.map_or_else(ZendHashTable::new, |shown| shown(this));
    // SAFETY: the engine asks for the properties of a live object.
    unsafe { handlers::shown_properties(this, purpose, show) }
}

unsafe extern "C" fn free<T: Native>(header: *mut ZendObject) {
    // SAFETY: the engine frees an object of ours once; the memory itself is its own to release.
    unsafe {
        let state = (*shell::<T>(header)).state.take();
        // A panic must not cross into the engine; whatever the destructor left behind leaks.
        let _ = catch_unwind(AssertUnwindSafe(|| drop(state)));
        ffi::zend_object_std_dtor(header);
    }
}

unsafe extern "C" fn trace<T: Native>(
    header: *mut ZendObject,
    table: *mut *mut Zval,
    count: *mut c_int,
) -> *mut ffi::HashTable {
    // SAFETY: the collector asks a live object of ours; the buffer is the engine's and stays valid until it asks the
    // next object.
    unsafe {
        let buffer = ffi::zend_get_gc_buffer_create();
        if let Some(state) = &(*shell::<T>(header)).state {
            state.trace(&mut Tracer(buffer));
        }
        *table = (*buffer).start;
        *count = c_int::try_from((*buffer).cur.offset_from((*buffer).start)).unwrap_or(0);
        ffi::zend_std_get_properties(header)
    }
}
