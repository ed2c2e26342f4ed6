import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compare, type Expectations, unknownReasons } from '../wpt/expectations.ts'
import expectations from '../wpt/expectations.json' with { type: 'json' }
import { runFile, type Subtest } from '../wpt/run-file.ts'
import { type Served, serveEvaluator } from '../wpt/serve.ts'
import { type FileServer, serveFiles } from '../wpt/server.ts'
import { findTests, type TestFile } from '../wpt/suite.ts'
import { makeTable } from '../wpt/table.ts'

const root = join(import.meta.dirname, 'wpt')
const passed = (name: string): Subtest => ({ name, hasPassed: true, message: '' })
const failed = (name: string): Subtest => ({ name, hasPassed: false, message: 'why' })

describe('the expectations', () => {
  const subtests = [passed('a'), failed('b 1'), failed('b 2')]

  test.each([
    ['names', ['b 1', 'b 2']],
    ['a pattern', ['b *']],
  ])('%s that fail as expected are not reported', (_, names) => {
    const expected = { passed: 1, failing: { reason: names } }
    expect(compare('f', subtests, expected)).toEqual({
      subtests: 3,
      passed: 1,
      expectedFailures: 2,
      differences: [],
      next: expected,
    })
  })

  test('a failure without a reason is a difference, and is to be explained', () => {
    const { differences, next } = compare('f', subtests, {
      passed: 1,
      failing: { reason: ['b 1'] },
    })
    expect(differences).toEqual(['f: "b 2" fails: why'])
    expect(next).toEqual({ passed: 1, failing: { reason: ['b 1'], unexplained: ['b 2'] } })
  })

  test('a failure that is only unexplained stays a difference', () => {
    const expected = { passed: 1, failing: { unexplained: ['b *'] } }
    expect(compare('f', subtests, expected).differences).toHaveLength(2)
  })

  test('a subtest that passes again is a difference', () => {
    const expected = { passed: 1, failing: { reason: ['b *', 'c.*'] } }
    const { differences, next } = compare('f', subtests, expected)
    expect(differences).toEqual(['f: "c.*" does not fail any more'])
    expect(next).toEqual({ passed: 1, failing: { reason: ['b *'] } })
  })

  test('subtests that are gone are a difference, though none of them fails', () => {
    const { differences, next } = compare('f', [passed('a')], 2)
    expect(differences).toEqual(['f: 1 subtests passed, 2 are expected'])
    expect(next).toBe(1)
  })

  test('a reason must be explained', () => {
    const files = { f: { passed: 1, failing: { known: ['a'], other: ['b'] } }, g: 3 }
    expect(unknownReasons({ copy: '', reasons: { known: 'why' }, files })).toEqual(['other'])
  })

  test('each failure that is expected of the engine has a reason', () => {
    const known: Expectations = expectations
    expect(unknownReasons(known)).toEqual([])
    expect(Object.keys(known.files).length).toBeGreaterThan(300)
  })

  test('a file that is not listed is a difference', () => {
    expect(compare('f', [], undefined).differences).toHaveLength(1)
  })
})

test('the table has the sums as its last row', () => {
  const row = { files: 1, subtests: 5, passed: 3, expectedFailures: 1, unexpected: 1 }
  const lines = makeTable([
    { folder: 'url', ...row },
    { folder: 'dom', ...row },
  ]).split('\n')
  expect(lines).toHaveLength(5)
  expect(lines.at(-1)?.match(/\w+/g)).toEqual(['all', '2', '10', '6', '2', '2'])
})

test('a folder that is not a copy is refused', async () => {
  await expect(findTests(join(root, 'url'), ['url'])).rejects.toThrow('resources/testharness.js')
})

describe('a small copy', () => {
  let served: Served
  let server: FileServer
  let files: TestFile[]
  beforeAll(async () => {
    files = await findTests(root, ['url', 'missing'])
    ;[served, server] = await Promise.all([serveEvaluator(), serveFiles(root)])
  })
  afterAll(() => Promise.all([served?.close(), server?.close()]))

  const run = async (name: string, deadlineMs?: number) => {
    const file = files.find(({ path }) => path === `url/${name}`)
    if (!file) throw new Error(`there is no ${name}`)
    const copy = { root, origin: server.url, ...(deadlineMs ? { deadlineMs } : {}) }
    const subtests = await runFile(served, copy, file)
    return Object.fromEntries(subtests.map(({ name, message }) => [name, message]))
  }

  test('lists what can run', () => {
    expect(files.map(({ path, needs }) => [path, needs])).toEqual([
      ['url/page.window.js', 'a document'],
      ['url/plain.window.js', undefined],
      ['url/slow.any.js', undefined],
      ['url/some.any.js', undefined],
      ['url/strict.any.js', undefined],
      ['url/thrown.any.js', undefined],
    ])
  })

  test('runs a file in the engine, with its scripts, files and programs', async () => {
    expect(await run('some.any.js')).toEqual({
      'scripts share their names': '',
      'the location is that of the file': '',
      'a failure': 'expected 2 but got 1',
      'files are served': '',
      'others are not': '',
      'programs answer': '',
    })
  })

  test('runs a file for windows that needs no page', async () => {
    expect(await run('plain.window.js')).toEqual({ 'the query is empty': '' })
  })

  test('strict files stay strict', async () => {
    expect(await run('strict.any.js')).toEqual({ 'the code is strict': '' })
  })

  test('a file that does not end keeps what has passed', async () => {
    expect(await run('slow.any.js', 300)).toEqual({
      before: '',
      'never done': 'not done: ',
      '(the file: TIMEOUT)': 'not done after 300 ms',
    })
  })

  test('an error at the top level is a failure of the file', async () => {
    const { '(the instance)': message } = await run('thrown.any.js')
    expect(message).toContain('undefinedName is not defined')
  })
})
