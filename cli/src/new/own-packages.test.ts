import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { installCommand } from './own-packages.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ftl-own-'))
  mkdirSync(join(folder, 'app/tools'), { recursive: true })
  mkdirSync(join(folder, 'packed'))
  for (const name of ['ftl', 'ftl-bridge']) {
    writeFileSync(join(folder, 'packed', `${name}-0.1.0.tgz`), '')
  }
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const depends = (ftl: string) =>
  writeFileSync(join(folder, 'app/package.json'), JSON.stringify({ devDependencies: { ftl } }))

it('installs from the registry what came from there', () => {
  depends('^0.1.0')
  expect(installCommand('ftl-bridge', join(folder, 'app'))).toBe('npm install ftl-bridge')
})

it.each(['', '/tools'])('installs a file where ftl came from one: app%s', (below) => {
  depends('file:../packed/ftl-0.1.0.tgz')
  expect(installCommand('ftl-bridge', join(folder, `app${below}`))).toBe(
    `npm install ${join(folder, 'packed/ftl-bridge-0.1.0.tgz')}`,
  )
  expect(installCommand('zod', join(folder, `app${below}`))).toBe('npm install zod')
})

it('takes away the override of a created application first, with which npm would refuse the file', () => {
  const overrides = { 'ftl-bridge': `file:${join(folder, 'packed/ftl-bridge-0.1.0.tgz')}` }
  const dependencies = { ftl: 'file:../packed/ftl-0.1.0.tgz' }
  writeFileSync(join(folder, 'app/package.json'), JSON.stringify({ dependencies, overrides }))
  expect(installCommand('ftl-bridge', join(folder, 'app/tools'))).toBe(
    `npm pkg delete overrides.ftl-bridge && npm install ${join(folder, 'packed/ftl-bridge-0.1.0.tgz')}`,
  )
})

it('names the package where the files are gone', () => {
  depends('file:../gone/ftl-0.1.0.tgz')
  expect(installCommand('ftl-bridge', join(folder, 'app'))).toBe('npm install ftl-bridge')
})
