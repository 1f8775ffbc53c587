//! Methods and their parameters, as declarations state them.

use ext_php_rs::{
    args::Arg,
    builders::FunctionBuilder,
    error::{Error, Result},
    flags::MethodFlags,
    types::{ZendStr, Zval},
    zend::ClassEntry,
};

use super::{Args, Parsed, Type, entry, ffi, types};

/// A parameter of a method.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    name: &'static str,
    type_: Type,
    default: Option<&'static str>,
    sensitive: bool,
    variadic: bool,
}

/// A required parameter.
#[must_use]
pub const fn param(name: &'static str, type_: Type) -> Param {
    Param { name, type_, default: None, sensitive: false, variadic: false }
}

impl Param {
    /// Optional; the default as a PHP expression. The engine evaluates it for a parameter that a call with named
    /// arguments skips, so it must agree with what the method assumes for "not given".
    #[must_use]
    pub const fn default(self, expression: &'static str) -> Self {
        Self { default: Some(expression), ..self }
    }

    /// `#[\SensitiveParameter]`: stack traces do not show it (PHP 8.2 and later).
    #[must_use]
    pub const fn sensitive(self) -> Self {
        Self { sensitive: true, ..self }
    }

    /// `...$name`. The last one only.
    #[must_use]
    pub const fn variadic(self) -> Self {
        Self { variadic: true, ..self }
    }

    fn to_arg(self) -> Arg<'static> {
        let (data_type, nullable) = self.type_.nearest();
        let mut arg = Arg::new(self.name, data_type);
        if nullable {
            arg = arg.allow_null();
        }
        if let Some(expression) = self.default {
            arg = arg.default(expression);
        }
        if self.variadic { arg.is_variadic() } else { arg }
    }
}

/// A method.
#[derive(Debug)]
pub struct Method {
    name: &'static str,
    builder: FunctionBuilder<'static>,
    params: Vec<Param>,
    returns: Option<Type>,
    flags: MethodFlags,
}

/// A public method. `function` is a plain `fn(&Args<'_>, &mut Zval) -> Parsed<()>`; the result is null until it is
/// set.
pub fn method<F>(name: &'static str, function: F) -> Method
where
    F: Fn(&Args<'_>, &mut Zval) -> Parsed<()> + 'static,
{
    Method::with(name, entry::builder(name, &function), MethodFlags::Public)
}

/// A public static method; otherwise as [`method`].
pub fn static_method<F>(name: &'static str, function: F) -> Method
where
    F: Fn(&Args<'_>, &mut Zval) -> Parsed<()> + 'static,
{
    Method::with(name, entry::builder(name, &function), MethodFlags::Public | MethodFlags::Static)
}

/// A public method of an interface.
#[must_use]
pub fn signature(name: &'static str) -> Method {
    Method::with(name, FunctionBuilder::new_abstract(name), MethodFlags::Public | MethodFlags::Abstract)
}

impl Method {
    fn with(name: &'static str, builder: FunctionBuilder<'static>, flags: MethodFlags) -> Self {
        Self { name, builder, params: Vec::new(), returns: None, flags }
    }

    /// Only for PHP's own eyes: a constructor that nobody may call.
    #[must_use]
    pub fn private(self) -> Self {
        Self { flags: self.flags.difference(MethodFlags::Public).union(MethodFlags::Private), ..self }
    }

    #[must_use]
    pub fn param(mut self, param: Param) -> Self {
        self.params.push(param);
        self
    }

    #[must_use]
    pub fn params(mut self, params: impl IntoIterator<Item = Param>) -> Self {
        self.params.extend(params);
        self
    }

    #[must_use]
    pub fn returns(mut self, type_: Type) -> Self {
        self.returns = Some(type_);
        self
    }

    pub(super) fn flags(&self) -> MethodFlags {
        self.flags
    }

    pub(super) fn build(self) -> (Signature, FunctionBuilder<'static>) {
        let required = self.params.iter().take_while(|p| p.default.is_none() && !p.variadic).count();
        // The builder counts a variadic parameter as required and takes it off again.
        let variadic = usize::from(self.params.last().is_some_and(|p| p.variadic));
        let mut builder = self.params.iter().fold(self.builder, |builder, param| builder.arg(param.to_arg()));
        builder = builder.required_args(required.saturating_add(variadic));
        if let Some(type_) = self.returns {
            let (data_type, nullable) = type_.nearest();
            builder = builder.returns(data_type, false, nullable);
        }
        (Signature { name: self.name, params: self.params, returns: self.returns }, builder)
    }
}

/// What is put right after registration: the types that the builder cannot say, and the attributes.
#[derive(Debug)]
pub(super) struct Signature {
    name: &'static str,
    params: Vec<Param>,
    returns: Option<Type>,
}

impl Signature {
    pub(super) fn complete(&self, class: &ClassEntry) -> Result<()> {
        let (name, length) = (self.name.as_ptr().cast(), self.name.len());
        // SAFETY: a method just registered: its table of arguments has one entry per parameter, and the type of the
        // result before them. Nothing else refers to it yet.
        unsafe {
            let function = ffi::zend_hash_str_find_ptr_lc(&raw const class.function_table, name, length);
            let function = function.cast::<ffi::zend_function>().as_mut().ok_or(Error::InvalidPointer)?;
            let table = function.internal_function.arg_info;
            if let Some(type_) = self.returns {
                retype(&raw mut (*table.sub(1)).type_, type_);
            }
            for (index, param) in self.params.iter().enumerate() {
                retype(&raw mut (*table.add(index)).type_, param.type_);
                // The attribute came with PHP 8.2.
                if cfg!(php82) && param.sensitive {
                    mark_sensitive(function, u32::try_from(index)?);
                }
            }
        }
        Ok(())
    }
}

/// # Safety
/// `place` is the type of a parameter or result that [`Method::build`] has built.
unsafe fn retype(place: *mut ffi::zend_type, type_: Type) {
    if type_.class.is_some() {
        // What may be beside the class.
        // SAFETY: as the caller says.
        unsafe { (*place).type_mask |= type_.mask };
    } else {
        // The bits above (variadic, by reference) stay.
        // SAFETY: as the caller says.
        unsafe { (*place).type_mask = (*place).type_mask & !types::MAY_BE_MASK | type_.mask };
    }
}

/// # Safety
/// `function` is an internal function with that parameter.
unsafe fn mark_sensitive(function: &mut ffi::zend_function, index: u32) {
    /// `ZEND_ATTRIBUTE_PERSISTENT` (Zend/zend_attributes.h): internal functions outlive requests.
    const PERSISTENT: u32 = 1;
    let name = ZendStr::new_interned("SensitiveParameter", true).into_raw();
    // SAFETY: as `zend_add_parameter_attribute`, whose offsets count from 1.
    unsafe {
        ffi::zend_add_attribute(&raw mut function.common.attributes, name, 0, PERSISTENT, index + 1, 0)
    };
}
