import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
