import { cp, mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { type Fixture, MANIFEST, startFixture, temporaryFolder } from './fixture.ts'

const cleanup: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const undo of cleanup.splice(0).reverse()) await undo()
})

async function start(options: Parameters<typeof startFixture>[0] = {}): Promise<Fixture> {
  const host = await startFixture(options)
  cleanup.push(() => host.close())
  return host
}

async function folder(): Promise<string> {
  const { path, remove } = await temporaryFolder()
  cleanup.push(remove)
  return path
}

test('values outlive the host, in the table Spin uses', async () => {
  const stateDir = await folder()
  const first = await startFixture({ stateDir })
  await first.json('/kv?key=job:1&set=k%C3%A4se')
  await first.close()

  const database = new DatabaseSync(join(stateDir, 'sqlite_key_value.db'))
  const rows = database.prepare('SELECT store, key, value FROM spin_key_value').all()
  database.close()
  expect(rows).toEqual([
    { store: 'probe.default', key: 'job:1', value: new Uint8Array(Buffer.from('käse')) },
  ])

  const second = await start({ stateDir })
  expect(await second.json('/kv?key=job:1')).toEqual({
    value: 'käse',
    exists: true,
    keys: ['job:1'],
  })
})

test('reads what Spin wrote into a label that has the name of the store', async () => {
  const stateDir = await folder()
  const database = new DatabaseSync(join(stateDir, 'sqlite_key_value.db'))
  database.exec(
    'CREATE TABLE IF NOT EXISTS spin_key_value (store TEXT NOT NULL, key TEXT NOT NULL, value BLOB NOT NULL, PRIMARY KEY (store, key))',
  )
  database
    .prepare('INSERT INTO spin_key_value VALUES (?, ?, ?)')
    .run('probe.default', 'k', Buffer.from('from spin'))
  database.close()
  const host = await start({ stateDir })
  expect((await host.json('/kv'))['value']).toBe('from spin')
})

test('a value can be empty, replaced and deleted', async () => {
  const host = await start()
  expect((await host.json('/kv'))['value']).toBeNull()
  expect(await host.json('/kv?set=')).toMatchObject({ value: '', exists: true })
  expect((await host.json('/kv?set=b'))['value']).toBe('b')
  expect(await host.json('/kv?delete')).toEqual({ value: null, exists: false, keys: [] })
  expect(await host.json('/kv?delete')).toEqual({ value: null, exists: false, keys: [] })
})

test('a store the manifest does not give is denied', async () => {
  const host = await start()
  expect((await host.json('/kv?label=other'))['payload']).toEqual({ tag: 'access-denied' })
})

test('variables come from options, the environment and defaults, in this order', async () => {
  const host = await start({ env: { SPIN_VARIABLE_GREETING: 'hi', SPIN_VARIABLE_TOKEN: 'no' } })
  expect(await host.text('/variable?name=greeting')).toBe('hi, secret')
  expect((await host.json('/variable?name=token'))['payload']).toMatchObject({ tag: 'undefined' })
  expect((await host.json('/variable?name=Not-A-Name'))['payload']).toMatchObject({
    tag: 'invalid-name',
  })
})

test('an application without a value for a required variable does not start', async () => {
  await expect(
    startFixture({ variables: { token: undefined as unknown as string } }),
  ).rejects.toThrow(/"token" \(SPIN_VARIABLE_TOKEN\)/)
})

/** A copy of the fixture whose files may be changed. */
async function copyOfFixture(): Promise<string> {
  const root = await folder()
  const copy = join(root, 'test', 'fixtures', 'host')
  await cp(dirname(MANIFEST), copy, { recursive: true })
  const dist = fileURLToPath(new URL('../../dist/test', import.meta.url))
  await mkdir(join(root, 'dist'), { recursive: true })
  await symlink(dist, join(root, 'dist', 'test'))
  return copy
}

test('an edited, added or removed file is seen by the next request', async () => {
  const copy = await copyOfFixture()
  const host = await start({ manifest: copy })
  expect(await host.text('/file?path=data/greeting.txt')).toBe('hello from a file\n')
  expect(await host.json('/folder')).toEqual(['data'])
  await writeFile(join(copy, 'files', 'greeting.txt'), 'edited, and longer than before')
  await writeFile(join(copy, 'files', 'new.txt'), 'new')
  expect(await host.text('/file?path=data/greeting.txt')).toBe('edited, and longer than before')
  expect(await host.text('/file?path=data/new.txt')).toBe('new')
  expect(await host.json('/folder?path=data')).toEqual(['greeting.txt', 'new.txt'])
})

test('nothing outside the mounts can be read', async () => {
  const copy = await copyOfFixture()
  await symlink('/etc/hosts', join(copy, 'files', 'link'))
  await symlink('greeting.txt', join(copy, 'files', 'inside'))
  const host = await start({ manifest: copy })
  const payload = async (path: string) => (await host.json(`/file?path=${path}`))['payload']
  expect(await payload('data/link')).toBe('not-permitted')
  expect(await payload('../spin.toml')).toBe('not-permitted')
  expect(await payload('data/../../spin.toml')).toBe('not-permitted')
  expect(await payload('/etc/hosts')).toBe('not-permitted')
  expect(await payload('spin.toml')).toBe('no-entry')
  expect(await payload('data/greeting.txt/x')).toBe('no-entry')
  expect(await host.text('/file?path=data/inside')).toBe('hello from a file\n')
})
