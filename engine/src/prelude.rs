//! The JavaScript part of the Web APIs: `js/` as one script, evaluated before the author's bundle.
use rquickjs::{Context, Ctx, Error, Function, Object, Persistent, Result, Runtime, Value, qjs};
use std::cell::{RefCell, UnsafeCell};
use std::ffi::CString;

/// Made by `node engine/bundle-prelude.mjs`. It is zeroed after its evaluation: no snapshot needs it.
struct Source(UnsafeCell<[u8; include_bytes!("prelude.generated.js").len()]>);
// SAFETY: a component has one thread.
unsafe impl Sync for Source {}
static SOURCE: Source = Source(UnsafeCell::new(*include_bytes!("prelude.generated.js")));

/// The source with the NUL at its end that QuickJS wants; there is no second time.
fn take_source() -> CString {
    // SAFETY: this is the only use of the cell, and the reference ends with this function.
    let source = unsafe { &mut *SOURCE.0.get() };
    let text = CString::new(source.as_slice()).unwrap_or_default();
    source.fill(0);
    text
}

struct Exports(RefCell<Option<Persistent<Object<'static>>>>);
// SAFETY: a component has one thread.
unsafe impl Sync for Exports {}
static EXPORTS: Exports = Exports(RefCell::new(None));

/// The functions that `provide` of `js/host.js` lists.
pub fn exports<'js>(ctx: &Ctx<'js>) -> Result<Object<'js>> {
    let saved = EXPORTS.0.borrow().clone();
    saved.ok_or(Error::Unknown)?.restore(ctx)
}

/// One of the functions; an error when there is none of this name.
pub fn function<'js>(ctx: &Ctx<'js>, name: &str) -> Result<Function<'js>> {
    exports(ctx)?.get(name)
}

pub fn install(ctx: &Ctx<'_>, bytecode: &[u8]) -> Result<()> {
    let globals = ctx.globals();
    let host = Object::new(ctx.clone())?;
    host.set("print", Function::new(ctx.clone(), print)?)?;
    host.set("classId", Function::new(ctx.clone(), class_id)?)?;
    host.set("proxyTarget", Function::new(ctx.clone(), proxy_target)?)?;
    host.set("fetch", crate::fetch::native(ctx)?)?;
    host.set("variable", Function::new(ctx.clone(), crate::modules::variables::value_of)?)?;
    host.set("keepShapes", Function::new(ctx.clone(), keep_shapes)?)?;
    host.set("Codec", crate::compression::native(ctx)?)?;
    globals.set("__ftl", host.clone())?;
    evaluate(ctx, bytecode)?;
    globals.remove("__ftl")?;
    let exports: Object<'_> = host.get("exports")?;
    *EXPORTS.0.borrow_mut() = Some(Persistent::save(ctx, exports));
    Ok(())
}

/// Warnings and errors go to stderr, the rest to stdout.
fn print(level: String, text: String) {
    match level.as_str() {
        "warn" | "error" | "trace" => eprintln!("{text}"),
        _ => println!("{text}"),
    }
}

unsafe extern "C" {
    /// Of `patches/rquickjs-sys/quickjs-warm-shapes.patch`.
    fn JS_KeepShapes(runtime: *mut qjs::JSRuntime, keeps: bool);
}

/// What is made while this is on need not be made again in a request. It does nothing in a request.
pub fn keep_shapes(ctx: Ctx<'_>, keeps: bool) {
    if crate::building() {
        // SAFETY: the runtime of this context.
        unsafe { JS_KeepShapes(qjs::JS_GetRuntime(ctx.as_raw().as_ptr()), keeps) }
    }
}

/// The number of the engine's class of an object, which no JavaScript can fake; 0 for anything else.
fn class_id(value: Value<'_>) -> u32 {
    if !value.is_object() {
        return 0;
    }
    // SAFETY: an object of this context.
    unsafe { qjs::JS_GetClassID(value.as_raw()) }
}

fn proxy_target<'js>(ctx: Ctx<'js>, value: Value<'js>) -> Result<Value<'js>> {
    // SAFETY: a value of this context; the target is a value of its own.
    unsafe {
        if !value.is_object() || !qjs::JS_IsProxy(value.as_raw()) {
            return Ok(Value::new_undefined(ctx));
        }
        let target = qjs::JS_GetProxyTarget(ctx.as_raw().as_ptr(), value.as_raw());
        owned(&ctx, target)
    }
}

/// Bytecode without source text and line numbers. With them the snapshot of every component has 300 KB more, and a function
/// of the platform would show its minified source. A runtime of its own compiles it, so that the parser leaves no gaps in the
/// snapshot.
pub fn compile() -> Result<Vec<u8>> {
    let runtime = Runtime::new()?;
    crate::limits::set(&runtime);
    Context::full(&runtime)?.with(|ctx| {
        let source = take_source();
        let raw = ctx.as_raw().as_ptr();
        let flags = qjs::JS_EVAL_TYPE_GLOBAL | qjs::JS_EVAL_FLAG_COMPILE_ONLY;
        let strip = qjs::JS_WRITE_OBJ_BYTECODE | qjs::JS_WRITE_OBJ_STRIP_SOURCE | qjs::JS_WRITE_OBJ_STRIP_DEBUG;
        // SAFETY: the source ends with NUL; the bytes are copied, and each value is freed once.
        unsafe {
            let code = qjs::JS_Eval(raw, source.as_ptr(), source.count_bytes() as _, c"ftl".as_ptr(), flags as i32);
            let code = owned(&ctx, code)?;
            let mut length = 0;
            let bytes = qjs::JS_WriteObject(raw, &mut length, code.as_raw(), strip as i32);
            if bytes.is_null() {
                return Err(Error::Exception);
            }
            let copy = std::slice::from_raw_parts(bytes, length as usize).to_vec();
            qjs::js_free(raw, bytes.cast());
            Ok(copy)
        }
    })
}

fn evaluate(ctx: &Ctx<'_>, bytecode: &[u8]) -> Result<()> {
    let raw = ctx.as_raw().as_ptr();
    // SAFETY: `compile` of the same engine has written the bytes.
    unsafe {
        let code = qjs::JS_ReadObject(raw, bytecode.as_ptr(), bytecode.len() as _, qjs::JS_READ_OBJ_BYTECODE as i32);
        if qjs::JS_IsException(code) {
            return Err(Error::Exception);
        }
        // It takes `code`.
        owned(ctx, qjs::JS_EvalFunction(raw, code)).map(drop)
    }
}

/// # Safety
/// The value must not be freed by anything else.
unsafe fn owned<'js>(ctx: &Ctx<'js>, value: qjs::JSValue) -> Result<Value<'js>> {
    // SAFETY: given by the caller.
    unsafe {
        if qjs::JS_IsException(value) {
            return Err(Error::Exception);
        }
        Ok(Value::from_raw(ctx.clone(), value))
    }
}
