//! `RetryClient\Progress`, and who is told of it: the caller's callback, and whoever looks at stderr.

use std::{
    cell::{Cell, RefCell},
    time::Duration,
};

use client::{Display, Lane, Meter, runtime};
use ext_php_rs::{error::Result, types::Zval};
use policy::Timestamp;

use crate::{
    budget,
    fields::{self, Field},
    seconds,
    zend::{Args, Class, Handle, Parsed, Type, method, native::Tracer, object},
};

static PROGRESS: Handle = Handle::new();

/// How often the callback is called while nothing finishes.
const INTERVAL: Duration = Duration::from_secs(1);

const FIELDS: [Field; 6] = [
    Field::new("done", Type::INT, ("0", || object::value(0_i64))),
    Field::new("total", Type::INT.or_null(), fields::NULL),
    Field::new("rate", Type::FLOAT, fields::ZERO).admit(fields::seconds),
    Field::new("limited", Type::INT, ("0", || object::value(0_i64))),
    Field::new("waitingUntil", Type::FLOAT.or_null(), fields::NULL).admit(fields::seconds),
    Field::new("eta", Type::FLOAT.or_null(), fields::NULL).admit(fields::seconds),
];

pub fn register() -> Result<()> {
    Class::value("RetryClient\\Progress")
        .readonlys(FIELDS.iter().map(Field::property))
        .method(method("__construct", construct).params(FIELDS.iter().map(Field::param)))
        .register(&PROGRESS)
}

fn construct(args: &Args<'_>, _: &mut Zval) -> Parsed<()> {
    fields::construct(args, &PROGRESS, &FIELDS)
}

pub struct Reporter {
    callback: Zval,
    is_shown: bool,
    meter: RefCell<Option<Meter>>,
    display: RefCell<Option<Display>>,
    /// When the callback is due again.
    due: Cell<Timestamp>,
}

impl Reporter {
    /// `callback`: a closure or null. A web page's stderr is the log of its server: nothing is shown there.
    pub fn new(callback: Zval, is_shown: bool) -> Self {
        let is_shown = is_shown && !budget::is_web();
        Self {
            callback,
            is_shown,
            meter: RefCell::default(),
            display: RefCell::default(),
            due: Cell::new(Timestamp::from_nanos(0)),
        }
    }

    fn is_wanted(&self) -> bool {
        self.is_shown || !self.callback.is_null()
    }

    pub fn begin(&self, total: Option<u64>) {
        if self.is_wanted() {
            let now = runtime::now();
            self.meter.replace(Some(Meter::new(total, now)));
            self.due.set(now.after(INTERVAL));
            if self.is_shown {
                self.display.replace(Some(Display::on_stderr(total)));
            }
        }
    }

    /// One more result is handed out.
    pub fn finished(&self, lane: &Lane) -> Parsed<()> {
        let now = runtime::now();
        if let Some(meter) = &mut *self.meter.borrow_mut() {
            meter.finished(now);
        }
        self.tell(lane, now, true)
    }

    /// Nothing has finished for a while.
    pub fn waiting(&self, lane: &Lane) -> Parsed<()> {
        let now = runtime::now();
        self.tell(lane, now, now >= self.due.get())
    }

    pub fn end(&self, lane: &Lane) {
        let now = runtime::now();
        if let (Some(numbers), Some(mut display)) = (self.numbers(lane, now), self.display.take()) {
            display.finish(&numbers, now);
        }
    }

    /// When there is something to tell again, should nothing finish before.
    pub fn next_at(&self) -> Option<Timestamp> {
        let of_callback = (!self.callback.is_null()).then(|| self.due.get());
        let of_display = self.display.borrow().as_ref().map(Display::next_at);
        of_callback.into_iter().chain(of_display).min()
    }

    fn numbers(&self, lane: &Lane, now: Timestamp) -> Option<client::Progress> {
        // While any is in flight, not all wait.
        let waiting_until = if lane.is_idle() { lane.waiting_until() } else { None };
        Some(self.meter.borrow().as_ref()?.numbers(now, lane.limited(), waiting_until))
    }

    fn tell(&self, lane: &Lane, now: Timestamp, is_callback_due: bool) -> Parsed<()> {
        let Some(numbers) = self.numbers(lane, now) else { return Ok(()) };
        if let Some(display) = &mut *self.display.borrow_mut() {
            display.show(&numbers, now);
        }
        if is_callback_due && !self.callback.is_null() {
            self.due.set(now.after(INTERVAL));
            object::call(&self.callback, &mut [progress(&numbers, now)])?;
        }
        Ok(())
    }

    pub fn trace(&self, tracer: &mut Tracer) {
        tracer.value(&self.callback);
    }
}

fn progress(numbers: &client::Progress, now: Timestamp) -> Zval {
    let count = |count: u64| object::value(i64::try_from(count).unwrap_or(i64::MAX));
    let wall = |until: Timestamp| object::value(seconds::unix_time(until, now));
    PROGRESS.create_with([
        count(numbers.done),
        object::or_null(numbers.total.map(count)),
        object::value(numbers.rate),
        count(numbers.limited),
        object::or_null(numbers.waiting_until.map(wall)),
        object::or_null(numbers.eta.map(|eta| object::value(eta.as_secs_f64()))),
    ])
}
