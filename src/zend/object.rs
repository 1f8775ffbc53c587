//! Values and objects: making them, reading and filling their slots, calling PHP code.

use std::{marker::PhantomData, mem::MaybeUninit, ptr::NonNull};

use ext_php_rs::{
    boxed::ZBox,
    convert::IntoZval,
    flags::ZvalTypeFlags,
    types::{ArrayKey, ZendHashTable, ZendObject, ZendStr, Zval},
    zend::ClassEntry,
};

use super::{Parsed, Thrown, ffi, throw};

/// A live object of the engine's. Others write to it at any time, and so do we: hence a pointer, and a reference to
/// the header only for the moment of a look.
#[derive(Clone, Copy, Debug)]
pub struct Object<'a> {
    place: NonNull<ZendObject>,
    life: PhantomData<&'a Zval>,
}

impl<'a> Object<'a> {
    /// The object of a value, for as long as the value holds it.
    #[must_use]
    pub fn of(value: &'a Zval) -> Option<Self> {
        if !value.is_object() {
            return None;
        }
        // SAFETY: the value's type says which member of the union is the live one.
        NonNull::new(unsafe { value.value.obj }).map(|place| Self { place, life: PhantomData })
    }

    /// # Safety
    /// A live object that stays so for `'a`.
    pub(super) const unsafe fn from_raw(place: NonNull<ZendObject>) -> Self {
        Self { place, life: PhantomData }
    }

    #[must_use]
    pub const fn as_ptr(self) -> *mut ZendObject {
        self.place.as_ptr()
    }

    /// It lives until the end of the request at least.
    #[must_use]
    pub fn class(self) -> &'static ClassEntry {
        // SAFETY: a live object has a class, and classes are freed after all objects.
        unsafe { &*(*self.as_ptr()).ce }
    }

    #[must_use]
    pub fn is_a(self, class: &ClassEntry) -> bool {
        let (own, class) = (std::ptr::from_ref(self.class()), std::ptr::from_ref(class));
        // SAFETY: both are registered classes.
        own == class || unsafe { ffi::instanceof_function_slow(own, class) }
    }
}

/// A PHP string of any bytes.
#[must_use]
pub fn string(bytes: impl AsRef<[u8]>) -> Zval {
    let mut value = Zval::new();
    value.set_zend_string(ZendStr::new(bytes, false));
    value
}

/// `int`, `float`, `bool`, an array (`ZBox<ZendHashTable>`), or null for `None`.
#[must_use]
pub fn value(from: impl IntoZval) -> Zval {
    // Only class objects can fail to convert.
    from.into_zval(false).unwrap_or_else(|_| Zval::null())
}

/// The value, or null.
#[must_use]
pub fn or_null(from: Option<Zval>) -> Zval {
    from.unwrap_or_else(Zval::null)
}

/// A value that owns the object.
#[must_use]
pub fn owned(object: ZBox<ZendObject>) -> Zval {
    value(object)
}

/// One more reference to the object.
#[must_use]
pub fn reference(object: Object<'_>) -> Zval {
    let place = object.as_ptr();
    let mut value = Zval::new();
    // SAFETY: a live object, which the new value owns a reference to from here on.
    unsafe { (*place).gc.refcount += 1 };
    value.u1.type_info = ZvalTypeFlags::ObjectEx.bits();
    value.value.obj = place;
    value
}

/// A list with these values.
#[must_use]
pub fn list(values: impl IntoIterator<Item = Zval>) -> Zval {
    let mut array = ZendHashTable::new();
    for value in values {
        // Fails only past 2^63 elements.
        let _ = array.push(value);
    }
    value(array)
}

/// Adds or replaces under a string key of any bytes; decimal ones become int keys, as in PHP code.
pub fn insert(array: &mut ZendHashTable, key: &[u8], item: Zval) {
    // Neither can fail: only class objects fail to convert to a value.
    let _ = match decimal(key) {
        Some(index) => array.insert_at_index(index, item),
        None => array.insert(ArrayKey::ZendString(&ZendStr::new(key, false)), item),
    };
}

/// The value under a key as PHP code would find it: `$array[$key]`.
#[must_use]
pub fn find<'a>(array: &'a ZendHashTable, key: &[u8]) -> Option<&'a Zval> {
    let found = match decimal(key) {
        Some(index) => array.get_index(index),
        None => {
            let key = ZendStr::new(key, false);
            // SAFETY: looks up; the key is only borrowed.
            unsafe { ffi::zend_hash_find(array, key.as_ptr().cast_mut()).as_ref() }
        }
    };
    found.map(Zval::dereference)
}

/// A key that PHP takes for an int (`ZEND_HANDLE_NUMERIC_STR`).
fn decimal(key: &[u8]) -> Option<i64> {
    match ArrayKey::from(std::str::from_utf8(key).ok()?.to_owned()) {
        ArrayKey::Long(index) => Some(index),
        _ => None,
    }
}

/// An object of the class whose constructor has not run: its typed properties are uninitialized.
#[must_use]
pub fn create(class: &ClassEntry) -> Zval {
    owned(ZendObject::new(class))
}

/// `new class(...$positional, ...$named)`.
pub fn construct(
    class: &'static ClassEntry,
    positional: &mut [Zval],
    named: Option<&mut ZendHashTable>,
) -> Parsed<Zval> {
    let created = create(class);
    if let Some(this) = Object::of(&created) {
        call_constructor(class, this, positional, named)?;
    }
    Ok(created)
}

/// Calls the constructor that `class` declares on an object of it or of a child: `parent::__construct(…)`.
pub fn construct_as(class: &'static ClassEntry, this: Object<'_>, arguments: &mut [Zval]) -> Parsed<()> {
    call_constructor(class, this, arguments, None)
}

fn call_constructor(
    class: &'static ClassEntry,
    this: Object<'_>,
    positional: &mut [Zval],
    named: Option<&mut ZendHashTable>,
) -> Parsed<()> {
    if !class.constructor.is_null() {
        let mut ignored = Zval::new();
        // SAFETY: the class entry's own constructor, called on an instance of the class; the engine copies the
        // arguments.
        unsafe {
            call_known(class.constructor, this.as_ptr(), this.class(), &mut ignored, positional, named)
        };
    }
    throw::check()
}

/// Calls a function of PHP's by its lower-case name. PHP code that it runs can throw or look at the stack: the
/// arguments are shown there as those of `model` are, a method of `class` with `#[\SensitiveParameter]`s.
pub fn call_function(
    name: &str,
    arguments: &mut [Zval],
    (class, model): (&ClassEntry, &str),
) -> Parsed<Zval> {
    // SAFETY: looks names of the given lengths up in the tables of functions and methods.
    let (function, model) = unsafe {
        (
            ffi::zend_fetch_function_str(name.as_ptr().cast(), name.len()),
            ffi::zend_hash_str_find_ptr_lc(
                &raw const class.function_table,
                model.as_ptr().cast(),
                model.len(),
            ),
        )
    };
    if function.is_null() {
        return Err(throw::error(format!("Call to undefined function {name}()")));
    }
    let mut result = Zval::new();
    // SAFETY: a function of the engine's table, which outlives the call; no object is needed. All kinds of functions
    // start with `common`, and one of an extension's is copied as what it is: the copy is called in its stead, with
    // the attributes of the model, which belong to its class.
    unsafe {
        let internal = u32::from((*function).common.type_) == ffi::ZEND_INTERNAL_FUNCTION;
        if let Some(model) = model.cast::<ffi::zend_function>().as_ref()
            && internal
        {
            let mut copy = std::ptr::read(function.cast::<ffi::zend_internal_function>());
            copy.attributes = model.common.attributes;
            let copy = (&raw mut copy).cast::<ffi::zend_function>();
            call_known(copy, std::ptr::null_mut(), std::ptr::null(), &mut result, arguments, None);
        } else {
            call_known(function, std::ptr::null_mut(), std::ptr::null(), &mut result, arguments, None);
        }
    }
    throw::check()?;
    Ok(result)
}

/// Calls anything callable: the caller has checked that it is ([`Args::callable_or_null`](super::Args)).
/// The callable is kept alive over the call, whatever the called code does to the variable it came from.
pub fn call(callable: &Zval, arguments: &mut [Zval]) -> Parsed<Zval> {
    call_user(None, callable.shallow_clone(), arguments)
}

/// How many parameters a closure declares, a variadic one not counted.
pub fn declared_parameters(closure: &Zval) -> u32 {
    let mut resolved = MaybeUninit::<ffi::zend_fcall_info_cache>::zeroed();
    // SAFETY: the value is only read. Zeroes are null pointers, which stay if it is no callable; what a closure is
    // resolved to is its own function, alive as long as it. All kinds of functions start with `common`.
    unsafe {
        let null = std::ptr::null_mut();
        let closure = std::ptr::from_ref(closure).cast_mut();
        ffi::zend_is_callable_ex(
            closure,
            null,
            0,
            std::ptr::null_mut(),
            resolved.as_mut_ptr(),
            std::ptr::null_mut(),
        );
        resolved.assume_init().function_handler.as_ref().map_or(0, |function| function.common.num_args)
    }
}

/// Calls a method by its name. The object is kept alive over the call.
pub fn call_method(object: Object<'_>, name: &str, arguments: &mut [Zval]) -> Parsed<Zval> {
    call_user(Some(reference(object)), string(name), arguments)
}

fn call_user(mut object: Option<Zval>, mut callable: Zval, arguments: &mut [Zval]) -> Parsed<Zval> {
    let mut result = Zval::new();
    let this = object.as_mut().map_or(std::ptr::null_mut(), std::ptr::from_mut);
    let count = u32::try_from(arguments.len()).map_err(|_| throw::error("Too many arguments"))?;
    // SAFETY: all values live until the call is over; the engine copies the arguments.
    unsafe {
        ffi::_call_user_function_impl(
            this,
            &raw mut callable,
            &raw mut result,
            count,
            arguments.as_mut_ptr(),
            std::ptr::null_mut(),
        );
    }
    throw::check()?;
    Ok(result)
}

/// # Safety
/// `function` is one the engine made and fits `object` and `scope`.
unsafe fn call_known(
    function: *mut ffi::zend_function,
    object: *mut ZendObject,
    scope: *const ClassEntry,
    result: &mut Zval,
    arguments: &mut [Zval],
    named: Option<&mut ZendHashTable>,
) {
    let Ok(count) = u32::try_from(arguments.len()) else {
        throw::error("Too many arguments");
        return;
    };
    // SAFETY: what the caller promises; arguments and names are borrowed for the call only.
    unsafe {
        ffi::zend_call_known_function(
            function,
            object,
            scope.cast_mut(),
            result,
            count,
            arguments.as_mut_ptr(),
            named.map_or(std::ptr::null_mut(), std::ptr::from_mut),
        );
    }
}

/// A declared property by its position among all of its object's, the parents' first. `None`: not
/// initialized.
pub(super) fn slot(object: Object<'_>, index: usize) -> Option<&Zval> {
    // SAFETY: a live object's slot; what PHP writes to it later is not seen through this reference, which callers
    // keep no longer than until they call PHP.
    let slot = unsafe { &*place_of(object, index)? };
    // SAFETY: every member of this union is an integer view of the same word.
    let type_info = unsafe { slot.u1.type_info };
    (type_info != ffi::IS_UNDEF).then(|| slot.dereference())
}

/// Puts a value into a slot, past readonly and past the type check: the caller gives the declared type.
pub(super) fn fill(object: Object<'_>, index: usize, value: Zval) {
    let Some(place) = place_of(object, index) else { return };
    let value = std::mem::ManuallyDrop::new(value);
    // SAFETY: within the slots (see `slot`); the old value is moved out before the new one is moved in
    // and dropped last, when the object is consistent again. `u2` is cleared: it holds IS_PROP_UNINIT.
    unsafe {
        let old = std::ptr::read(place);
        std::ptr::copy_nonoverlapping(&raw const *value, place, 1);
        (*place).u2.extra = 0;
        drop(old);
    }
}

fn place_of(object: Object<'_>, index: usize) -> Option<*mut Zval> {
    let declared = usize::try_from(object.class().default_properties_count).unwrap_or(0);
    // SAFETY: the engine allocates `default_properties_count` slots behind the object's header.
    (index < declared)
        .then(|| unsafe { (&raw mut (*object.as_ptr()).properties_table).cast::<Zval>().add(index) })
}

/// Whether the value is an instance of the class.
#[must_use]
pub fn is_instance(value: &Zval, class: &ClassEntry) -> bool {
    Object::of(value).is_some_and(|object| object.is_a(class))
}

/// The error for an object whose constructor never ran.
pub(super) fn not_constructed(object: Object<'_>) -> Thrown {
    let name = object.class().name().unwrap_or("object");
    throw::error(format!("The {name} object has not been correctly initialized by its constructor"))
}
