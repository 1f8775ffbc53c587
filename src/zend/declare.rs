//! Classes as tables.
//!
//! ```ignore
//! static POINT: Handle = Handle::new();
//!
//! Class::value("Geo\\Point")
//!     .readonlys([("x", Type::FLOAT)])
//!     .method(method("__construct", construct).param(param("x", Type::FLOAT).default("0.0")))
//!     .method(method("scaled", scaled).param(param("by", Type::FLOAT)).returns(Type::STATIC))
//!     .register(&POINT)?;
//!
//! fn scaled(args: &Args<'_>, result: &mut Zval) -> Parsed<()> { … }
//! ```
//!
//! Reflection shows exactly what the table says. Registered with ext-php-rs's builders; types that those cannot say
//! are put into the engine's tables afterwards.

use std::{
    ffi::{CStr, CString, c_int},
    ptr::NonNull,
    sync::{Mutex, PoisonError},
};

use ext_php_rs::{
    args::ArgInfoTables,
    boxed::ZBox,
    builders::ClassBuilder,
    error::{Error, Result},
    flags::ClassFlags,
    types::{ZendHashTable, ZendObject, ZendStr, Zval},
    zend::{ClassEntry, ce},
};

use super::{Handle, Method, Type, ffi, handlers, native, object, object::Object, throw};

/// A class or interface to be registered, from the module's startup function only.
#[derive(Debug)]
#[must_use]
pub struct Class {
    name: &'static str,
    flags: ClassFlags,
    parent: Option<fn() -> &'static ClassEntry>,
    interfaces: Vec<&'static ClassEntry>,
    properties: Vec<(&'static str, Type)>,
    methods: Vec<Method>,
    create: Option<unsafe extern "C" fn(*mut ClassEntry) -> *mut ZendObject>,
}

impl Class {
    fn new(name: &'static str, flags: ClassFlags) -> Self {
        Self {
            name,
            flags,
            parent: None,
            interfaces: Vec::new(),
            properties: Vec::new(),
            methods: Vec::new(),
            create: None,
        }
    }

    pub fn interface(name: &'static str) -> Self {
        Self::new(name, ClassFlags::Interface)
    }

    /// A final class of readonly properties, without dynamic properties. PHP cannot make one past its constructor, and
    /// it cannot be serialized; see [`serializable`](Self::serializable).
    pub fn value(name: &'static str) -> Self {
        let class = Self::new(
            name,
            ClassFlags::Final | ClassFlags::NoDynamicProperties | ClassFlags::NotSerializable,
        );
        Self { create: Some(create_plain), ..class }
    }

    /// A final class whose objects carry a `T`; see [`native`].
    pub fn native<T: native::Native>(name: &'static str) -> Self {
        Self { create: Some(native::create::<T>), ..Self::value(name) }
    }

    /// For a value class: `var_dump`, `print_r` and `var_export` show what `shown` makes of the object, such as a
    /// changed copy of its [`properties`](super::handlers::properties). `(array)`, `json_encode`, `serialize` and
    /// `foreach` see the real ones.
    pub fn shown<F>(self, _shown: F) -> Self
    where
        F: Fn(Object<'_>) -> ZBox<ZendHashTable> + 'static,
    {
        Self { create: Some(handlers::create_shown::<F>), ..self }
    }

    /// A class that may be extended, such as an exception; not serializable either.
    pub fn open(name: &'static str) -> Self {
        Self::new(name, ClassFlags::NotSerializable)
    }

    /// For a class with `__serialize` and `__unserialize`.
    pub fn serializable(mut self) -> Self {
        self.flags = self.flags.difference(ClassFlags::NotSerializable);
        self
    }

    pub fn extends(mut self, parent: fn() -> &'static ClassEntry) -> Self {
        self.parent = Some(parent);
        self
    }

    pub fn implements(mut self, interface: &'static ClassEntry) -> Self {
        self.interfaces.push(interface);
        self
    }

    /// Public readonly properties; one slot each, in this order.
    pub fn readonlys(mut self, properties: impl IntoIterator<Item = (&'static str, Type)>) -> Self {
        self.properties.extend(properties);
        self
    }

    pub fn method(mut self, method: Method) -> Self {
        self.methods.push(method);
        self
    }

    pub fn methods(mut self, methods: impl IntoIterator<Item = Method>) -> Self {
        self.methods.extend(methods);
        self
    }

    /// Registers it, and lets `handle` find it.
    ///
    /// # Errors
    /// If the name is taken or a declaration cannot be said in PHP.
    pub fn register(self, handle: &Handle) -> Result<()> {
        let mut builder = ClassBuilder::new(self.name).flags(self.flags);
        if let Some(parent) = self.parent {
            builder = builder.extends((parent, ""));
        }
        let mut signatures = Vec::with_capacity(self.methods.len());
        for method in self.methods {
            let flags = method.flags();
            let (signature, function) = method.build();
            builder = builder.method(function, flags);
            signatures.push(signature);
        }
        builder.registration(|_, tables| keep(tables)).register()?;

        let class = find(self.name)?;
        for signature in &signatures {
            signature.complete(class)?;
        }
        let first_slot = usize::try_from(class.default_properties_count)?;
        for (name, type_) in self.properties {
            declare_readonly(class, name, type_);
        }
        if let Some(create) = self.create {
            class.__bindgen_anon_2.create_object = Some(create);
        }
        if !class.is_interface() {
            // Else the format "C:" makes an object whose constructor never ran. "O:" asks `__unserialize`.
            class.unserialize = Some(refuse_to_unserialize);
        }
        for interface in self.interfaces {
            // After the types are right: the engine compares signatures here.
            // SAFETY: both entries are registered, and the second is an interface.
            unsafe { ffi::zend_do_implement_interface(class, std::ptr::from_ref(interface).cast_mut()) };
        }
        handle.set(class, first_slot);
        Ok(())
    }
}

/// The engine borrows the tables of arguments for as long as the process lives. They are noted, so that a search for
/// leaks finds them in use.
fn keep(tables: ArgInfoTables) {
    static KEPT: Mutex<Vec<usize>> = Mutex::new(Vec::new());
    let address = Box::leak(tables).as_ptr().expose_provenance();
    KEPT.lock().unwrap_or_else(PoisonError::into_inner).push(address);
}

/// Registers a final enum backed by strings: names and values of its cases.
///
/// # Errors
/// If the engine refuses it.
pub fn string_enum(
    name: &str,
    cases: impl IntoIterator<Item = (&'static CStr, &'static str)>,
    handle: &Handle,
) -> Result<()> {
    let name = CString::new(name)?;
    let backing = u8::try_from(ffi::IS_STRING)?;
    // SAFETY: an enum without methods of its own; the engine copies the name.
    let class =
        unsafe { ffi::zend_register_internal_enum(name.as_ptr(), backing, std::ptr::null()).as_mut() };
    let class = class.ok_or(Error::InvalidPointer)?;
    for (case, value) in cases {
        let case = ZendStr::interned_from_c_str(case, true).into_raw();
        let mut backed = std::mem::ManuallyDrop::new(Zval::new());
        backed.set_zend_string(ZendStr::new_interned(value, true));
        // SAFETY: interned strings, which the enum's table keeps.
        unsafe { ffi::zend_enum_add_case(class, case, &raw mut *backed) };
    }
    // Enums of PHP code are final by themselves, those of extensions are not.
    class.ce_flags |= ClassFlags::Final.bits();
    handle.set(class, 0);
    Ok(())
}

/// A case of an enum. It is one of those that were registered.
#[must_use]
pub fn enum_case(handle: &Handle, case: &CStr) -> Zval {
    let class = std::ptr::from_ref(handle.class()).cast_mut();
    // SAFETY: the name of a registered case, as the caller promises; the engine keeps the object for the request.
    let found = NonNull::new(unsafe { ffi::zend_enum_get_case_cstr(class, case.as_ptr()) });
    // SAFETY: as above.
    found.map_or_else(Zval::null, |case| object::reference(unsafe { Object::from_raw(case) }))
}

/// A class by its name, while the module starts.
fn find(name: &str) -> Result<&'static mut ClassEntry> {
    // SAFETY: the compiler's class table holds every class registered so far, and only this thread starts modules.
    unsafe {
        let table = (*ffi::ext_php_rs_compiler_globals()).class_table;
        ffi::zend_hash_str_find_ptr_lc(table, name.as_ptr().cast(), name.len()).cast::<ClassEntry>().as_mut()
    }
    .ok_or(Error::InvalidPointer)
}

fn declare_readonly(class: &mut ClassEntry, name: &str, type_: Type) {
    /// `ZEND_ACC_READONLY` (Zend/zend_compile.h).
    const READONLY: u32 = 1 << 7;
    let mut zend_type = ffi::zend_type { ptr: std::ptr::null_mut(), type_mask: type_.mask };
    if let Some(named) = type_.class {
        zend_type.ptr = ZendStr::new_interned(named, true).into_raw().cast();
        zend_type.type_mask |= ffi::_ZEND_TYPE_NAME_BIT;
    }
    let mut uninitialized = Zval::new();
    uninitialized.u1.type_info = ffi::IS_UNDEF;
    let access = (ffi::ZEND_ACC_PUBLIC | READONLY).cast_signed();
    let name = ZendStr::new_interned(name, true).into_raw();
    // SAFETY: a class that is being registered; name and class name are interned and so live on.
    unsafe {
        let none = std::ptr::null_mut();
        ffi::zend_declare_typed_property(class, name, &raw mut uninitialized, access, none, zend_type);
    }
}

/// Having one at all makes `ReflectionClass::newInstanceWithoutConstructor` refuse a final class.
unsafe extern "C" fn create_plain(class: *mut ClassEntry) -> *mut ZendObject {
    // SAFETY: what the engine does for a class without `create_object`.
    unsafe {
        let created = ffi::zend_objects_new(class);
        ffi::object_properties_init(created, class);
        created
    }
}

unsafe extern "C" fn refuse_to_unserialize(
    _: *mut Zval,
    class: *mut ClassEntry,
    _: *const u8,
    _: usize,
    _: *mut ffi::zend_unserialize_data,
) -> c_int {
    // SAFETY: the class that the engine has found by the name in the data.
    let name = unsafe { (*class).name() }.unwrap_or("object");
    throw::throw(ce::exception(), format!("Unserialization of '{name}' is not allowed"));
    ffi::ZEND_RESULT_CODE_FAILURE
}
