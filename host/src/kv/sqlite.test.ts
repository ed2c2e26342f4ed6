import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openSqliteStores } from './sqlite.ts'

const bytes = (text: string) => new Uint8Array(Buffer.from(text))
const folder = () => mkdtempSync(join(tmpdir(), 'ftl-kv-'))

test('labels are apart from each other', () => {
  const stores = openSqliteStores('')
  const [a, b] = [stores.open('a'), stores.open('b')]
  a.set('k', bytes('1'))
  expect(b.get('k')).toBeUndefined()
  expect(a.keys()).toEqual(['k'])
  stores.close()
})

test('two open databases on one file see each other', () => {
  const stateDir = folder()
  const [first, second] = [openSqliteStores(stateDir), openSqliteStores(stateDir)]
  first.open('default').set('k', bytes('ü'))
  expect(second.open('default').get('k')).toEqual(bytes('ü'))
  first.close()
  second.close()
})

test('a file that is no database is named, and the store is not opened', () => {
  const stateDir = folder()
  writeFileSync(join(stateDir, 'sqlite_key_value.db'), 'this is not a database at all'.repeat(50))
  expect(() => openSqliteStores(stateDir)).toThrow('sqlite_key_value.db')
})

test('a failure tells the guest nothing of the database', () => {
  const stores = openSqliteStores('')
  const store = stores.open('default')
  stores.close()
  expect(() => store.get('k')).toThrow(/^the key-value store failed$/)
})
