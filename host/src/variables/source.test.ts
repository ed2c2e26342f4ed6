import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readVariables } from './source.ts'

const folder = mkdtempSync(join(tmpdir(), 'ftl-source-'))
const write = (name: string, text: string) => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

test('a value is everything after the first equals sign', () => {
  expect(readVariables('url=http://a/?b=c')).toEqual({ url: 'http://a/?b=c' })
  expect(readVariables('empty=')).toEqual({ empty: '' })
})

test('a value can be the text of a file, without the line end at its end', () => {
  expect(readVariables(`key=@${write('key.pem', 'a\nb\n')}`)).toEqual({ key: 'a\nb' })
  expect(readVariables(`key=@${write('dos.pem', 'a\r\n')}`)).toEqual({ key: 'a' })
})

test('a value that begins with @ is written with two of them', () => {
  expect(readVariables('name=@@home')).toEqual({ name: '@home' })
})

test('a file can have many', () => {
  expect(readVariables(`@${write('a.json', '{"a":"1","b":"2"}')}`)).toEqual({ a: '1', b: '2' })
  expect(readVariables(`@${write('a.toml', 'a = "1"\nb = "2"')}`)).toEqual({ a: '1', b: '2' })
})

test.each([
  ['nope', 'neither name=value nor'],
  ['=x', 'neither name=value nor'],
  ['@file.yaml', 'must end in .json or .toml'],
  ['@/no/such.json', 'cannot be read (ENOENT)'],
  ['k=@/no/such.txt', 'cannot be read (ENOENT)'],
  [`@${write('bad.json', '{')}`, 'is not JSON'],
  [`@${write('list.json', '["a"]')}`, 'must be a table'],
  [`@${write('number.json', '{"a":1}')}`, '"a" must be a string, not a number'],
  [`@${write('bad.toml', 'a = ')}`, 'bad.toml:1:'],
])('%s is refused', (source, message) => {
  expect(() => readVariables(source)).toThrow(message)
})
