import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
// What components send.
import { conditionalWrite } from '../../../platform/src/conditional-write.ts'
import { withConditionalWrites } from './conditional-write.ts'
import { openSqliteStores } from './sqlite.ts'

const bytes = (text: string) => new Uint8Array(Buffer.from(text))
const file = () => join(mkdtempSync(join(tmpdir(), 'ftl-kv-')), 'sqlite_key_value.db')

function open(path = file(), maxStoreBytes = 10_000) {
  const limits = { maxStoreKeys: 100, maxStoreBytes }
  const stores = openSqliteStores(path, { limits })
  const store = withConditionalWrites(stores.open('echo.default'))
  const set = (key: string, expected: string | undefined, value: string) =>
    store.set(
      ...conditionalWrite(key, expected === undefined ? undefined : bytes(expected), bytes(value)),
    )
  return { stores, store, set }
}

test('an entry is written only if it is as it was expected, and any bytes can be expected', () => {
  const { stores, store, set } = open()
  void set('k', undefined, 'one')
  expect(() => set('k', undefined, 'two')).toThrow('the entry has changed')
  expect(() => set('k', 'other', 'two')).toThrow('the entry has changed')
  expect(() => set('k', 'on', 'two')).toThrow('the entry has changed')
  void set('k', 'one', '')
  expect(() => set('k', undefined, 'two')).toThrow('the entry has changed')
  void set('k', '', 'ü\u0000ÿ')
  expect(store.get('k')).toEqual(bytes('ü\u0000ÿ'))
  void set('k', 'ü\u0000ÿ', 'end')
  expect(store.keys()).toEqual(['k'])
  stores.close()
})

test('the quota of the component holds, and a refused write changes nothing', () => {
  const { stores, store, set } = open(file(), 100)
  void set('k', undefined, 'one')
  expect(() => set('k', 'one', 'x'.repeat(200))).toThrow('quota exceeded')
  expect(store.get('k')).toEqual(bytes('one'))
  stores.close()
})

test.each([
  ['nothing', []],
  ['half of a length', [0, 0]],
  ['a length beyond the end', [0, 0, 0, 9, 1]],
  ['a length of gigabytes', [255, 255, 255, 254, 1]],
])('%s is not a conditional write', (_, value) => {
  const { stores, store } = open()
  expect(() => store.set('ftl:if:k', Uint8Array.from(value))).toThrow('not a conditional write')
  expect(store.keys()).toEqual([])
  stores.close()
})

test('threads that count in one entry lose no count', async () => {
  const path = file()
  const [threads, each] = [4, 50]
  const source = `
    const { workerData } = require('node:worker_threads')
    import(workerData.module).then(({ openSqliteStores }) => {
      const stores = openSqliteStores(workerData.path)
      const store = stores.open('echo.default')
      for (let done = 0; done < workerData.each;) {
        const before = store.get('count')
        const count = before ? Number(Buffer.from(before).toString()) : 0
        if (store.setIf('count', before, Buffer.from(String(count + 1)))) done++
      }
      stores.close()
    })`
  const module = new URL('./sqlite.ts', import.meta.url).href
  await Promise.all(
    Array.from({ length: threads }, async () => {
      const worker = new Worker(source, { eval: true, workerData: { module, path, each } })
      await new Promise((resolve, reject) => worker.on('exit', resolve).on('error', reject))
    }),
  )
  const { stores, store } = open(path)
  expect(Buffer.from(store.get('count') as Uint8Array).toString()).toBe(String(threads * each))
  stores.close()
})
