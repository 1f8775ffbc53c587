//! Values of PHP as text, and the elements of its arrays.

use ext_php_rs::{
    boxed::ZBox,
    types::{ZendHashTable, Zval},
    zend::ce,
};

use crate::zend::{Parsed, args::type_name, ffi::zend_string, object, throw};

// Zend/zend_operators.h
unsafe extern "C" {
    fn zval_try_get_string_func(value: *mut Zval) -> *mut zend_string;
}

/// A string, an object that can be one, or a number, as PHP's `(string)` makes it. `None`: of another type.
/// An object's own code runs.
pub fn of(value: &Zval) -> Parsed<Option<Zval>> {
    let value = value.dereference();
    if value.is_string() {
        return Ok(Some(value.shallow_clone()));
    }
    if !is_text(value) {
        return Ok(None);
    }
    let mut kept = value.shallow_clone();
    // SAFETY: a number or an object; the result is a reference of our own, or null after an exception.
    let text = unsafe { zval_try_get_string_func(&raw mut kept) };
    throw::check()?;
    let mut converted = Zval::new();
    // SAFETY: not null, for nothing was thrown; the box takes over the reference.
    converted.set_zend_string(unsafe { ZBox::from_raw(text) });
    Ok(Some(converted))
}

/// Whether [`of`] takes it.
pub fn is_text(value: &Zval) -> bool {
    value.is_string() || value.is_long() || value.is_double() || is_stringable(value)
}

/// Whether `value` is an object with `__toString`.
pub fn is_stringable(value: &Zval) -> bool {
    object::is_instance(value, ce::stringable())
}

/// The bytes of a string value; of anything else none.
pub fn bytes(value: &Zval) -> &[u8] {
    value.zend_str().map_or(&[], |text| text.as_bytes())
}

/// Keys (ints and strings of any bytes) and values, references followed.
pub fn entries(array: &ZendHashTable) -> impl Iterator<Item = (Zval, &Zval)> {
    let mut iter = array.iter();
    std::iter::from_fn(move || iter.next_zval().map(|(key, value)| (key, value.dereference())))
}

/// An element to work with while PHP code runs: where the array holds a reference, that code can put another value in
/// its place, and an array or stream that nothing else holds would be gone.
pub fn hold(element: &Zval) -> Zval {
    element.dereference().shallow_clone()
}

/// A key as text.
pub fn key(key: &Zval) -> Vec<u8> {
    match key.long() {
        Some(index) => index.to_string().into_bytes(),
        None => bytes(key).to_vec(),
    }
}

/// A key of any type for messages: an int or a short text as it is, the type of anything else.
pub fn shown_key(key: &Zval) -> String {
    match key.long() {
        Some(index) => index.to_string(),
        None if key.is_string() => policy::given::text(&String::from_utf8_lossy(bytes(key))),
        None => format!("of type {}", type_name(key)),
    }
}
