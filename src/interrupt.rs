//! Signals and time limits that arrive while a call waits.
//!
//! The event loop asks [`is_requested`] after each return from the kernel; on yes the call is left, and [`handle`]
//! does what the engine itself does between two opcodes.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::zend::{Parsed, ffi, throw};

/// Whether the engine wants to be given a turn. It only reads a flag, which a signal handler may have set.
#[must_use]
pub fn is_requested() -> bool {
    flag(|globals| &raw mut globals.vm_interrupt).load(Ordering::Relaxed)
}

/// Runs the engine's interrupt handler, such as pcntl's, in which PHP code may run; `Err` if that has thrown. A time
/// limit that is over ends in a fatal error, which does not return.
pub fn handle() -> Parsed<()> {
    flag(|globals| &raw mut globals.vm_interrupt).store(false, Ordering::Relaxed);
    // As ZEND_VM_INTERRUPT's helper does (Zend/zend_vm_def.h).
    if flag(|globals| &raw mut globals.timed_out).load(Ordering::Relaxed) {
        // SAFETY: raises the fatal error and leaves by longjmp; what the frames between hold is released by
        // `BailoutGuard` or with the request.
        unsafe { ffi::zend_timeout() };
    }
    // SAFETY: a function pointer that extensions set at their start, called as the engine calls it, on the frame that
    // is running.
    unsafe {
        if let Some(interrupt) = ffi::zend_interrupt_function {
            interrupt((*ffi::ext_php_rs_executor_globals()).current_execute_data);
        }
    }
    throw::check()
}

/// One of the executor's flags: a `zend_atomic_bool` since PHP 8.2, a plain byte before.
fn flag<T>(of: fn(&mut ffi::zend_executor_globals) -> *mut T) -> &'static AtomicBool {
    const { assert!(size_of::<T>() == size_of::<AtomicBool>()) };
    // SAFETY: the globals of this thread live as long as the module is loaded. Both kinds of flag are one byte with 0
    // or 1 in it, which signal handlers and other threads write atomically.
    unsafe { AtomicBool::from_ptr(of(&mut *ffi::ext_php_rs_executor_globals()).cast()) }
}
