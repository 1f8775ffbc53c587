//! Exceptions: "one is pending" as a value, and how to raise one.

use std::ffi::{CStr, CString};

use ext_php_rs::{
    types::{ZendStr, Zval},
    zend::{ClassEntry, ce},
};

use super::{ffi, object, object::Object};

/// A PHP exception is pending: return to the engine, or take it with [`take`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thrown;

/// A value, or a pending exception.
pub type Parsed<T> = Result<T, Thrown>;

/// Whether an exception is pending. To be asked after every call into PHP that does not say it itself.
#[must_use]
pub fn pending() -> bool {
    // SAFETY: the executor globals of this thread live as long as the module is loaded.
    unsafe { !(*ffi::ext_php_rs_executor_globals()).exception.is_null() }
}

/// `Err` if an exception is pending.
pub fn check() -> Parsed<()> {
    if pending() { Err(Thrown) } else { Ok(()) }
}

/// Throws `class` with a message of any bytes. One that is pending already stays: the first counts.
pub fn throw(class: &ClassEntry, message: impl AsRef<[u8]>) -> Thrown {
    if !pending() {
        let exception = exception(class, message.as_ref());
        throw_object(exception);
    }
    Thrown
}

/// Throws `\Error`.
pub fn error(message: impl AsRef<[u8]>) -> Thrown {
    throw(ce::error(), message)
}

/// Throws `\ValueError` that names no argument. For one that does: [`Args::value_error`](super::Args::value_error).
pub fn value_error(message: impl AsRef<[u8]>) -> Thrown {
    throw(ce::value_error(), message)
}

/// Throws `\TypeError` that names no argument. For one that does: [`Args::type_error`](super::Args::type_error).
pub fn type_error(message: impl AsRef<[u8]>) -> Thrown {
    throw(ce::type_error(), message)
}

/// An exception object with its message, the caller's file, line and trace, not yet thrown and its
/// constructor not called. `class` must be a Throwable.
#[must_use]
pub fn exception(class: &ClassEntry, message: &[u8]) -> Zval {
    let exception = object::create(class);
    set_base_property(base_of(&exception), &exception, c"message", &mut object::string(message));
    exception
}

/// Sets `getCode()`.
pub fn set_code(exception: &Zval, code: i64) {
    set_base_property(base_of(exception), exception, c"code", &mut object::value(code));
}

/// Which of the two roots of all exceptions it descends from.
fn base_of(exception: &Zval) -> &'static ClassEntry {
    if object::is_instance(exception, ce::exception()) { ce::exception() } else { ce::error() }
}

/// Writes a protected or private property that `\Exception` or `\Error` itself declares.
fn set_base_property(base: &ClassEntry, exception: &Zval, name: &CStr, value: &mut Zval) {
    let mut name = ZendStr::from_c_str(name, false);
    let Some(this) = Object::of(exception) else { return };
    // SAFETY: `base` declares the property and `this` is one of its instances; the engine copies the
    // value and only borrows the name.
    unsafe {
        ffi::zend_update_property_ex(
            std::ptr::from_ref(base).cast_mut(),
            this.as_ptr(),
            name.as_mut_ptr(),
            value,
        );
    }
}

/// Throws an exception object.
pub fn throw_object(exception: Zval) -> Thrown {
    let mut exception = std::mem::ManuallyDrop::new(exception);
    // SAFETY: a Throwable; the engine takes over the reference, which is why it is not dropped here.
    unsafe { ffi::zend_throw_exception_object(&raw mut *exception) };
    Thrown
}

/// Sets `getPrevious()`, behind whatever chain is there already.
pub fn set_previous(exception: &Zval, previous: Zval) {
    let (Some(this), Some(cause)) = (Object::of(exception), Object::of(&previous)) else { return };
    let (this, cause) = (this.as_ptr(), cause.as_ptr());
    std::mem::forget(previous);
    // SAFETY: both are live exceptions; the engine takes over the reference to the second one.
    unsafe { ffi::zend_exception_set_previous(this, cause) };
}

/// Takes the pending exception if it is a Throwable; `exit` travels as an exception that is none.
#[must_use]
pub fn take_throwable() -> Option<Zval> {
    // SAFETY: null or the pending exception, which is not kept.
    let exception = unsafe { (*ffi::ext_php_rs_executor_globals()).exception.as_ref() }?;
    if exception.instance_of(ce::throwable()) { take() } else { None }
}

/// Raises an E_WARNING. PHP code may run: an error handler.
pub fn warning(text: &str) {
    let text = c_text(text);
    let warning = ffi::E_WARNING.cast_signed();
    // SAFETY: one `%s` and its text.
    unsafe { ffi::php_error_docref(std::ptr::null(), warning, c"%s".as_ptr(), text.as_ptr()) };
}

/// Takes the pending exception, so that PHP code can run again.
#[must_use]
pub fn take() -> Option<Zval> {
    ext_php_rs::zend::ExecutorGlobals::take_exception().map(object::owned)
}

/// The argument of a `%s` in the engine's printf-like functions. NUL would end it, so it is shown as `\0`.
pub(super) fn c_text(text: &str) -> CString {
    CString::new(text.replace('\0', "\\0")).unwrap_or_default()
}
