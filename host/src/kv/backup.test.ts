import { spawn } from 'node:child_process'
import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { backUp, restore } from './backup.ts'
import type { StatePlaces } from './entry-files.ts'
import { holdState } from './state.ts'
import { openStores } from './stores.ts'

const folder = () => mkdtempSync(join(tmpdir(), 'ftl-backup-test-'))
const bytes = (text: string) => new TextEncoder().encode(text)

/** Entries of a database, without the help of what is tested. */
function entriesOf(file: string): Record<string, string> {
  const database = new DatabaseSync(file, { readOnly: true })
  const rows = database.prepare('SELECT store, key, value FROM spin_key_value').all()
  database.close()
  return Object.fromEntries(
    rows.map(({ store, key, value }) => [
      `${String(store)}/${String(key)}`,
      Buffer.from(value as Uint8Array).toString(),
    ]),
  )
}

/** A host's state with entries of two components and of a store in another file, which stays open. */
async function served(): Promise<{ places: StatePlaces; close: () => void }> {
  const root = folder()
  const places: StatePlaces = {
    stateDir: join(root, 'state'),
    stores: { cache: { type: 'spin', file: join(root, 'other', 'cache.db') } },
  }
  const state = await holdState(places)
  const stores = openStores(state.stores)
  await stores.open({ label: 'default', component: 'echo' }).set('k', bytes('echo'))
  await stores.open({ label: 'default' }).set('k', bytes('shared'))
  await stores.open({ label: 'cache', component: 'echo' }).set('k', bytes('cached'))
  return {
    places,
    close: () => {
      stores.close()
      state.release()
    },
  }
}

const ALL = { 'echo.default/k': 'echo', 'default/k': 'shared', 'echo.cache/k': 'cached' }

test('a backup of stores in use has the entries that are only in the log, of every database', async () => {
  const { places, close } = await served()
  const file = join(folder(), 'b.db')
  // What a plain copy of the database misses.
  const copy = join(folder(), 'copy.db')
  copyFileSync(join(places.stateDir, 'sqlite_key_value.db'), copy)
  expect(entriesOf(copy)).toEqual({})
  expect(backUp(places, file)).toEqual({ entries: 3, elsewhere: [], left: 0 })
  expect(entriesOf(file)).toEqual(ALL)
  expect(statSync(file).mode & 0o077).toBe(0)
  close()
})

test('a backup has a state that was there at one moment, while a host writes', async () => {
  const stateDir = folder()
  const places = { stateDir, stores: {} }
  const module = (name: string) => JSON.stringify(new URL(name, import.meta.url).href)
  const script = `
    const { holdState } = await import(${module('./state.ts')})
    const { openStores } = await import(${module('./stores.ts')})
    const state = await holdState({ stateDir: ${JSON.stringify(stateDir)} })
    const store = openStores(state.stores).open({ label: 'default' })
    for (let n = 0; ; n++) {
      await store.set('first', new TextEncoder().encode(String(n)))
      await store.set('second', new TextEncoder().encode(String(n)))
      if (n === 100) console.log('writes')
      await new Promise((resolve) => setImmediate(resolve))
    }`
  const writer = spawn(process.execPath, ['--input-type=module', '-e', script])
  const ended = new Promise((resolve) => writer.once('close', resolve))
  onTestFinished(() => {
    writer.kill('SIGKILL')
    return ended.then(() => {})
  })
  await new Promise((resolve) => writer.stdout.once('data', resolve))
  const seen: number[] = []
  for (let turn = 0; turn < 20; turn++) {
    const file = join(folder(), 'b.db')
    backUp(places, file)
    const { 'default/first': first, 'default/second': second } = entriesOf(file)
    expect([0, 1]).toContain(Number(first) - Number(second))
    seen.push(Number(first))
  }
  expect(seen).toEqual([...seen].sort((a, b) => a - b))
  expect(seen.at(-1)).toBeGreaterThan(seen[0] ?? Infinity)
})

test('a backup is restored into the databases that its stores have, and counts for their limits', async () => {
  const { places, close } = await served()
  const file = join(folder(), 'b.db')
  backUp(places, file)
  close()
  const root = folder()
  const other = join(root, 'elsewhere.db')
  const target: StatePlaces = {
    stateDir: join(root, 'new'),
    stores: { cache: { type: 'spin', file: other } },
  }
  expect(restore(file, target, { replace: false })).toEqual({ entries: 3, elsewhere: [], left: 0 })
  expect(entriesOf(other)).toEqual({ 'echo.cache/k': 'cached' })
  const state = await holdState({ ...target, limits: { maxStoreKeys: 2 } })
  const stores = openStores(state.stores, state.limits)
  const echo = stores.open({ label: 'default', component: 'echo' })
  expect(await echo.get('k')).toEqual(bytes('echo'))
  await echo.set('k2', bytes('one more'))
  await expect(async () => echo.set('k3', bytes('too many'))).rejects.toThrow('already keeps 2')
  stores.close()
  state.release()
})

test('a restore refuses an application that is served, and one that has entries', async () => {
  const { places, close } = await served()
  const file = join(folder(), 'b.db')
  backUp(places, file)
  expect(() => restore(file, places, { replace: true })).toThrow('is in use')
  close()
  expect(() => restore(file, places, { replace: false })).toThrow(/has entries already \(2\)/)
  const stores = openStores((await holdState({ ...places })).stores)
  await stores.open({ label: 'default' }).set('later', bytes('written after the backup'))
  stores.close()
})

test('a restore with replace leaves nothing of what was there', async () => {
  const { places, close } = await served()
  const file = join(folder(), 'b.db')
  backUp(places, file)
  close()
  const state = await holdState(places)
  const stores = openStores(state.stores)
  await stores.open({ label: 'default' }).set('later', bytes('x'))
  stores.close()
  state.release()
  restore(file, places, { replace: true })
  const again = join(folder(), 'again.db')
  backUp(places, again)
  expect(entriesOf(again)).toEqual(ALL)
})

test('what is no backup, or has a row that cannot be stored, changes nothing', async () => {
  const { places, close } = await served()
  close()
  const text = join(folder(), 'text.db')
  writeFileSync(text, 'not a database, but long enough to be taken for one'.repeat(100))
  const empty = join(folder(), 'empty.db')
  new DatabaseSync(empty).close()
  const odd = join(folder(), 'odd.db')
  const database = new DatabaseSync(odd)
  database.exec(
    "CREATE TABLE spin_key_value (store, key, value); INSERT INTO spin_key_value VALUES ('default', 'a', x'00'), ('default', NULL, x'00')",
  )
  database.close()
  const missing = join(folder(), 'missing.db')
  for (const file of [text, empty, missing]) {
    expect(() => restore(file, places, { replace: true })).toThrow(/is not a backup|there is no/)
  }
  expect(() => restore(odd, places, { replace: true })).toThrow('was not restored')
  const after = join(folder(), 'after.db')
  backUp(places, after)
  expect(entriesOf(after)).toEqual(ALL)
})

test('an existing file is not replaced, and a failed backup leaves no file', async () => {
  const { places, close } = await served()
  const target = folder()
  writeFileSync(join(target, 'b.db'), 'mine')
  expect(() => backUp(places, join(target, 'b.db'))).toThrow('exists: name a new file')
  expect(() => backUp(places, join(target, 'no', 'b.db'))).toThrow('was not written')
  expect(readdirSync(target)).toEqual(['b.db'])
  close()
})

test('a store in Redis is named, and one in memory has no backup', async () => {
  const stateDir = folder()
  const redis = { type: 'redis', url: 'redis://:secret@127.0.0.1:1' } as const
  expect(() => backUp({ stateDir, stores: { default: redis } }, join(folder(), 'b.db'))).toThrow(
    /"default" is in Redis: use its own backups/,
  )
  expect(() => backUp({ stateDir: '', stores: {} }, join(folder(), 'b.db'))).toThrow(
    'in memory only',
  )
  ;(await holdState({ stateDir })).release()
  const both = backUp({ stateDir, stores: { cache: redis } }, join(folder(), 'b.db'))
  expect(both).toEqual({ entries: 0, elsewhere: ['cache'], left: 0 })
})

test('a database that two stores name by different links is restored once, with the entries of both', async () => {
  const { places, close } = await served()
  const file = join(folder(), 'b.db')
  backUp(places, file)
  close()
  const stateDir = folder()
  const link = join(folder(), 'link')
  symlinkSync(stateDir, link)
  const cache = { type: 'spin', file: join(link, 'sqlite_key_value.db') } as const
  const target = { stateDir, stores: { cache } }
  expect(restore(file, target, { replace: false })).toMatchObject({ entries: 3 })
  expect(entriesOf(join(stateDir, 'sqlite_key_value.db'))).toEqual(ALL)
})

test('a restore that fails in one database changes none of them', async () => {
  const { places, close } = await served()
  close()
  const odd = join(folder(), 'odd.db')
  const database = new DatabaseSync(odd)
  database.exec(
    "CREATE TABLE spin_key_value (store, key, value); INSERT INTO spin_key_value VALUES ('default', 'new', x'00'), ('echo.cache', 'none', NULL)",
  )
  database.close()
  expect(() => restore(odd, places, { replace: true })).toThrow('was not restored')
  const after = join(folder(), 'after.db')
  backUp(places, after)
  expect(entriesOf(after)).toEqual(ALL)
})

test('a backup that lost its last byte is not restored', async () => {
  const { places, close } = await served()
  const file = join(folder(), 'b.db')
  backUp(places, file)
  close()
  const short = join(folder(), 'short.db')
  writeFileSync(short, readFileSync(file).subarray(0, -1))
  const target = { stateDir: folder(), stores: {} }
  expect(() => restore(short, target, { replace: false })).toThrow('is damaged: its end is missing')
})

test('texts and numbers that another program stored are restored as bytes', async () => {
  const file = join(folder(), 'b.db')
  const database = new DatabaseSync(file)
  database.exec(
    "CREATE TABLE spin_key_value (store, key, value); INSERT INTO spin_key_value VALUES ('default', 'text', 'abc'), ('default', 'number', 12)",
  )
  database.close()
  const places = { stateDir: folder(), stores: {} }
  restore(file, places, { replace: false })
  const state = await holdState(places)
  const stores = openStores(state.stores)
  const store = stores.open({ label: 'default' })
  expect(await store.get('text')).toEqual(bytes('abc'))
  expect(await store.get('number')).toEqual(bytes('12'))
  stores.close()
  state.release()
})

test('a backup leaves files beside it alone, and a database without a table has no entries', async () => {
  const { places, close } = await served()
  close()
  const target = folder()
  writeFileSync(join(target, 'b.db.part'), 'mine')
  const empty = { type: 'spin', file: join(folder(), 'empty.db') } as const
  writeFileSync(empty.file, '')
  const withEmpty = { ...places, stores: { ...places.stores, empty } }
  expect(backUp(withEmpty, join(target, 'b.db'))).toMatchObject({ entries: 3 })
  expect(readdirSync(target).sort()).toEqual(['b.db', 'b.db.part'])
  expect(readFileSync(join(target, 'b.db.part'), 'utf8')).toBe('mine')
})

test('entries of a store that is in Redis now are counted as left', async () => {
  const { places, close } = await served()
  const file = join(folder(), 'b.db')
  backUp(places, file)
  close()
  const redis = { type: 'redis', url: 'redis://127.0.0.1:1' } as const
  const target = { stateDir: folder(), stores: { cache: redis } }
  const expected = { entries: 2, elsewhere: ['cache'], left: 1 }
  expect(restore(file, target, { replace: false })).toEqual(expected)
})
