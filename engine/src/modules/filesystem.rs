//! `wasi:filesystem/preopens@0.2.10` and the reading part of `wasi:filesystem/types@0.2.10`.
use super::throw_payload;
use crate::globals::check_request;
use crate::wit::wasi::filesystem::{
    preopens,
    types::{
        self, DescriptorFlags, DescriptorStat, DescriptorType, ErrorCode, OpenFlags, PathFlags,
    },
};
use rquickjs::{
    Array, BigInt, Class, Ctx, Error, Exception, Function, JsLifetime, Object, Result, TypedArray,
    Value,
    class::Trace,
    module::{Declarations, Exports, ModuleDef},
};

#[derive(Trace, JsLifetime)]
#[rquickjs::class]
pub struct Descriptor {
    #[qjs(skip_trace)]
    descriptor: types::Descriptor,
}

#[derive(Trace, JsLifetime)]
#[rquickjs::class]
pub struct DirectoryEntryStream {
    #[qjs(skip_trace)]
    stream: types::DirectoryEntryStream,
}

/// Throws an Error whose `payload` is the WIT name of the code, such as `no-entry`.
fn failed(ctx: &Ctx<'_>, code: ErrorCode) -> Error {
    let name = code.name();
    throw_payload(ctx, name, name)
}

fn name_of(kind: DescriptorType) -> &'static str {
    match kind {
        DescriptorType::BlockDevice => "block-device",
        DescriptorType::CharacterDevice => "character-device",
        DescriptorType::Directory => "directory",
        DescriptorType::Fifo => "fifo",
        DescriptorType::SymbolicLink => "symbolic-link",
        DescriptorType::RegularFile => "regular-file",
        DescriptorType::Socket => "socket",
        DescriptorType::Unknown => "unknown",
    }
}

fn is_set(flags: &Object<'_>, name: &str) -> Result<bool> {
    Ok(flags.get::<_, Option<bool>>(name)?.unwrap_or(false))
}

fn path_flags(flags: &Object<'_>) -> Result<PathFlags> {
    Ok(if is_set(flags, "symlinkFollow")? { PathFlags::SYMLINK_FOLLOW } else { PathFlags::empty() })
}

fn unsigned(ctx: &Ctx<'_>, value: BigInt<'_>, name: &str) -> Result<u64> {
    u64::try_from(value.to_i64()?).map_err(|_| Exception::throw_range(ctx, &format!("{name} must not be negative")))
}

fn stat<'js>(ctx: &Ctx<'js>, stat: DescriptorStat) -> Result<Object<'js>> {
    let object = Object::new(ctx.clone())?;
    object.set("type", name_of(stat.type_))?;
    object.set("linkCount", BigInt::from_u64(ctx.clone(), stat.link_count)?)?;
    object.set("size", BigInt::from_u64(ctx.clone(), stat.size)?)?;
    let times = [
        ("dataAccessTimestamp", stat.data_access_timestamp),
        ("dataModificationTimestamp", stat.data_modification_timestamp),
        ("statusChangeTimestamp", stat.status_change_timestamp),
    ];
    for (name, time) in times {
        let Some(time) = time else { continue };
        let value = Object::new(ctx.clone())?;
        value.set("seconds", BigInt::from_u64(ctx.clone(), time.seconds)?)?;
        value.set("nanoseconds", time.nanoseconds)?;
        object.set(name, value)?;
    }
    Ok(object)
}

#[rquickjs::methods(rename_all = "camelCase")]
impl Descriptor {
    #[qjs(constructor)]
    fn new(ctx: Ctx<'_>) -> Result<Descriptor> {
        Err(Exception::throw_type(&ctx, "Illegal constructor"))
    }
    fn open_at<'js>(
        &self,
        ctx: Ctx<'js>,
        flags: Object<'js>,
        path: String,
        open: Object<'js>,
        access: Object<'js>,
    ) -> Result<Descriptor> {
        let mut open_flags = OpenFlags::empty();
        let names = [("create", OpenFlags::CREATE), ("directory", OpenFlags::DIRECTORY), ("exclusive", OpenFlags::EXCLUSIVE), ("truncate", OpenFlags::TRUNCATE)];
        for (name, flag) in names {
            if is_set(&open, name)? {
                open_flags = open_flags | flag;
            }
        }
        let mut access_flags = DescriptorFlags::empty();
        for (name, flag) in [("read", DescriptorFlags::READ), ("write", DescriptorFlags::WRITE)] {
            if is_set(&access, name)? {
                access_flags = access_flags | flag;
            }
        }
        let path_flags = path_flags(&flags)?;
        let opened = self.descriptor.open_at(path_flags, &path, open_flags, access_flags);
        Ok(Descriptor { descriptor: opened.map_err(|code| failed(&ctx, code))? })
    }
    fn stat<'js>(&self, ctx: Ctx<'js>) -> Result<Object<'js>> {
        stat(&ctx, self.descriptor.stat().map_err(|code| failed(&ctx, code))?)
    }
    fn stat_at<'js>(&self, ctx: Ctx<'js>, flags: Object<'js>, path: String) -> Result<Object<'js>> {
        let found = self.descriptor.stat_at(path_flags(&flags)?, &path);
        stat(&ctx, found.map_err(|code| failed(&ctx, code))?)
    }
    fn get_type(&self, ctx: Ctx<'_>) -> Result<&'static str> {
        self.descriptor.get_type().map(name_of).map_err(|code| failed(&ctx, code))
    }
    fn read<'js>(&self, ctx: Ctx<'js>, length: BigInt<'js>, offset: BigInt<'js>) -> Result<Array<'js>> {
        let (length, offset) = (unsigned(&ctx, length, "length")?, unsigned(&ctx, offset, "offset")?);
        let (bytes, is_end) = self.descriptor.read(length, offset).map_err(|code| failed(&ctx, code))?;
        let pair = Array::new(ctx.clone())?;
        pair.set(0, TypedArray::<u8>::new(ctx.clone(), bytes)?)?;
        pair.set(1, is_end)?;
        Ok(pair)
    }
    fn read_directory(&self, ctx: Ctx<'_>) -> Result<DirectoryEntryStream> {
        let stream = self.descriptor.read_directory().map_err(|code| failed(&ctx, code))?;
        Ok(DirectoryEntryStream { stream })
    }
}

#[rquickjs::methods(rename_all = "camelCase")]
impl DirectoryEntryStream {
    #[qjs(constructor)]
    fn new(ctx: Ctx<'_>) -> Result<DirectoryEntryStream> {
        Err(Exception::throw_type(&ctx, "Illegal constructor"))
    }
    fn read_directory_entry<'js>(&self, ctx: Ctx<'js>) -> Result<Value<'js>> {
        let entry = self.stream.read_directory_entry().map_err(|code| failed(&ctx, code))?;
        let Some(entry) = entry else { return Ok(Value::new_undefined(ctx)) };
        let object = Object::new(ctx)?;
        object.set("type", name_of(entry.type_))?;
        object.set("name", entry.name)?;
        Ok(object.into_value())
    }
}

fn get_directories(ctx: Ctx<'_>) -> Result<Array<'_>> {
    check_request(&ctx, "getDirectories")?;
    let list = Array::new(ctx.clone())?;
    for (index, (descriptor, path)) in preopens::get_directories().into_iter().enumerate() {
        let pair = Array::new(ctx.clone())?;
        pair.set(0, Class::instance(ctx.clone(), Descriptor { descriptor })?)?;
        pair.set(1, path)?;
        list.set(index, pair)?;
    }
    Ok(list)
}

pub struct Preopens;

impl ModuleDef for Preopens {
    fn declare(declarations: &Declarations<'_>) -> Result<()> {
        declarations.declare("getDirectories").map(drop)
    }
    fn evaluate<'js>(ctx: &Ctx<'js>, exports: &Exports<'js>) -> Result<()> {
        // Often the other module, which exports these classes, is not imported.
        Class::<Descriptor>::prototype(ctx)?;
        Class::<DirectoryEntryStream>::prototype(ctx)?;
        exports.export("getDirectories", Function::new(ctx.clone(), get_directories)?).map(drop)
    }
}

pub struct Types;

impl ModuleDef for Types {
    fn declare(declarations: &Declarations<'_>) -> Result<()> {
        declarations.declare("Descriptor")?.declare("DirectoryEntryStream").map(drop)
    }
    fn evaluate<'js>(ctx: &Ctx<'js>, exports: &Exports<'js>) -> Result<()> {
        let none = || Value::new_undefined(ctx.clone());
        let descriptor = Class::<Descriptor>::create_constructor(ctx)?;
        exports.export("Descriptor", descriptor.map_or_else(none, |c| c.into_value()))?;
        let stream = Class::<DirectoryEntryStream>::create_constructor(ctx)?;
        exports.export("DirectoryEntryStream", stream.map_or_else(none, |c| c.into_value())).map(drop)
    }
}
