//! The headers of a message: a plain list until JavaScript asks for the object.
use crate::headers::{Headers, List, lookup};
use rquickjs::{Class, Ctx, Persistent, Result};
use std::cell::RefCell;

fn copy(ctx: &Ctx<'_>, list: &List) -> Result<List> {
    crate::memory::check(ctx, crate::headers::size(list))?;
    Ok(list.clone())
}

#[derive(Default)]
pub struct MessageHeaders {
    list: RefCell<List>,
    /// The object, the same each time.
    object: RefCell<Option<Persistent<Class<'static, Headers>>>>,
}

impl MessageHeaders {
    pub fn new(list: List) -> Self {
        MessageHeaders { list: RefCell::new(list), object: RefCell::default() }
    }

    pub fn object<'js>(&self, ctx: &Ctx<'js>) -> Result<Class<'js, Headers>> {
        if let Some(saved) = self.object.borrow().clone() {
            return saved.restore(ctx);
        }
        let object = Class::instance(ctx.clone(), Headers::of(self.list.take()))?;
        self.object.replace(Some(Persistent::save(ctx, object.clone())));
        Ok(object)
    }

    pub fn list(&self, ctx: &Ctx<'_>) -> Result<List> {
        match self.object.borrow().clone() {
            Some(object) => copy(ctx, &object.restore(ctx)?.borrow().list.borrow()),
            None => copy(ctx, &self.list.borrow()),
        }
    }

    pub fn get(&self, ctx: &Ctx<'_>, name: &str) -> Result<Option<String>> {
        match self.object.borrow().clone() {
            Some(object) => Ok(lookup(&object.restore(ctx)?.borrow().list.borrow(), name)),
            None => Ok(lookup(&self.list.borrow(), name)),
        }
    }

    /// Adds the content type that a body implies.
    pub fn add_content_type(list: &mut List, kind: Option<String>) {
        if let Some(kind) = kind
            && !list.iter().any(|(name, _)| name == "content-type")
        {
            list.push(("content-type".into(), kind));
        }
    }
}
