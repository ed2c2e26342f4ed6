// Hostile components are written in WebAssembly's text format and encoded here, so that a reader can see what they do.
import { componentEmbed, componentNew, parse } from '@bytecodealliance/jco-transpile/wasm-tools'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { assembleWit, WORLD } from '../../../cli/src/build/wit.ts'

const CACHE = fileURLToPath(new URL('../../../.ftl/cache', import.meta.url))

/** Encodes a core module or a component. The encoder does not validate, so invalid files can be written too. */
export const wat = (text: string): Promise<Uint8Array> => parse(text)

/**
 * A component for the world of this application, made from a core module.
 *
 * @param core a `(module …)` that exports `memory`, `cabi_realloc` and {@link HANDLE}; it may import any function of
 * the world, under the names of the component model (`"wasi:http/types@0.2.10" "[constructor]fields"`).
 * @throws {Error} of wasm-tools, when the module does not fit the world.
 */
export async function guest(core: string): Promise<Uint8Array> {
  const binary = await wat(core)
  // The host offers standard output though the world does not name it: other toolchains import it.
  const more = core.includes('"wasi:cli/stdout@0.2.10"') ? 'import wasi:cli/stdout@0.2.10;' : ''
  const witSource = (await world()).replace('export wasi:http/incoming-handler', `${more} $&`)
  return componentNew(await componentEmbed({ binary, witSource, world: WORLD }), [])
}

/** The world with all it refers to in one text: packages of dependencies are nested in braces. */
async function world(): Promise<string> {
  const { folder } = await assembleWit(CACHE)
  const text = (path: string) => readFile(join(folder, path), 'utf8')
  const packages = await Promise.all(
    (await readdir(join(folder, 'deps'))).map((name) => text(`deps/${name}/package.wit`)),
  )
  const nested = packages.map((wit) => wit.replace(/^(package [^;]+);/m, '$1 {') + '\n}')
  return [await text('world.wit'), ...nested].join('\n')
}

/** The export that serves a request: parameters are the handles of the request and of the response-outparam. */
export const HANDLE = 'wasi:http/incoming-handler@0.2.10#handle'

/** Core imports that {@link ANSWER} needs; they come first in the module. */
const ANSWER_IMPORTS = `
  (import "wasi:http/types@0.2.10" "[constructor]fields" (func $new-fields (result i32)))
  (import "wasi:http/types@0.2.10" "[constructor]outgoing-response" (func $new-response (param i32) (result i32)))
  (import "wasi:http/types@0.2.10" "[static]response-outparam.set"
    (func $set-response (param i32 i32 i32 i32 i64 i32 i32 i32 i32)))`

/** A function `$answer` that responds 200 without a body, and an allocator that only grows. */
const ANSWER = `
  (func $answer (param $out i32)
    (call $set-response (local.get $out) (i32.const 0) (call $new-response (call $new-fields))
      (i32.const 0) (i64.const 0) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0)))
  (global $next (mut i32) (i32.const 65536))
  (func $realloc (export "cabi_realloc") (param i32 i32 i32) (param $size i32) (result i32)
    (local $at i32)
    (local.set $at (global.get $next))
    (global.set $next (i32.and (i32.add (i32.add (global.get $next) (local.get $size)) (i32.const 15)) (i32.const -16)))
    (local.get $at))`

/**
 * A guest that runs `body` for each request and then answers 200.
 *
 * @param body instructions of the handler; parameters `$request` and `$out`, locals `$i`, `$j` (i32) are there.
 * @param imports further core imports, as text.
 * @param more further definitions of the module: tables, functions, data.
 */
export const guestThat = (body: string, { imports = '', more = '' } = {}): Promise<Uint8Array> =>
  guest(`(module
  ${ANSWER_IMPORTS}
  ${imports}
  (memory (export "memory") 16)
  ${ANSWER}
  ${more}
  (func (export "${HANDLE}") (param $request i32) (param $out i32)
    (local $i i32) (local $j i32)
    ${body}
    (call $answer (local.get $out))))`)

/** A component that this repository's builder made, by the path below `dist/`: `test/hostile/good`. */
export const built = (name: string): Promise<Uint8Array> =>
  readFile(join(fileURLToPath(new URL('../../../dist', import.meta.url)), `${name}.wasm`))
