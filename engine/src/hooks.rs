//! Functions of the JavaScript part that the native part calls.
use rquickjs::{
    Ctx, Error, Exception, FromJs, Function, Object, Persistent, Result, function::IntoArgs,
};
use std::cell::RefCell;

/// The hidden global by which both parts meet while the component is built.
pub const MEETING_PLACE: &str = "__ftl";

struct Global(RefCell<Option<Persistent<Object<'static>>>>);
// SAFETY: a component has one thread.
unsafe impl Sync for Global {}
static EXPORTS: Global = Global(RefCell::new(None));

/// Takes what the JavaScript part exports, and removes the hidden global, so that no author's code can reach it.
pub fn load(ctx: &Ctx<'_>) -> Result<()> {
    let meeting: Object = ctx.globals().get(MEETING_PLACE)?;
    let exports: Object = meeting.get("exports")?;
    *EXPORTS.0.borrow_mut() = Some(Persistent::save(ctx, exports));
    ctx.globals().remove(MEETING_PLACE)
}

pub fn call<'js, A: IntoArgs<'js>, R: FromJs<'js>>(
    ctx: &Ctx<'js>,
    name: &str,
    args: A,
) -> Result<R> {
    let exports = EXPORTS.0.borrow().clone();
    let exports = exports.ok_or_else(|| Exception::throw_internal(ctx, "no JavaScript part"))?;
    let function: Function = exports.restore(ctx)?.get(name)?;
    function.call(args)
}

/// An exception as a value, to reject a promise with.
pub fn caught<'js>(ctx: &Ctx<'js>, error: Error) -> rquickjs::Value<'js> {
    match error {
        Error::Exception => ctx.catch(),
        other => match Exception::from_message(ctx.clone(), &other.to_string()) {
            Ok(made) => made.into_value(),
            Err(_) => ctx.catch(),
        },
    }
}
