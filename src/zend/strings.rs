//! Strings that are put together where the engine keeps them.

use std::{alloc::Layout, mem::offset_of, ptr::NonNull};

use ext_php_rs::{alloc, flags::ZvalTypeFlags, types::Zval};

use super::{ffi, object};

/// A PHP string of so many bytes whose contents are yet to be written.
#[must_use]
pub fn blank(length: usize) -> Zval {
    let mut value = Zval::new();
    // SAFETY: within what was allocated; the value is the only one to refer to it.
    unsafe {
        let new = allocate(length);
        (&raw mut (*new).val).cast::<u8>().add(length).write(0);
        value.u1.type_info = ZvalTypeFlags::StringEx.bits();
        value.value.str_ = new;
    }
    value
}

/// Where the bytes of a string are.
#[must_use]
pub fn place(value: &Zval) -> Option<NonNull<u8>> {
    if !value.is_string() {
        return None;
    }
    // SAFETY: the value's type says which member of the union is the live one; nothing is read.
    NonNull::new(unsafe { (&raw mut (*value.value.str_).val).cast::<u8>() })
}

/// A PHP string of `length` bytes that are here in several stretches.
#[must_use]
pub fn joined<'b>(length: usize, stretches: impl IntoIterator<Item = &'b [u8]>) -> Zval {
    let mut stretches = stretches.into_iter().peekable();
    // The engine has strings of its own for the shortest ones.
    if length < 2 || stretches.peek().is_none_or(|first| first.len() >= length) {
        return object::string(stretches.next().unwrap_or_default());
    }
    let value = blank(length);
    // SAFETY: no more is written than was allocated, and the length is set to what was written; the value is the only
    // one to refer to the string.
    unsafe {
        let new = value.value.str_;
        let place = (&raw mut (*new).val).cast::<u8>();
        let mut written = 0;
        for stretch in stretches {
            let count = stretch.len().min(length - written);
            std::ptr::copy_nonoverlapping(stretch.as_ptr(), place.add(written), count);
            written += count;
        }
        place.add(written).write(0);
        (*new).len = written;
    }
    value
}

/// php-src's `zend_string_alloc`, which is inline code (Zend/zend_string.h): a string of the request's whose bytes, and
/// the zero behind them, are yet to be written. Like all allocations of the engine's it fails by a bailout only.
fn allocate(length: usize) -> *mut ffi::zend_string {
    // Zend/zend_types.h, the same since PHP 7.3.
    const GC_STRING: u32 = ffi::IS_STRING | (GC_NOT_COLLECTABLE << ffi::GC_FLAGS_SHIFT);
    const GC_NOT_COLLECTABLE: u32 = 1 << 4;
    const ALIGNMENT: usize = align_of::<ffi::zend_string>();
    const LONGEST: usize = isize::MAX as usize - size_of::<ffi::zend_string>() - ALIGNMENT;
    let size = offset_of!(ffi::zend_string, val) + length.min(LONGEST) + 1;
    // SAFETY: a power of two, and a size that stays below isize::MAX when it is rounded up to it.
    let layout = unsafe { Layout::from_size_align_unchecked(size, ALIGNMENT) };
    let new = alloc::emalloc(layout.pad_to_align()).cast::<ffi::zend_string>();
    // SAFETY: the header lies within what was allocated.
    unsafe {
        (*new).gc = ffi::zend_refcounted_h {
            refcount: 1,
            u: ffi::_zend_refcounted_h__bindgen_ty_1 { type_info: GC_STRING },
        };
        (*new).h = 0;
        (*new).len = length;
    }
    new
}
