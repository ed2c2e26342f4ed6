import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { install, isInstalled, requireInstalled, type Side } from './side-packages.ts'

let root: string
let side: Side
/** What npm was asked for, and what was said. */
let events: string[]
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'ftl-side-'))
  events = []
  put('docs/package.json', { dependencies: { a: '1.0.0', '@b/c': '2.0.0' } })
  side = {
    root,
    npmCi: async (folder) => {
      events.push(`npm ci in ${folder.slice(root.length + 1)}`)
      installAll()
    },
    say: (line) => events.push(line.replace(/\d+ s/, 'N s')),
  }
})
afterEach(() => rmSync(root, { recursive: true }))

function put(path: string, value: object): void {
  mkdirSync(join(root, path, '..'), { recursive: true })
  writeFileSync(join(root, path), JSON.stringify(value))
}

function installAll(): void {
  put('docs/node_modules/a/package.json', { version: '1.0.0' })
  put('docs/node_modules/@b/c/package.json', { version: '2.0.0' })
  put('docs/node_modules/.package-lock.json', {})
}

it('installs what is missing, says so, and does it once', async () => {
  await install('docs', side)
  await install('docs', side)
  expect(events).toEqual([
    'Installing the packages of docs (npm ci) …',
    'npm ci in docs',
    'Installed the packages of docs in N s',
  ])
})

it('an older version, a missing package and an interrupted installation are not installed', () => {
  installAll()
  expect(isInstalled('docs', side)).toBe(true)
  put('docs/node_modules/a/package.json', { version: '0.9.0' })
  expect(isInstalled('docs', side)).toBe(false)
  installAll()
  rmSync(join(root, 'docs/node_modules/@b'), { recursive: true })
  expect(isInstalled('docs', side)).toBe(false)
  installAll()
  rmSync(join(root, 'docs/node_modules/.package-lock.json'))
  expect(isInstalled('docs', side)).toBe(false)
})

it('says what to run', () => {
  expect(() => requireInstalled('docs', side)).toThrow(
    'the packages of docs are not installed: run "npm ci --prefix docs"',
  )
  installAll()
  expect(() => requireInstalled('docs', side)).not.toThrow()
})
