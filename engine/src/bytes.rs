//! The bytes of buffers and views, and the text of values, as the Web specifications read them.
use rquickjs::function::This;
use rquickjs::{Ctx, Error, Exception, Function, Persistent, Result, Value, qjs};
use std::borrow::Cow;
use std::cell::OnceCell;
use std::slice;

/// The getters of `DataView.prototype`: the engine's C interface does not reach into a DataView.
type Getters = [Persistent<Function<'static>>; 3];
struct Global(OnceCell<Getters>);
// SAFETY: a component has one thread.
unsafe impl Sync for Global {}
static DATA_VIEW: Global = Global(OnceCell::new());

pub fn install(ctx: &Ctx<'_>) -> Result<()> {
    let object: rquickjs::Object = ctx.globals().get("Object")?;
    let describe: Function = object.get("getOwnPropertyDescriptor")?;
    let view: rquickjs::Object = ctx.globals().get("DataView")?;
    let prototype: rquickjs::Object = view.get("prototype")?;
    let getter = |name: &str| -> Result<Persistent<Function<'static>>> {
        let descriptor: rquickjs::Object = describe.call((prototype.clone(), name))?;
        Ok(Persistent::save(ctx, descriptor.get::<_, Function>("get")?))
    };
    let _ = DATA_VIEW.0.set([
        getter("buffer")?,
        getter("byteOffset")?,
        getter("byteLength")?,
    ]);
    Ok(())
}

/// Where the bytes of a buffer or a view are. Any JavaScript that runs may move or free them.
#[derive(Clone, Copy)]
pub struct Place {
    at: *mut u8,
    pub len: usize,
    pub shared: bool,
}

impl Place {
    const NOTHING: Place = Place {
        at: std::ptr::null_mut(),
        len: 0,
        shared: false,
    };

    /// # Safety
    /// No JavaScript may run while the slice is held.
    pub unsafe fn bytes<'a>(self) -> &'a [u8] {
        if self.at.is_null() {
            return &[];
        }
        // SAFETY: the engine gave this address and length, and the caller lets nothing run.
        unsafe { slice::from_raw_parts(self.at, self.len) }
    }

    /// # Safety
    /// No JavaScript may run while the slice is held, and nobody else may hold one.
    pub unsafe fn bytes_mut<'a>(self) -> &'a mut [u8] {
        if self.at.is_null() {
            return &mut [];
        }
        // SAFETY: as above.
        unsafe { slice::from_raw_parts_mut(self.at, self.len) }
    }
}

/// The kind of a typed array, or `None` for anything else.
pub fn array_kind(value: &Value<'_>) -> Option<u32> {
    // SAFETY: a look at the class of the value.
    u32::try_from(unsafe { qjs::JS_GetTypedArrayType(value.as_raw()) }).ok()
}

/// The bytes of an ArrayBuffer, a SharedArrayBuffer, a typed array or a DataView; those of a detached buffer are none.
/// `None` for anything else.
pub fn place<'js>(value: &Value<'js>) -> Option<Place> {
    value.as_object()?;
    if array_kind(value).is_some() {
        return Some(typed_array(value).unwrap_or(Place::NOTHING));
    }
    // SAFETY: a look at the class of the value.
    if unsafe { qjs::JS_IsDataView(value.as_raw()) } {
        return Some(data_view(value).unwrap_or(Place::NOTHING));
    }
    buffer(value)
}

fn forget_exception(ctx: &Ctx<'_>) {
    let _ = ctx.catch();
}

fn buffer(value: &Value<'_>) -> Option<Place> {
    let ctx = value.ctx();
    let mut len: qjs::size_t = 0;
    // SAFETY: both calls only look at the value.
    let (own, at) = unsafe {
        (
            qjs::JS_IsArrayBuffer(value.as_raw()),
            qjs::JS_GetArrayBuffer(ctx.as_raw().as_ptr(), &mut len, value.as_raw()),
        )
    };
    if at.is_null() {
        forget_exception(ctx);
        return own.then_some(Place::NOTHING);
    }
    Some(Place {
        at,
        len: len as usize,
        shared: !own,
    })
}

fn part(value: &Value<'_>, offset: usize, len: usize) -> Option<Place> {
    let whole = buffer(value)?;
    if whole.at.is_null() || offset.checked_add(len)? > whole.len {
        return None;
    }
    // SAFETY: the part lies in the whole.
    Some(Place {
        at: unsafe { whole.at.add(offset) },
        len,
        shared: whole.shared,
    })
}

fn typed_array(value: &Value<'_>) -> Option<Place> {
    let ctx = value.ctx();
    let (mut offset, mut len, mut size): (qjs::size_t, qjs::size_t, qjs::size_t) = (0, 0, 0);
    // SAFETY: `value` is a typed array, and the buffer that comes back is owned.
    let raw = unsafe {
        qjs::JS_GetTypedArrayBuffer(
            ctx.as_raw().as_ptr(),
            value.as_raw(),
            &mut offset,
            &mut len,
            &mut size,
        )
    };
    // SAFETY: as above.
    let store = unsafe { Value::from_raw(ctx.clone(), raw) };
    if store.is_exception() {
        forget_exception(ctx);
        return None;
    }
    part(&store, offset as usize, len as usize)
}

fn data_view(value: &Value<'_>) -> Option<Place> {
    let ctx = value.ctx();
    let ask = || -> Result<Option<Place>> {
        let Some([store, offset, len]) = DATA_VIEW.0.get() else {
            return Ok(None);
        };
        let this = || (This(value.clone()),);
        let store: Value = store.clone().restore(ctx)?.call(this())?;
        let offset: f64 = offset.clone().restore(ctx)?.call(this())?;
        let len: f64 = len.clone().restore(ctx)?.call(this())?;
        Ok(part(&store, offset as usize, len as usize))
    };
    ask().unwrap_or_else(|_| {
        forget_exception(ctx);
        None
    })
}

/// A copy of the bytes of a `BufferSource`; a `TypeError` for anything else, shared memory too.
pub fn copy(ctx: &Ctx<'_>, value: &Value<'_>, what: &str) -> Result<Vec<u8>> {
    match place(value) {
        Some(place) if !place.shared => {
            crate::memory::check(ctx, place.len)?;
            // SAFETY: copied before any JavaScript runs.
            Ok(unsafe { place.bytes() }.to_vec())
        }
        Some(_) => Err(Exception::throw_type(
            ctx,
            &format!("{what} must not be in shared memory"),
        )),
        None => Err(Exception::throw_type(
            ctx,
            &format!("{what} must be an ArrayBuffer, a typed array or a DataView"),
        )),
    }
}

/// Shows `look` the value as the engine's UTF-8, in which lone surrogates take three bytes of their own.
/// Converts a value that is not a string as JavaScript does, which may run JavaScript before `look` starts.
pub fn with_text<'js, R>(
    ctx: &Ctx<'js>,
    value: &Value<'js>,
    look: impl FnOnce(&[u8]) -> R,
) -> Result<R> {
    let mut len: qjs::size_t = 0;
    // SAFETY: the text is freed below, and `look` cannot keep it.
    unsafe {
        let at = qjs::JS_ToCStringLen2(
            ctx.as_raw().as_ptr(),
            &mut len,
            value.as_raw(),
            false.into(),
        );
        if at.is_null() {
            return Err(Error::Exception);
        }
        let outcome = look(slice::from_raw_parts(at.cast(), len as usize));
        qjs::JS_FreeCString(ctx.as_raw().as_ptr(), at);
        Ok(outcome)
    }
}

/// Turns each lone surrogate into U+FFFD, which takes as many bytes.
pub fn repair(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => {
            let mut bytes = bytes.to_vec();
            for at in 0..bytes.len().saturating_sub(2) {
                if bytes[at] == 0xed && bytes[at + 1] >= 0xa0 {
                    bytes[at..at + 3].copy_from_slice("\u{fffd}".as_bytes());
                }
            }
            Cow::Owned(
                String::from_utf8(bytes)
                    .unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned()),
            )
        }
    }
}

/// Bytes that a short string takes besides its own, with its place in a list.
const OF_STRING: usize = 64;

/// A `USVString`.
pub fn text<'js>(ctx: &Ctx<'js>, value: &Value<'js>) -> Result<String> {
    with_text(ctx, value, |bytes| {
        crate::memory::check(ctx, bytes.len() + OF_STRING)?;
        Ok(repair(bytes).into_owned())
    })?
}

/// A new Uint8Array on the JavaScript heap: its limit is an error that can be caught, and that of a Rust `Vec` is a trap.
pub fn new_array<'js>(ctx: &Ctx<'js>, bytes: &[u8]) -> Result<Value<'js>> {
    // SAFETY: the engine copies the bytes, and the value that comes back is owned.
    let value = unsafe {
        let raw = qjs::JS_NewUint8ArrayCopy(
            ctx.as_raw().as_ptr(),
            bytes.as_ptr(),
            bytes.len() as qjs::size_t,
        );
        Value::from_raw(ctx.clone(), raw)
    };
    if value.is_exception() {
        return Err(rquickjs::Error::Exception);
    }
    Ok(value)
}

/// A new string of the engine, without the copy that a Rust `String` would take.
pub fn string<'js>(ctx: &Ctx<'js>, text: &str) -> Result<Value<'js>> {
    Ok(rquickjs::String::from_str(ctx.clone(), text)?.into_value())
}

/// A parameter that is a `USVString`.
pub struct Text(pub String);
impl<'js> rquickjs::FromJs<'js> for Text {
    fn from_js(ctx: &Ctx<'js>, value: Value<'js>) -> Result<Self> {
        text(ctx, &value).map(Text)
    }
}
