//! The iteration protocol, for what Web IDL calls a sequence.
use rquickjs::atom::PredefinedAtom;
use rquickjs::function::This;
use rquickjs::{Coerced, Ctx, Exception, Function, Object, Result, Value};

/// The iterator of an object, or `None` when it is not iterable.
pub fn iterator_of<'js>(ctx: &Ctx<'js>, object: &Object<'js>) -> Result<Option<Object<'js>>> {
    let method: Value = object.get(PredefinedAtom::SymbolIterator)?;
    if method.is_undefined() || method.is_null() {
        return Ok(None);
    }
    let method = method
        .into_function()
        .ok_or_else(|| Exception::throw_type(ctx, "Symbol.iterator is not a function"))?;
    let iterator: Value = method.call((This(object.clone()),))?;
    iterator
        .into_object()
        .map(Some)
        .ok_or_else(|| Exception::throw_type(ctx, "the iterator is not an object"))
}

pub fn each<'js>(
    ctx: &Ctx<'js>,
    iterator: &Object<'js>,
    mut take: impl FnMut(Value<'js>) -> Result<()>,
) -> Result<()> {
    let next: Function = iterator.get("next")?;
    loop {
        let step: Value = next.call((This(iterator.clone()),))?;
        let step = step
            .into_object()
            .ok_or_else(|| Exception::throw_type(ctx, "the iterator gave no object"))?;
        let done: Value = step.get("done")?;
        if done.get::<Coerced<bool>>()?.0 {
            return Ok(());
        }
        take(step.get("value")?)?;
    }
}
