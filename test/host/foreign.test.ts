import { createHash, randomBytes } from 'node:crypto'
import { cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  quickJsComponent,
  rustComponent,
  rustComponentOfSource,
} from '../support/foreign-components.ts'
import { type Fixture, startFixture, temporaryFolder } from './fixture.ts'

const FOREIGN = fileURLToPath(new URL('../fixtures/foreign/spin.toml', import.meta.url))
const FILES = fileURLToPath(new URL('../fixtures/host/files', import.meta.url))

const RUST = { what: 'Rust, prebuilt', name: 'rust', build: rustComponent, generic: undefined }
const kinds = [
  {
    what: 'QuickJS',
    name: 'quickjs',
    build: quickJsComponent,
    generic: 'it is composed of several components',
  },
  RUST,
]

// Rust's tools are not among the dependencies: FTL_TEST_RUST=1 says that they are there.
const ofSource = { ...RUST, what: 'Rust, of its source', build: rustComponentOfSource }
if (process.env['FTL_TEST_RUST']) kinds.push(ofSource)
else test.skip('a component in Rust, built of its source (FTL_TEST_RUST=1 builds one)')

describe.each(kinds)('a component of another tool: $what', ({ name, build, generic }) => {
  let host: Fixture
  let remove: () => Promise<void>
  const reasons: string[] = []
  beforeAll(async () => {
    const { path, remove: removeFolder } = await temporaryFolder()
    remove = removeFolder
    await cp(FOREIGN, join(path, 'spin.toml'))
    await cp(FILES, join(path, 'files'), { recursive: true })
    await writeFile(join(path, 'foreign.wasm'), await build())
    host = await startFixture({
      manifest: path,
      onGeneric: ({ reason }) => reasons.push(reason),
    })
  }, 600_000)
  afterAll(async () => {
    await host?.close()
    await remove()
  })

  test('it takes the way it can', () => {
    expect(reasons).toEqual(generic ? [generic] : [])
  })

  test('it answers, with what the host gives it', async () => {
    const response = await fetch(`${host.url}/variable`)
    expect(response.headers.get('x-engine')).toBe(name)
    expect(await response.text()).toBe('hello')
    expect(await host.text('/kv')).toBe(`${name} from`)
    expect(await host.text('/file')).toBe('hello from a file\n')
  })

  test('no request sees what another one left behind', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => host.text('/state')))
    expect(answers).toEqual(Array(8).fill('1'))
  })

  test('a body comes back as it was', async () => {
    const body = randomBytes(1024 * 1024)
    const response = await fetch(`${host.url}/echo`, { method: 'POST', body })
    const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
    expect(digest(new Uint8Array(await response.arrayBuffer()))).toBe(digest(body))
  })

  test('a failure is a 500 and does not affect other requests', async () => {
    expect((await fetch(`${host.url}/throw`)).status).toBe(500)
    expect(await host.text('/state')).toBe('1')
  })
})
