//! The calls of this thread, and moving them on.

use std::{cell::RefCell, collections::HashMap, rc::Rc};

use client::runtime::{self, CallId, Next, Whose};
use policy::Timestamp;

use super::Flight;
use crate::{
    interrupt,
    zend::{Parsed, ffi},
};

thread_local! {
    static FLIGHTS: RefCell<HashMap<CallId, Rc<Flight>>> = RefCell::default();
    /// The fibers (null: none) in which callbacks are running.
    static INSIDE: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
}

pub(super) fn note(flight: &Rc<Flight>) {
    FLIGHTS.with_borrow_mut(|flights| flights.insert(flight.id(), Rc::clone(flight)));
}

pub(super) fn forget(id: CallId) {
    let forgotten = FLIGHTS.with_borrow_mut(|flights| flights.remove(&id));
    drop(forgotten);
}

/// At the end of the request, when no call is in flight any more.
pub fn forget_all() {
    drop(INSIDE.take());
    let flights = FLIGHTS.take();
    flights.values().for_each(|flight| flight.leave());
    drop(flights);
}

/// What moving on has brought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    Moved,
    /// The instant has come.
    Late,
    /// Nothing will come any more.
    Idle,
}

/// Moves all calls on until there is something new, or until the instant; with one that has passed, as far as that
/// needs no waiting. Inside of a callback only the calls that `awaits` names have their callbacks called: those of
/// the others wait until it has returned.
pub fn turn(awaits: &dyn Fn(CallId) -> bool, until: Option<Timestamp>) -> Parsed<Turn> {
    let is_inside = INSIDE.with_borrow(|inside| inside.contains(&fiber()));
    let whose = if is_inside { Whose::Those(awaits) } else { Whose::All };
    match runtime::next(&whose, until) {
        Next::Late => return Ok(Turn::Late),
        Next::Idle => return Ok(Turn::Idle),
        Next::Interrupted => inside(interrupt::handle)?,
        Next::Step(id, step) => match FLIGHTS.with_borrow(|flights| flights.get(&id).cloned()) {
            Some(flight) => flight.take(step)?,
            None => runtime::cancel(id),
        },
    }
    Ok(Turn::Moved)
}

/// Runs PHP code that is not the main flow.
pub(super) fn inside<R>(body: impl FnOnce() -> R) -> R {
    let fiber = fiber();
    INSIDE.with_borrow_mut(|inside| inside.push(fiber));
    let result = body();
    INSIDE.with_borrow_mut(|inside| {
        if let Some(last) = inside.iter().rposition(|other| *other == fiber) {
            inside.remove(last);
        }
    });
    result
}

/// The running fiber: a callback can suspend it, and others go on.
fn fiber() -> usize {
    // SAFETY: the executor globals of this thread live as long as the module is loaded; the pointer is not followed.
    unsafe { (*ffi::ext_php_rs_executor_globals()).active_fiber }.addr()
}
