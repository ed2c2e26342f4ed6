import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isOwnAddress, readRecords, recordFolder, writeRecord } from './record.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ftl-record-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function put(name: string, content: unknown): string {
  mkdirSync(recordFolder(folder), { recursive: true })
  const file = join(recordFolder(folder), name)
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

const alive = { url: 'http://127.0.0.1:4000', pid: process.pid, startedAt: 2 }

describe('the record of a served application', () => {
  it('is read while its process lives, and gone when it was removed', () => {
    const remove = writeRecord(folder, 'http://127.0.0.1:3999')
    expect(readRecords(folder)).toMatchObject([{ url: 'http://127.0.0.1:3999', pid: process.pid }])
    remove()
    expect(readRecords(folder)).toEqual([])
  })

  it('is removed when its process was killed', () => {
    const { pid } = spawnSync(process.execPath, ['-e', ''])
    const file = put(`${pid}.json`, { ...alive, pid })
    expect(readRecords(folder)).toEqual([])
    expect(existsSync(file)).toBe(false)
  })

  it('is the newest first, where an application is served several times', () => {
    put('2.json', { ...alive, startedAt: 1, url: 'http://127.0.0.1:1' })
    put('3.json', { ...alive, startedAt: 3, url: 'http://127.0.0.1:3' })
    expect(readRecords(folder).map(({ url }) => url)).toEqual([
      'http://127.0.0.1:3',
      'http://127.0.0.1:1',
    ])
  })

  it.each([
    ['no JSON', '{'],
    ['null', 'null'],
    ['an address elsewhere', { ...alive, url: 'https://evil.example' }],
    ['an address elsewhere that looks near', { ...alive, url: 'http://127.0.0.1.evil.example' }],
    ['a process that is every process', { ...alive, pid: -1 }],
    ['more than a record has', { ...alive, more: 'x'.repeat(5000) }],
  ])('is ignored when it has %s', (_, content) => {
    put('1.json', content)
    expect(readRecords(folder)).toEqual([])
  })

  it('keeps of the address only the origin', () => {
    put('1.json', { ...alive, url: 'http://127.0.0.1:4000/elsewhere?key=1' })
    expect(readRecords(folder)).toMatchObject([{ url: 'http://127.0.0.1:4000' }])
  })

  it('is not followed out of its folder by a link to a device', () => {
    mkdirSync(recordFolder(folder), { recursive: true })
    symlinkSync('/dev/zero', join(recordFolder(folder), '1.json'))
    expect(readRecords(folder)).toEqual([])
  })

  it('is no condition: an application in a folder that cannot be written is served', () => {
    writeFileSync(join(folder, '.ftl'), 'a file where the folder would be')
    expect(() => writeRecord(folder, 'http://127.0.0.1:3999')()).not.toThrow()
  })
})

describe('an address of this machine', () => {
  const own = Object.values(networkInterfaces()).flat()[0]
  it.each(['http://localhost:1', 'http://[::1]:1', 'http://127.3.2.1', `http://127.0.0.1:2`])(
    '%s',
    (url) => expect(isOwnAddress(url)).toBe(true),
  )
  it('is also that of its network', () => {
    if (own?.family !== 'IPv4') return
    expect(isOwnAddress(`http://${own.address}:3000`)).toBe(true)
  })
  it.each(['http://192.0.2.1', 'https://127.0.0.1', 'http://a:b@127.0.0.1', 'file:///etc', 'x'])(
    'is not %s',
    (url) => expect(isOwnAddress(url)).toBe(false),
  )
})
