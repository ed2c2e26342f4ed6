//! `URLSearchParams`: a list of pairs, which writes itself back to its address when it has one.
use super::init;
use super::iterator::{Kind, URLSearchParamsIterator};
use crate::bytes::{self, Text};
use crate::error::needs_new;
use crate::memory;
use ::url::{Url, form_urlencoded, quirks};
use rquickjs::atom::PredefinedAtom;
use rquickjs::function::{Opt, This};
use rquickjs::{Class, Ctx, Function, JsLifetime, Result, Value, class::Trace};
use std::cell::RefCell;
use std::rc::Rc;

type Pair = (String, String);

#[derive(Default)]
pub struct List {
    pub pairs: RefCell<Vec<Pair>>,
    url: Option<Rc<RefCell<Url>>>,
}

impl List {
    pub fn of_url(url: Rc<RefCell<Url>>) -> Self {
        let list = List {
            pairs: RefCell::default(),
            url: Some(url.clone()),
        };
        list.parse(url.borrow().query().unwrap_or_default());
        list
    }

    pub fn parse(&self, query: &str) {
        let pairs = form_urlencoded::parse(query.as_bytes()).into_owned();
        self.pairs.replace(pairs.collect());
    }

    fn serialize(&self) -> String {
        let mut to = form_urlencoded::Serializer::new(String::new());
        to.extend_pairs(self.pairs.borrow().iter());
        to.finish()
    }

    fn change<R>(&self, how: impl FnOnce(&mut Vec<Pair>) -> R) -> R {
        let outcome = how(&mut self.pairs.borrow_mut());
        if let Some(url) = &self.url {
            quirks::set_search(&mut url.borrow_mut(), &self.serialize());
        }
        outcome
    }
}

#[derive(Trace, JsLifetime)]
#[rquickjs::class(frozen)]
pub struct URLSearchParams {
    #[qjs(skip_trace)]
    pub list: Rc<List>,
}

impl URLSearchParams {
    pub fn of(list: List) -> Self {
        URLSearchParams {
            list: Rc::new(list),
        }
    }
}

fn optional<'js>(ctx: &Ctx<'js>, value: Opt<Value<'js>>) -> Result<Option<String>> {
    let value = value.0.filter(|value| !value.is_undefined());
    value.map(|value| bytes::text(ctx, &value)).transpose()
}

#[rquickjs::methods(rename_all = "camelCase")]
impl URLSearchParams {
    #[qjs(constructor)]
    pub fn new<'js>(ctx: Ctx<'js>, this: This<Value<'js>>, from: Opt<Value<'js>>) -> Result<Self> {
        needs_new(&ctx, &this.0)?;
        let list = List::default();
        match from.0.filter(|from| !from.is_undefined()) {
            None => {}
            Some(from) if from.is_object() => {
                list.pairs.replace(init::pairs(&ctx, &from)?);
            }
            Some(from) => {
                let text = bytes::text(&ctx, &from)?;
                list.parse(text.strip_prefix('?').unwrap_or(&text));
            }
        }
        Ok(URLSearchParams::of(list))
    }

    #[qjs(get, enumerable, configurable)]
    pub fn size(&self) -> usize {
        self.list.pairs.borrow().len()
    }

    pub fn append(&self, ctx: Ctx<'_>, name: Text, value: Text) -> Result<()> {
        self.list.change(|pairs| memory::push(&ctx, pairs, (name.0, value.0)))
    }

    pub fn delete<'js>(&self, ctx: Ctx<'js>, name: Text, value: Opt<Value<'js>>) -> Result<()> {
        let value = optional(&ctx, value)?;
        let same = |(n, v): &Pair| *n == name.0 && value.as_ref().is_none_or(|value| v == value);
        self.list.change(|pairs| pairs.retain(|pair| !same(pair)));
        Ok(())
    }

    pub fn get<'js>(&self, ctx: Ctx<'js>, name: Text) -> Result<Value<'js>> {
        let pairs = self.list.pairs.borrow();
        match pairs.iter().find(|(n, _)| *n == name.0) {
            Some((_, value)) => bytes::string(&ctx, value),
            None => Ok(Value::new_null(ctx)),
        }
    }

    pub fn get_all(&self, name: Text) -> Vec<String> {
        let pairs = self.list.pairs.borrow();
        let same = pairs.iter().filter(|(n, _)| *n == name.0);
        same.map(|(_, value)| value.clone()).collect()
    }

    pub fn has<'js>(&self, ctx: Ctx<'js>, name: Text, value: Opt<Value<'js>>) -> Result<bool> {
        let value = optional(&ctx, value)?;
        let pairs = self.list.pairs.borrow();
        let same = |(n, v): &Pair| *n == name.0 && value.as_ref().is_none_or(|value| v == value);
        Ok(pairs.iter().any(same))
    }

    pub fn set(&self, name: Text, value: Text) {
        self.list.change(|pairs| {
            let Some(at) = pairs.iter().position(|(n, _)| *n == name.0) else {
                return pairs.push((name.0, value.0));
            };
            pairs[at].1 = value.0;
            let mut index = 0;
            pairs.retain(|(n, _)| {
                index += 1;
                index <= at + 1 || *n != name.0
            });
        });
    }

    pub fn sort(&self) {
        let by_units = |a: &Pair, b: &Pair| a.0.encode_utf16().cmp(b.0.encode_utf16());
        self.list.change(|pairs| pairs.sort_by(by_units));
    }

    pub fn for_each<'js>(
        this: This<Class<'js, URLSearchParams>>,
        callback: Function<'js>,
        receiver: Opt<Value<'js>>,
    ) -> Result<()> {
        let ctx = this.0.ctx().clone();
        let receiver = receiver.0.unwrap_or(Value::new_undefined(ctx));
        let list = this.0.borrow().list.clone();
        let mut index = 0;
        loop {
            let Some((name, value)) = list.pairs.borrow().get(index).cloned() else {
                return Ok(());
            };
            index += 1;
            callback.call::<_, Value>((This(receiver.clone()), value, name, this.0.clone()))?;
        }
    }

    pub fn entries(&self) -> URLSearchParamsIterator {
        URLSearchParamsIterator::new(self.list.clone(), Kind::Both)
    }

    pub fn keys(&self) -> URLSearchParamsIterator {
        URLSearchParamsIterator::new(self.list.clone(), Kind::Name)
    }

    pub fn values(&self) -> URLSearchParamsIterator {
        URLSearchParamsIterator::new(self.list.clone(), Kind::Value)
    }

    pub fn to_string<'js>(&self, ctx: Ctx<'js>) -> Result<Value<'js>> {
        bytes::string(&ctx, &self.list.serialize())
    }

    #[qjs(prop, rename = PredefinedAtom::SymbolToStringTag, configurable)]
    pub fn tag() -> &'static str {
        "URLSearchParams"
    }
}
