import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { applicationFiles } from './application.ts'
import { copyPackages } from './packages.ts'
import { templateOf } from './template.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ftl-packed-'))
  mkdirSync(join(folder, 'packed'))
  for (const name of ['ftl', 'ftl-gateway', 'ftl-sdk', 'ftl-host']) {
    writeFileSync(join(folder, 'packed', `${name}-0.1.0.tgz`), name)
  }
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it('an application is installed from files of its own, so that its image and its pipeline can be', () => {
  const packages = join(folder, 'packed')
  const application = join(folder, 'greet')
  const files = applicationFiles('greet', templateOf('tool'), { packages, rustCrate: '"0.1"' })
  copyPackages(packages, application)
  const text = files.get('package.json') ?? ''
  const named = [...text.matchAll(/"file:([^"]+)"/g)].map(([, path = '']) => path)
  expect(named).toHaveLength(4)
  // Not "file:/…": another machine has no such folder.
  for (const path of named) expect(readFileSync(join(application, path), 'utf8')).not.toBe('')
  expect(text).not.toContain(folder)
})
