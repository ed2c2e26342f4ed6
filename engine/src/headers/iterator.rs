//! The iterators of `Headers`, which see what changes while they run.
//!
//! https://fetch.spec.whatwg.org/#headers-class
use super::{Headers, List, sorted};
use rquickjs::atom::PredefinedAtom;
use rquickjs::object::Property;
use rquickjs::{Array, Class, Ctx, JsLifetime, Object, Result, Value, class::Trace};
use std::cell::{Cell, RefCell};

#[derive(Clone, Copy)]
pub enum Kind {
    Name,
    Value,
    Both,
}

#[derive(Trace, JsLifetime)]
#[rquickjs::class(frozen)]
pub struct HeadersIterator<'js> {
    headers: Class<'js, Headers>,
    #[qjs(skip_trace)]
    at: Cell<usize>,
    #[qjs(skip_trace)]
    kind: Kind,
    /// The entries, and the number of changes they were made after.
    #[qjs(skip_trace)]
    entries: RefCell<Option<(u32, List)>>,
}

impl<'js> HeadersIterator<'js> {
    pub fn make(ctx: &Ctx<'js>, headers: Class<'js, Headers>, kind: Kind) -> Result<Class<'js, Self>> {
        let iterator = HeadersIterator { headers, at: Cell::new(0), kind, entries: RefCell::new(None) };
        Class::instance(ctx.clone(), iterator)
    }

    /// The name and the value that come next.
    pub fn step(&self, ctx: &Ctx<'js>) -> Result<Option<(String, String)>> {
        let headers = self.headers.borrow();
        let changes = headers.changes.get();
        let mut entries = self.entries.borrow_mut();
        let list = match &mut *entries {
            Some((known, list)) if *known == changes => list,
            other => &mut other.insert((changes, sorted(ctx, &headers.list.borrow())?)).1,
        };
        let at = self.at.get();
        let entry = list.get_mut(at);
        self.at.set(at + usize::from(entry.is_some()));
        // No later step reads it, unless the list is made again.
        Ok(entry.map(std::mem::take))
    }

    fn current(&self, ctx: &Ctx<'js>) -> Result<Option<Value<'js>>> {
        let Some((name, value)) = self.step(ctx)? else {
            return Ok(None);
        };
        match self.kind {
            Kind::Name => crate::bytes::string(ctx, &name).map(Some),
            Kind::Value => crate::bytes::string(ctx, &value).map(Some),
            Kind::Both => {
                let both = Array::new(ctx.clone())?;
                both.set(0, name)?;
                both.set(1, value)?;
                Ok(Some(both.into_value()))
            }
        }
    }
}

#[rquickjs::methods(rename_all = "camelCase")]
impl<'js> HeadersIterator<'js> {
    pub fn next(&self, ctx: Ctx<'js>) -> Result<Object<'js>> {
        let current = self.current(&ctx)?;
        let step = Object::new(ctx.clone())?;
        let done = current.is_none();
        step.set("value", current.unwrap_or(Value::new_undefined(ctx)))?;
        step.set("done", done)?;
        Ok(step)
    }

    #[qjs(prop, rename = PredefinedAtom::SymbolToStringTag, configurable)]
    pub fn tag() -> &'static str {
        "Headers Iterator"
    }
}

pub fn install(ctx: &Ctx<'_>) -> Result<()> {
    let class: Object = ctx.globals().get("Iterator")?;
    let parent: Object = class.get("prototype")?;
    if let Some(prototype) = Class::<HeadersIterator>::prototype(ctx)? {
        prototype.set_prototype(Some(&parent))?;
    }
    if let Some(prototype) = Class::<Headers>::prototype(ctx)? {
        let entries: Value = prototype.get("entries")?;
        let entries = Property::from(entries).writable().configurable();
        prototype.prop(PredefinedAtom::SymbolIterator, entries)?;
    }
    Ok(())
}
