import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { findManifest } from './find-manifest.ts'

let outer: string
let inner: string
beforeEach(() => {
  outer = mkdtempSync(join(tmpdir(), 'ftl-find-'))
  inner = join(outer, 'a', 'b')
  mkdirSync(inner, { recursive: true })
})
afterEach(() => rmSync(outer, { recursive: true, force: true }))

function writeManifest(folder: string): string {
  const file = join(folder, 'spin.toml')
  writeFileSync(file, '')
  return file
}

it('finds the nearest manifest above', () => {
  writeManifest(outer)
  const nearest = writeManifest(join(outer, 'a'))
  expect(findManifest(inner)).toBe(nearest)
})

it('finds no manifest that every user of the machine could have written', () => {
  const planted = writeManifest(outer)
  expect(findManifest(inner)).toBe(planted)
  chmodSync(outer, 0o1777)
  expect(findManifest(inner)).toBeUndefined()
})

it('does not look above a folder that every user may write to', () => {
  writeManifest(outer)
  chmodSync(join(outer, 'a'), 0o777)
  expect(findManifest(inner)).toBeUndefined()
})

it('takes a manifest of the folder itself, also if every user may write to it', () => {
  const own = writeManifest(inner)
  chmodSync(inner, 0o777)
  expect(findManifest(inner)).toBe(own)
})
