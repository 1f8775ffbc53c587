//! Why an argument cannot be used, before it is known which argument of which method it is.

use std::ffi::{CStr, c_char};

use crate::zend::{Thrown, throw};

// Zend/zend_execute.h
unsafe extern "C" {
    fn get_active_class_name(space: *mut *const c_char) -> *const c_char;
    fn get_active_function_name() -> *const c_char;
}

/// A rule that a value breaks, to follow the name of an argument: `must not be empty`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// A TypeError.
    Type(String),
    /// A ValueError.
    Value(String),
    /// PHP code that was asked for the value threw.
    Thrown,
}

impl Refusal {
    pub fn ty(rule: impl Into<String>) -> Self {
        Self::Type(rule.into())
    }

    pub fn value(rule: impl Into<String>) -> Self {
        Self::Value(rule.into())
    }
}

/// `Class::method()` of the method that is running, for messages that name no argument.
pub fn running() -> String {
    let mut space = std::ptr::null();
    // SAFETY: both are static texts or belong to the running function; the first is never null.
    let [class, method] = unsafe { [get_active_class_name(&raw mut space), get_active_function_name()] };
    if class.is_null() || method.is_null() {
        return "retry_client".to_owned();
    }
    // SAFETY: C strings, as above.
    let [class, method] = [class, method].map(|name| unsafe { CStr::from_ptr(name) }.to_string_lossy());
    format!("{class}::{method}()")
}

/// Throws for what a callback returned: `Class::method(): Return value of onRetry must be …`.
pub fn refuse_return(callback: &str, refusal: Refusal) -> Thrown {
    let whole = |rule: String| format!("{}: Return value of {callback} {rule}", running());
    match refusal {
        Refusal::Type(rule) => throw::type_error(whole(rule)),
        Refusal::Value(rule) => throw::value_error(whole(rule)),
        Refusal::Thrown => Thrown,
    }
}

impl From<Thrown> for Refusal {
    fn from(_: Thrown) -> Self {
        Self::Thrown
    }
}
