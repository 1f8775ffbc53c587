//! The arguments of a call, read as php-src's own functions read them.
//!
//! Positions count from 0 in Rust; the messages count from 1. In weak mode scalars are converted, in a file with
//! `strict_types` they are not; null for a parameter that is not nullable is a TypeError.

use std::{ffi::CStr, marker::PhantomData, ptr::NonNull};

use ext_php_rs::{
    flags::ZvalTypeFlags,
    types::{ZendHashTable, ZendStr, Zval},
    zend::{ClassEntry, ExecuteData},
};

use super::{Parsed, Thrown, Type, ffi, object, object::Object, throw};

/// `ZEND_CALL_HAS_EXTRA_NAMED_PARAMS` (Zend/zend_compile.h).
const HAS_EXTRA_NAMED: u32 = 1 << 27;

/// A call of one of our methods. What it hands out lives as long as the call's frame.
#[derive(Debug)]
pub struct Args<'a> {
    frame: NonNull<ExecuteData>,
    life: PhantomData<&'a ExecuteData>,
}

/// A `string|bool` argument.
#[derive(Debug)]
pub enum StringOrBool<'a> {
    String(&'a ZendStr),
    Bool(bool),
}

impl<'a> Args<'a> {
    pub(super) fn new(frame: &'a mut ExecuteData) -> Self {
        Self { frame: NonNull::from(frame), life: PhantomData }
    }

    fn frame(&self) -> &'a ExecuteData {
        // SAFETY: the engine keeps the frame until the method returns, and `'a` ends before that.
        unsafe { self.frame.as_ref() }
    }

    /// `$this`.
    pub fn this(&self) -> Parsed<Object<'a>> {
        Object::of(&self.frame().This)
            .ok_or_else(|| throw::error("Non-static method called without an object"))
    }

    /// How many arguments were passed by position or by name of a declared parameter.
    #[must_use]
    pub fn count(&self) -> u32 {
        // SAFETY: every member of this union is a view of the same word.
        unsafe { self.frame().This.u2.num_args }
    }

    /// Whether the caller's file has `strict_types` on.
    #[must_use]
    pub fn is_strict(&self) -> bool {
        // SAFETY: a frame and its function live as long as the calls it makes.
        let caller = unsafe { self.frame().prev_execute_data.as_ref().and_then(|frame| frame.func.as_ref()) };
        // SAFETY: all kinds of functions start with `common`.
        caller.is_some_and(|function| unsafe { function.common.fn_flags } & ffi::ZEND_ACC_STRICT_TYPES != 0)
    }

    /// What the method declares: least, most, and whether it is variadic.
    pub(super) fn declared(&self) -> (u32, u32, bool) {
        // SAFETY: a running frame has its function, and all kinds of functions start with `common`.
        let common = unsafe { (*self.frame().func).common };
        (common.required_num_args, common.num_args, common.fn_flags & ffi::ZEND_ACC_VARIADIC != 0)
    }

    /// The argument as it was passed; `None` if it was not.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<&'a Zval> {
        // SAFETY: `place` is null or an initialized argument.
        let value = unsafe { self.place(index).as_ref() }?.dereference();
        // SAFETY: every member of this union is a view of the same word.
        (unsafe { value.u1.type_info } != ffi::IS_UNDEF).then_some(value)
    }

    /// As [`get`](Self::get), but null counts as "not given" too.
    #[must_use]
    pub fn get_non_null(&self, index: usize) -> Option<&'a Zval> {
        self.get(index).filter(|value| !value.is_null())
    }

    fn place(&self, index: usize) -> *mut Zval {
        if u32::try_from(index).map_or(true, |index| index >= self.count()) {
            return std::ptr::null_mut();
        }
        // SAFETY: below the number of arguments that the frame holds.
        let place = unsafe { self.frame().zend_call_arg(index) };
        place.map_or(std::ptr::null_mut(), |place| std::ptr::from_mut(place.dereference_mut()))
    }

    /// An `int` parameter.
    pub fn int(&self, index: usize, default: i64) -> Parsed<i64> {
        match self.get(index) {
            None => Ok(default),
            Some(value) => self.as_int(index, value, "int"),
        }
    }

    /// A `float` parameter.
    pub fn float(&self, index: usize, default: f64) -> Parsed<f64> {
        match self.get(index) {
            None => Ok(default),
            Some(value) => self.as_float(index, value, "float"),
        }
    }

    /// A `?float` parameter.
    pub fn float_or_null(&self, index: usize) -> Parsed<Option<f64>> {
        self.get_non_null(index).map(|value| self.as_float(index, value, "?float")).transpose()
    }

    /// A `bool` parameter.
    pub fn bool(&self, index: usize, default: bool) -> Parsed<bool> {
        let Some(value) = self.get(index) else { return Ok(default) };
        match value.bool() {
            Some(known) => Ok(known),
            None => self.convert(index, value, "bool", ffi::zend_parse_arg_bool_slow),
        }
    }

    /// A `string` parameter; `None` if it was not given.
    pub fn string(&self, index: usize) -> Parsed<Option<&'a ZendStr>> {
        self.get(index).map(|_| self.as_string(index, "string")).transpose()
    }

    /// A `?string` parameter.
    pub fn string_or_null(&self, index: usize) -> Parsed<Option<&'a ZendStr>> {
        self.get_non_null(index).map(|_| self.as_string(index, "?string")).transpose()
    }

    /// A `string|bool` parameter; `None` if it was not given.
    pub fn string_or_bool(&self, index: usize) -> Parsed<Option<StringOrBool<'a>>> {
        let Some(value) = self.get(index) else { return Ok(None) };
        Ok(Some(match value.bool() {
            Some(known) => StringOrBool::Bool(known),
            None => StringOrBool::String(self.as_string(index, "string|bool")?),
        }))
    }

    /// An `array` parameter; `None` if it was not given.
    pub fn array(&self, index: usize) -> Parsed<Option<&'a ZendHashTable>> {
        let Some(value) = self.get(index) else { return Ok(None) };
        value.array().map(Some).ok_or_else(|| self.type_error(index, "array", value))
    }

    /// A parameter of any one type or its nullable, converted as the methods above do; `None` if it was not given.
    pub fn value_of(&self, index: usize, type_: Type) -> Parsed<Option<Zval>> {
        let Some(value) = self.get(index) else { return Ok(None) };
        if type_.admits(value) {
            return Ok(Some(value.shallow_clone()));
        }
        let expected = type_.to_string();
        let converted = match type_.without_null() {
            Type::INT => object::value(self.as_int(index, value, &expected)?),
            Type::FLOAT => object::value(self.as_float(index, value, &expected)?),
            Type::BOOL => object::value(self.bool(index, false)?),
            Type::STRING => {
                self.as_string(index, &expected)?;
                return Ok(self.get(index).map(Zval::shallow_clone));
            }
            _ => return Err(self.type_error(index, &expected, value)),
        };
        Ok(Some(converted))
    }

    /// A parameter of a class; `None` if it was not given.
    pub fn object(&self, index: usize, class: &ClassEntry) -> Parsed<Option<Object<'a>>> {
        self.get(index).map(|value| self.as_object(index, value, class, "")).transpose()
    }

    /// A nullable parameter of a class.
    pub fn object_or_null(&self, index: usize, class: &ClassEntry) -> Parsed<Option<Object<'a>>> {
        self.get_non_null(index).map(|value| self.as_object(index, value, class, "?")).transpose()
    }

    /// A `?callable` parameter: the value as given, which the caller's scope can call.
    pub fn callable_or_null(&self, index: usize) -> Parsed<Option<&'a Zval>> {
        let Some(value) = self.get_non_null(index) else { return Ok(None) };
        let mut error = std::ptr::null_mut();
        // SAFETY: without an object or a place for the resolved function only the value is read.
        let callable = unsafe {
            ffi::zend_is_callable_ex(
                std::ptr::from_ref(value).cast_mut(),
                std::ptr::null_mut(),
                0,
                std::ptr::null_mut(),
                std::ptr::null_mut(),
                &raw mut error,
            )
        };
        if callable {
            return Ok(Some(value));
        }
        if error.is_null() {
            return Err(self.type_error(index, "?callable", value));
        }
        // SAFETY: takes over and frees the text that came from `zend_is_callable_ex`.
        unsafe { ffi::zend_wrong_callback_or_null_error(number(index), error) };
        Err(Thrown)
    }

    /// Takes the named arguments that fit no declared parameter (`mixed ...$options`) out of the frame, as an array;
    /// stack traces do not show them any more.
    #[must_use]
    pub fn take_named(&self) -> Option<Zval> {
        let frame = self.frame.as_ptr();
        // SAFETY: our own frame. The flag says whether the pointer is set; without it, it is stale. With the flag
        // cleared the engine does not release the array, so the value made here owns its reference.
        unsafe {
            if (*frame).This.u1.type_info & HAS_EXTRA_NAMED == 0 {
                return None;
            }
            (*frame).This.u1.type_info &= !HAS_EXTRA_NAMED;
            let mut taken = Zval::new();
            taken.u1.type_info = ZvalTypeFlags::ArrayEx.bits();
            taken.value.arr = (*frame).extra_named_params;
            Some(taken)
        }
    }

    /// Takes the arguments past the first `declared` ones out of the frame: nothing says which of them are secret, so
    /// stack traces show null for each.
    pub fn hide_surplus(&self, declared: u32) {
        for index in (declared..self.count()).filter_map(|index| usize::try_from(index).ok()) {
            // SAFETY: below the number of arguments that the frame holds.
            if let Some(place) = unsafe { self.frame().zend_call_arg(index) } {
                // Dropped when the frame is whole again: a destructor may look at it.
                drop(std::mem::replace(place, Zval::null()));
            }
        }
        drop(self.take_named());
    }

    /// `Class::method(): Argument #n ($name) must be of type <expected>, <type of given> given`.
    pub fn type_error(&self, index: usize, expected: &str, given: &Zval) -> Thrown {
        self.type_error_rule(index, &format!("must be of type {expected}, {} given", type_name(given)))
    }

    /// `Class::method(): Argument #n ($name) <rule>`, a TypeError.
    pub fn type_error_rule(&self, index: usize, rule: &str) -> Thrown {
        if !throw::pending() {
            let rule = throw::c_text(rule);
            // SAFETY: one `%s` and its text; class, method and parameter are read from the current frame.
            unsafe { ffi::zend_argument_type_error(number(index), c"%s".as_ptr(), rule.as_ptr()) };
        }
        Thrown
    }

    /// `Class::method(): Argument #n ($name) <rule>`, a ValueError.
    pub fn value_error(&self, index: usize, rule: &str) -> Thrown {
        if !throw::pending() {
            let rule = throw::c_text(rule);
            // SAFETY: as in `type_error_rule`.
            unsafe { ffi::zend_argument_value_error(number(index), c"%s".as_ptr(), rule.as_ptr()) };
        }
        Thrown
    }

    fn as_int(&self, index: usize, value: &Zval, expected: &str) -> Parsed<i64> {
        match value.long() {
            Some(known) => Ok(known),
            None => self.convert(index, value, expected, ffi::zend_parse_arg_long_slow),
        }
    }

    fn as_float(&self, index: usize, value: &Zval, expected: &str) -> Parsed<f64> {
        match value.double() {
            Some(known) => Ok(known),
            None => self.convert(index, value, expected, ffi::zend_parse_arg_double_slow),
        }
    }

    /// By one of php-src's `zend_parse_arg_*_slow`, which know what the caller's strictness allows. They let null pass
    /// with a deprecation, for old functions of PHP; here it is refused.
    fn convert<T: Default>(
        &self,
        index: usize,
        value: &Zval,
        expected: &str,
        convert: unsafe extern "C" fn(*const Zval, *mut T, u32) -> bool,
    ) -> Parsed<T> {
        let mut converted = T::default();
        // SAFETY: reads the value and the current frame, writes the result.
        let possible = !value.is_null() && unsafe { convert(value, &raw mut converted, number(index)) };
        if possible { Ok(converted) } else { Err(self.type_error(index, expected, value)) }
    }

    fn as_string(&self, index: usize, expected: &str) -> Parsed<&'a ZendStr> {
        let place = self.place(index);
        let mut converted: *mut ffi::zend_string = std::ptr::null_mut();
        // SAFETY: the argument's own place in the frame. A conversion happens there, so the frame owns its result.
        unsafe {
            let value = &*place;
            if let Some(known) = value.zend_str() {
                return Ok(known);
            }
            if !value.is_null() && ffi::zend_parse_arg_str_slow(place, &raw mut converted, number(index)) {
                return converted.as_ref().ok_or(Thrown);
            }
            Err(self.type_error(index, expected, value))
        }
    }

    fn as_object(&self, index: usize, value: &'a Zval, class: &ClassEntry, mark: &str) -> Parsed<Object<'a>> {
        Object::of(value).filter(|object| object.is_a(class)).ok_or_else(|| {
            self.type_error(index, &format!("{mark}{}", class.name().unwrap_or("object")), value)
        })
    }
}

/// The type of a value as error messages of this PHP version name it.
#[must_use]
pub fn type_name(value: &Zval) -> String {
    #[cfg(not(php83))]
    // SAFETY: a static text, or the name of the value's class.
    let name = unsafe { CStr::from_ptr(ffi::zend_zval_type_name(value)) };
    #[cfg(php83)]
    // SAFETY: a static text, or the name of the value's class.
    let name = unsafe { CStr::from_ptr(ffi::zend_zval_value_name(value)) };
    name.to_string_lossy().into_owned()
}

fn number(index: usize) -> u32 {
    u32::try_from(index).map_or(u32::MAX, |index| index.saturating_add(1))
}
