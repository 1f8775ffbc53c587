//! `\Iterator` for classes whose elements come once: `foreach`, the spread operator, `yield from` and calls by hand.

use std::cell::{Cell, RefCell};

use ext_php_rs::types::Zval;

use super::{
    Args, Method, Parsed, Type, method,
    native::{self, Native, Tracer},
    object, throw,
};

/// A state that makes one element after the other.
pub trait OnePass: Native {
    /// For the messages: what it is that can be gone through once.
    const WHAT: &'static str;

    fn cursor(&self) -> &Cursor;

    /// The next key and value; `None` at the end. Nothing is asked before the first step of an iteration, and nothing
    /// after an end or an exception.
    fn next(&self) -> Parsed<Option<(Zval, Zval)>>;

    /// An exception has ended it.
    fn give_up(&self);
}

/// Where an iteration stands.
#[derive(Debug)]
pub struct Cursor {
    current: RefCell<Option<(Zval, Zval)>>,
    stage: Cell<Stage>,
    is_busy: Cell<bool>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    New,
    /// At the first element.
    First,
    Further,
    Over,
}

impl Cursor {
    pub fn new() -> Self {
        Self { current: RefCell::default(), stage: Cell::new(Stage::New), is_busy: Cell::new(false) }
    }

    /// Whether the first element has not been asked for.
    pub fn is_new(&self) -> bool {
        self.stage.get() == Stage::New
    }

    pub fn trace(&self, tracer: &mut Tracer) {
        for (key, value) in self.current.try_borrow().iter().flat_map(|current| current.iter()) {
            tracer.value(key);
            tracer.value(value);
        }
    }
}

/// The five methods, for a class registered with `Class::native::<T>`.
pub fn methods<T: OnePass>() -> [Method; 5] {
    [
        method("current", current::<T>).returns(Type::MIXED),
        method("key", key::<T>).returns(Type::MIXED),
        method("next", next::<T>).returns(Type::VOID),
        method("rewind", rewind::<T>).returns(Type::VOID),
        method("valid", valid::<T>).returns(Type::BOOL),
    ]
}

fn this<'a, T: OnePass>(args: &Args<'a>) -> Parsed<&'a T> {
    // SAFETY: `methods` is for classes registered with `Class::native::<T>` only, all final.
    unsafe { native::state(args.this()?) }
}

/// At the first element at least.
fn begun<'a, T: OnePass>(args: &Args<'a>) -> Parsed<&'a T> {
    let state = this::<T>(args)?;
    if state.cursor().is_new() {
        advance(state, Stage::First)?;
    }
    Ok(state)
}

fn current<T: OnePass>(args: &Args<'_>, result: &mut Zval) -> Parsed<()> {
    let current = begun::<T>(args)?.cursor().current.borrow();
    *result = object::or_null(current.as_ref().map(|(_, value)| value.shallow_clone()));
    Ok(())
}

fn key<T: OnePass>(args: &Args<'_>, result: &mut Zval) -> Parsed<()> {
    let current = begun::<T>(args)?.cursor().current.borrow();
    *result = object::or_null(current.as_ref().map(|(key, _)| key.shallow_clone()));
    Ok(())
}

fn next<T: OnePass>(args: &Args<'_>, _: &mut Zval) -> Parsed<()> {
    advance(begun::<T>(args)?, Stage::Further)
}

fn rewind<T: OnePass>(args: &Args<'_>, _: &mut Zval) -> Parsed<()> {
    match this::<T>(args)?.cursor().stage.get() {
        Stage::New => begun::<T>(args).map(drop),
        Stage::First => Ok(()),
        Stage::Further | Stage::Over => {
            Err(throw::error(format!("{} can be gone through only once", T::WHAT)))
        }
    }
}

fn valid<T: OnePass>(args: &Args<'_>, result: &mut Zval) -> Parsed<()> {
    let is_valid = begun::<T>(args)?.cursor().current.borrow().is_some();
    result.set_bool(is_valid);
    Ok(())
}

fn advance<T: OnePass>(state: &T, stage: Stage) -> Parsed<()> {
    let cursor = state.cursor();
    if cursor.is_busy.replace(true) {
        return Err(throw::error(format!("{} is going on to its next element already", T::WHAT)));
    }
    let passed = cursor.current.take();
    drop(passed);
    let next = if cursor.stage.get() == Stage::Over { Ok(None) } else { state.next() };
    cursor.is_busy.set(false);
    cursor.stage.set(if matches!(next, Ok(Some(_))) { stage } else { Stage::Over });
    *cursor.current.borrow_mut() = next.inspect_err(|_| state.give_up())?;
    Ok(())
}
