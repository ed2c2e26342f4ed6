//! The author's bundle as bytecode, without its source text.
//!
//! QuickJS keeps the text of each function for `toString`, nested functions several times. A runtime of its own compiles
//! the bundle, so that the parser leaves nothing in the memory of the snapshot. Line numbers stay, for the stacks.
use crate::{errors, limits, modules};
use rquickjs::{
    CatchResultExt, Context, Ctx, Error, Module, Promise, Result, Runtime, Value, WriteOptions, qjs,
};
use std::ffi::CString;

/// Name of the bundle in stacks.
const NAME: &str = "bundle.js";

/// The bytecode, or the syntax error as `errors::json`.
pub fn compile(source: Vec<u8>) -> std::result::Result<Vec<u8>, String> {
    let failed = |error: Error| error.to_string();
    let runtime = Runtime::new().map_err(failed)?;
    limits::set(&runtime);
    let context = Context::full(&runtime).map_err(failed)?;
    context.with(|ctx| {
        // Compiling links the imports.
        let compiled = modules::install(&ctx)
            .and_then(|()| Module::declare(ctx.clone(), NAME, source))
            .and_then(|module| module.write(WriteOptions { strip_source: true, ..Default::default() }));
        compiled.catch(&ctx).map_err(|error| errors::json(&ctx, error))
    })
}

/// Runs the bytecode. Returns the promise of the module.
pub fn evaluate<'js>(ctx: &Ctx<'js>, bytecode: &[u8]) -> Result<Promise<'js>> {
    let raw = ctx.as_raw().as_ptr();
    let flags = qjs::JS_READ_OBJ_BYTECODE;
    // SAFETY: `compile` of the same engine has written the bytes. Evaluating frees one reference of the module, which the
    // list of modules needs.
    let promise = unsafe {
        let module = qjs::JS_ReadObject(raw, bytecode.as_ptr(), bytecode.len() as _, flags as i32);
        if qjs::JS_IsException(module) || qjs::JS_ResolveModule(raw, module) < 0 {
            return Err(Error::Exception);
        }
        let promise = qjs::JS_EvalFunction(raw, qjs::JS_DupValue(raw, module));
        if qjs::JS_IsException(promise) {
            return Err(Error::Exception);
        }
        Value::from_raw(ctx.clone(), promise)
    };
    promise.into_promise().ok_or(Error::Unknown)
}

/// Evaluates a strict script, or only compiles it.
pub fn script<'js>(ctx: &Ctx<'js>, source: String, name: String, only_compile: bool) -> Result<Value<'js>> {
    let (source, name) = (CString::new(source)?, CString::new(name)?);
    let compile = if only_compile { qjs::JS_EVAL_FLAG_COMPILE_ONLY } else { 0 };
    let flags = qjs::JS_EVAL_TYPE_GLOBAL | qjs::JS_EVAL_FLAG_STRICT | compile;
    // SAFETY: the source ends with NUL; the value is freed once.
    unsafe {
        let value = qjs::JS_Eval(ctx.as_raw().as_ptr(), source.as_ptr(), source.count_bytes() as _, name.as_ptr(), flags as i32);
        if qjs::JS_IsException(value) {
            return Err(Error::Exception);
        }
        Ok(Value::from_raw(ctx.clone(), value))
    }
}
