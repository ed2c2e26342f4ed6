//! The iterators of `URLSearchParams`, which see what changes while they run.
use super::params::{List, URLSearchParams};
use rquickjs::atom::PredefinedAtom;
use rquickjs::object::Property;
use rquickjs::{Array, Class, Ctx, JsLifetime, Object, Result, Value, class::Trace};
use std::cell::Cell;
use std::rc::Rc;

#[derive(Clone, Copy)]
pub enum Kind {
    Name,
    Value,
    Both,
}

#[derive(Trace, JsLifetime)]
#[rquickjs::class(frozen)]
pub struct URLSearchParamsIterator {
    #[qjs(skip_trace)]
    list: Rc<List>,
    #[qjs(skip_trace)]
    at: Cell<usize>,
    #[qjs(skip_trace)]
    kind: Kind,
}

impl URLSearchParamsIterator {
    pub fn new(list: Rc<List>, kind: Kind) -> Self {
        let at = Cell::new(0);
        URLSearchParamsIterator { list, at, kind }
    }

    fn current<'js>(&self, ctx: &Ctx<'js>) -> Result<Option<Value<'js>>> {
        let pairs = self.list.pairs.borrow();
        let Some((name, value)) = pairs.get(self.at.get()) else {
            return Ok(None);
        };
        self.at.set(self.at.get() + 1);
        match self.kind {
            Kind::Name => crate::bytes::string(ctx, name).map(Some),
            Kind::Value => crate::bytes::string(ctx, value).map(Some),
            Kind::Both => {
                let both = Array::new(ctx.clone())?;
                both.set(0, name.as_str())?;
                both.set(1, value.as_str())?;
                Ok(Some(both.into_value()))
            }
        }
    }
}

#[rquickjs::methods(rename_all = "camelCase")]
impl URLSearchParamsIterator {
    pub fn next<'js>(&self, ctx: Ctx<'js>) -> Result<Object<'js>> {
        let current = self.current(&ctx)?;
        let step = Object::new(ctx.clone())?;
        let done = current.is_none();
        step.set("value", current.unwrap_or(Value::new_undefined(ctx)))?;
        step.set("done", done)?;
        Ok(step)
    }

    #[qjs(prop, rename = PredefinedAtom::SymbolToStringTag, configurable)]
    pub fn tag() -> &'static str {
        "URLSearchParams Iterator"
    }
}

pub fn install(ctx: &Ctx<'_>) -> Result<()> {
    let class: Object = ctx.globals().get("Iterator")?;
    let parent: Object = class.get("prototype")?;
    if let Some(prototype) = Class::<URLSearchParamsIterator>::prototype(ctx)? {
        prototype.set_prototype(Some(&parent))?;
    }
    if let Some(prototype) = Class::<URLSearchParams>::prototype(ctx)? {
        let entries: Value = prototype.get("entries")?;
        let entries = Property::from(entries).writable().configurable();
        prototype.prop(PredefinedAtom::SymbolIterator, entries)?;
    }
    Ok(())
}
