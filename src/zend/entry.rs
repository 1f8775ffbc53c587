//! How the engine enters a method of ours, and what becomes of a panic.
//!
//! A panic ends as `\Error: Rust panic at <file>:<line>` in PHP. Its message is shown nowhere, neither in the
//! exception nor on stderr: it may quote the bytes it stumbled over, and those may be somebody's key.

use std::{
    cell::Cell,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Once,
};

use ext_php_rs::{
    builders::FunctionBuilder,
    types::Zval,
    zend::{ExecuteData, run_handler},
};

use super::{Args, Parsed, Thrown, ffi, throw};

thread_local! {
    /// Where this thread panicked last.
    static PANICKED: Cell<Option<String>> = const { Cell::new(None) };
}

/// The engine's way into `F`.
///
/// The number of arguments is checked against the declaration first, as every function of php-src does.
pub(super) extern "C" fn enter<F>(frame: &mut ExecuteData, result: &mut Zval)
where
    F: Fn(&Args<'_>, &mut Zval) -> Parsed<()> + 'static,
{
    const {
        assert!(size_of::<F>() == 0, "a method is a plain function or a closure that captures nothing");
    };
    run_handler(AssertUnwindSafe(|| {
        // SAFETY: `F` has no bytes, so any (aligned, dangling) pointer is a pointer to it, and `method()` was given
        // one to prove that it can exist.
        let function = unsafe { std::ptr::NonNull::<F>::dangling().as_ref() };
        let args = Args::new(frame);
        guard(|| {
            check_count(&args)?;
            function(&args, result)
        });
    }));
}

/// Runs `body`; a panic in it, or an `Err` without an exception, becomes an `\Error`.
pub fn guard(body: impl FnOnce() -> Parsed<()>) {
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => {}
        Ok(Err(Thrown)) => {
            if !throw::pending() {
                throw::error("retry_client failed without saying why");
            }
        }
        Err(_) => {
            let place = PANICKED.take().unwrap_or_else(|| "an unknown place".to_owned());
            throw::error(format!("Rust panic at {place}"));
        }
    }
}

fn check_count(args: &Args<'_>) -> Parsed<()> {
    let (least, most, variadic) = args.declared();
    let given = args.count();
    if given < least || (given > most && !variadic) {
        args.hide_surplus(most);
        // SAFETY: reads the current frame, which is this method's.
        unsafe { ffi::zend_wrong_parameters_count_error(least, if variadic { u32::MAX } else { most }) };
        return Err(Thrown);
    }
    Ok(())
}

/// Replaces the default panic hook, which prints the message, by one that prints the place only.
pub fn install_panic_hook() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        std::panic::set_hook(Box::new(|info| {
            let place = info.location().map(|at| format!("{}:{}", at.file(), at.line())).unwrap_or_default();
            eprintln!("retry_client: panic at {place}");
            PANICKED.set(Some(place));
        }));
    });
}

/// A builder whose handler is `F`.
pub(super) fn builder<F>(name: &str, _proof: &F) -> FunctionBuilder<'static>
where
    F: Fn(&Args<'_>, &mut Zval) -> Parsed<()> + 'static,
{
    FunctionBuilder::new(name, enter::<F>)
}
