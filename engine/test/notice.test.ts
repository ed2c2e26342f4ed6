/** Whoever gets engine.wasm gets the licences of all that is in it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { canWrite, writeNotice } from '../notice.ts'

const file = (path: string) => readFileSync(join(import.meta.dirname, '..', path), 'utf8')
const notice = file('NOTICE.md')

interface Row {
  name: string
  version: string
  licence: string
  texts: string[]
}

const rows: Row[] = notice
  .split('\n')
  .filter(
    (line) => line.startsWith('| ') && !line.startsWith('| work') && !line.startsWith('| ---'),
  )
  .map((line) => {
    const [name = '', version = '', licence = '', texts = ''] = line.slice(2, -2).split(' | ')
    return { name, version, licence, texts: texts.match(/#text-\d+/g) ?? [] }
  })

/** Macros, tools of the build, and what only other targets or features need. */
const NOT_IN_IT = new Set(
  [
    ...['anyhow', 'autocfg', 'bitflags', 'cc', 'convert_case', 'cpufeatures', 'displaydoc'],
    ...['curve25519-dalek-derive', 'engine', 'fiat-crypto', 'find-msvc-tools', 'heck', 'id-arena'],
    ...['indexmap', 'itoa', 'leb128fmt', 'libc', 'log', 'memchr', 'p384', 'prettyplease'],
    ...['proc-macro-crate', 'proc-macro2', 'quote', 'rquickjs-macro', 'rustc_version', 'semver'],
    ...['serde_derive', 'serde_json', 'shlex', 'syn', 'synstructure', 'toml_datetime', 'toml_edit'],
    ...['toml_parser', 'unicode-ident', 'unicode-segmentation', 'version_check', 'wasm-encoder'],
    ...['wasm-metadata', 'wasmparser', 'winnow', 'wit-bindgen-core', 'wit-bindgen-rust'],
    ...['wit-bindgen-rust-macro', 'wit-component', 'wit-parser', 'yoke-derive', 'zerocopy-derive'],
    ...['zerofrom-derive', 'zerovec-derive', 'zmij'],
  ].sort(),
)

describe('NOTICE.md', () => {
  it('has every crate that Cargo.lock has, in its version, unless it is no part of the module', () => {
    const locked = [...file('Cargo.lock').matchAll(/name = "([^"]+)"\nversion = "([^"]+)"/g)]
    expect(locked.length).toBeGreaterThan(100)
    const missing = locked.filter(
      ([, name, version]) => !rows.some((row) => row.name === name && row.version === version),
    )
    expect(missing.map(([, name = '']) => name).filter((name) => !NOT_IN_IT.has(name))).toEqual([])
    for (const { name } of rows) expect(NOT_IN_IT).not.toContain(name)
  })

  it('has the libraries that are no crates', () => {
    const names = rows.map(({ name }) => name)
    for (const library of ['QuickJS-ng', 'web-streams-polyfill', 'wasi-libc']) {
      expect(names).toContain(library)
    }
  })

  it('has a text for each, which grants or disclaims something', () => {
    const texts = new Map(
      [...notice.matchAll(/^## Text (\d+)\n\n~~~~text\n(.*?)\n~~~~$/gms)].map(
        ([, number, text = '']) => [`#text-${number}`, text],
      ),
    )
    for (const { name, licence, texts: own } of rows) {
      expect(own.length, name).toBeGreaterThan(0)
      expect(licence, name).not.toBe('')
      const text = own.map((number) => texts.get(number)).join('\n')
      expect(text, name).toMatch(/permission|redistribution|licen[cs]e/i)
      expect(text, name).toMatch(/as[ -]is|without warranty|no event/i)
    }
  })

  it.skipIf(!canWrite())('is what the sources of the crates say today', () => {
    expect(writeNotice()).toBe(notice)
  })
})
