import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { openSqliteStores } from './sqlite.ts'

const bytes = (text: string) => new Uint8Array(Buffer.from(text))
const file = () => join(mkdtempSync(join(tmpdir(), 'ftl-kv-')), 'sqlite_key_value.db')

test('labels are apart from each other', async () => {
  const stores = openSqliteStores(file())
  const [a, b] = [stores.open('a'), stores.open('b')]
  await a.set('k', bytes('1'))
  expect(b.get('k')).toBeUndefined()
  expect(a.keys()).toEqual(['k'])
  stores.close()
})

test('two connections to one file see each other', async () => {
  const path = file()
  const [first, second] = [openSqliteStores(path), openSqliteStores(path, { durable: false })]
  await first.open('default').set('k', bytes('ü'))
  expect(second.open('default').get('k')).toEqual(bytes('ü'))
  first.close()
  second.close()
})

test.each([0, 1_000_000, 5_000_000])('a value of %d bytes comes back as it was', async (size) => {
  const stores = openSqliteStores(file())
  const value = Uint8Array.from({ length: size }, (_, index) => (index * 31) % 256)
  await stores.open('default').set('k', value)
  const found = stores.open('default').get('k') as Uint8Array
  expect(Buffer.compare(found, value)).toBe(0)
  stores.close()
})

test('threads that open one new file together and write at once lose nothing', async () => {
  const path = file()
  const threads = 6
  const each = 100
  const source = `
    const { workerData } = require('node:worker_threads')
    import(workerData.module).then(({ openSqliteStores }) => {
      const stores = openSqliteStores(workerData.path)
      const store = stores.open('default')
      for (let i = 0; i < workerData.each; i++) {
        store.set(workerData.name + ':' + i, new Uint8Array(2000).fill(i))
      }
      stores.close()
    })`
  const module = new URL('./sqlite.ts', import.meta.url).href
  await Promise.all(
    Array.from({ length: threads }, async (_, name) => {
      const worker = new Worker(source, { eval: true, workerData: { module, path, each, name } })
      await new Promise((resolve, reject) => worker.on('exit', resolve).on('error', reject))
    }),
  )
  const stores = openSqliteStores(path)
  const store = stores.open('default')
  expect(store.keys()).toHaveLength(threads * each)
  expect(store.get('5:99')).toEqual(new Uint8Array(2000).fill(99))
  stores.close()
})

test('a file that is no database is named, and the store is not opened', () => {
  const path = file()
  writeFileSync(path, 'this is not a database at all'.repeat(50))
  expect(() => openSqliteStores(path)).toThrow('sqlite_key_value.db')
})

test('a failure tells the guest nothing of the database', () => {
  const stores = openSqliteStores(file())
  const store = stores.open('default')
  stores.close()
  expect(() => store.get('k')).toThrow(/^the key-value store failed$/)
})

const LIMITS = { maxStoreKeys: 3, maxStoreBytes: 1000 }

test('a component that keeps too many entries gets an error, and other components do not', async () => {
  const stores = openSqliteStores(file(), { limits: LIMITS })
  const [a, b] = [stores.open('a.default'), stores.open('b.default')]
  for (const key of ['1', '2', '3']) await a.set(key, bytes('x'))
  expect(() => a.set('4', bytes('x'))).toThrow('already keeps 3 of 3 entries')
  expect(() => stores.open('a.other').set('4', bytes('x'))).toThrow('already keeps 3 of 3 entries')
  await b.set('4', bytes('x'))
  await a.set('3', bytes('replaced'))
  await a.delete('1')
  await a.set('4', bytes('x'))
  expect(a.keys()).toEqual(['2', '3', '4'])
  stores.close()
})

test('a component that keeps too many bytes gets an error, and keeps what it had', async () => {
  const stores = openSqliteStores(file(), { limits: LIMITS })
  const a = stores.open('a.default')
  await a.set('k', new Uint8Array(900))
  expect(() => a.set('l', new Uint8Array(100))).toThrow('already keeps 901 of 1000 bytes')
  expect(() => a.set('k', new Uint8Array(1000))).toThrow('quota exceeded')
  expect(a.get('k')).toHaveLength(900)
  await a.set('k', new Uint8Array(10))
  await a.set('l', new Uint8Array(900))
  stores.close()
})

test('entries that were there before the host counted are counted', async () => {
  const path = file()
  const first = openSqliteStores(path)
  await first.open('a.default').set('k', new Uint8Array(900))
  first.close()
  const database = new DatabaseSync(path)
  for (const name of ['insert', 'update', 'delete']) database.exec(`DROP TRIGGER ftl_store_${name}`)
  database.exec('DROP TABLE ftl_store_usage')
  database.close()
  const second = openSqliteStores(path, { limits: LIMITS })
  expect(() => second.open('a.default').set('l', new Uint8Array(200))).toThrow('901 of 1000')
  second.close()
})
