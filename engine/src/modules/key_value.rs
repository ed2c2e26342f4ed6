//! `fermyon:spin/key-value@2.0.0`
use super::throw_variant;
use crate::convert::bytes_of;
use crate::globals::check_request;
use crate::wit::fermyon::spin::key_value::{Error as StoreError, Store as HostStore};
use rquickjs::{
    Class, Ctx, Error, Exception, JsLifetime, Result, TypedArray, Value,
    class::Trace,
    module::{Declarations, Exports, ModuleDef},
};

#[derive(Trace, JsLifetime)]
#[rquickjs::class]
pub struct Store {
    #[qjs(skip_trace)]
    store: HostStore,
}

fn failed(ctx: &Ctx<'_>, error: StoreError) -> Error {
    match error {
        StoreError::StoreTableFull => throw_variant(ctx, "store-table-full", None),
        StoreError::NoSuchStore => throw_variant(ctx, "no-such-store", None),
        StoreError::AccessDenied => throw_variant(ctx, "access-denied", None),
        StoreError::Other(text) => throw_variant(ctx, "other", Some(&text)),
    }
}

#[rquickjs::methods(rename_all = "camelCase")]
impl Store {
    /// Only `open` makes one.
    #[qjs(constructor)]
    fn new(ctx: Ctx<'_>) -> Result<Store> {
        Err(Exception::throw_type(&ctx, "Illegal constructor"))
    }
    #[qjs(static)]
    fn open(ctx: Ctx<'_>, label: String) -> Result<Store> {
        check_request(&ctx, "Store.open")?;
        let store = HostStore::open(&label).map_err(|error| failed(&ctx, error))?;
        Ok(Store { store })
    }
    fn get<'js>(&self, ctx: Ctx<'js>, key: String) -> Result<Option<TypedArray<'js, u8>>> {
        let found = self.store.get(&key).map_err(|error| failed(&ctx, error))?;
        found.map(|bytes| TypedArray::new(ctx.clone(), bytes)).transpose()
    }
    fn set<'js>(&self, ctx: Ctx<'js>, key: String, value: Value<'js>) -> Result<()> {
        let bytes = bytes_of(&value)?;
        let bytes = bytes.ok_or_else(|| Exception::throw_type(&ctx, "the value must be a Uint8Array"))?;
        self.store.set(&key, &bytes).map_err(|error| failed(&ctx, error))
    }
    fn delete(&self, ctx: Ctx<'_>, key: String) -> Result<()> {
        self.store.delete(&key).map_err(|error| failed(&ctx, error))
    }
    fn exists(&self, ctx: Ctx<'_>, key: String) -> Result<bool> {
        self.store.exists(&key).map_err(|error| failed(&ctx, error))
    }
    fn get_keys(&self, ctx: Ctx<'_>) -> Result<Vec<String>> {
        self.store.get_keys().map_err(|error| failed(&ctx, error))
    }
}

pub struct KeyValue;

impl ModuleDef for KeyValue {
    fn declare(declarations: &Declarations<'_>) -> Result<()> {
        declarations.declare("Store").map(drop)
    }
    fn evaluate<'js>(ctx: &Ctx<'js>, exports: &Exports<'js>) -> Result<()> {
        exports.export("Store", Class::<Store>::create_constructor(ctx)?).map(drop)
    }
}
