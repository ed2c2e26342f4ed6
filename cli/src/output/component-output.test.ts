import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { componentOutput, type OutputOptions } from './component-output.ts'

function output(options: Partial<OutputOptions> = {}) {
  const shown: string[] = []
  const log = componentOutput({
    components: ['a', 'b'],
    print: (text) => shown.push(text),
    ...options,
  })
  log({ component: 'a', stream: 'stdout', line: 'one' })
  log({ component: 'b', stream: 'stderr', line: 'two' })
  return shown
}

test('lines of all components are shown, of those that are followed, or of none', () => {
  expect(output()).toEqual([expect.stringContaining('one'), expect.stringContaining('two')])
  expect(output({ follow: ['b'] })).toEqual([expect.stringContaining('two')])
  expect(output({ quiet: true })).toEqual([])
})

test('a component to follow has to be there', () => {
  expect(() => output({ follow: ['c'] })).toThrow('no component "c"; there are a, b')
})

test('files have all lines, also those that are not shown, and grow until they are emptied', () => {
  const logDir = join(mkdtempSync(join(tmpdir(), 'ftl-logs-')), 'logs')
  const read = () =>
    Object.fromEntries(
      readdirSync(logDir).map((name) => [name, readFileSync(join(logDir, name), 'utf8')]),
    )
  output({ logDir, quiet: true })
  expect(read()).toEqual({ 'a_stdout.txt': 'one\n', 'b_stderr.txt': 'two\n' })
  output({ logDir })
  expect(read()['a_stdout.txt']).toBe('one\none\n')
  output({ logDir, truncate: true })
  expect(read()['a_stdout.txt']).toBe('one\n')
})

test('without a folder no file is written', () => {
  expect(() => output({ logDir: '' })).not.toThrow()
})
