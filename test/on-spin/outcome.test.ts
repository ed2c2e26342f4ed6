import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import config from '../../vitest.config.ts'
import { countOf, noOutcome, noteSkipped, outcomeTable } from './outcome.ts'
import { PROJECTS } from './suites.ts'

test('the table has one line a suite, and then each reason and each failed test', () => {
  const outcome = { ...noOutcome(), passed: 12, failed: ['a.test.ts > holds'] }
  noteSkipped(outcome, 'restarts the host')
  noteSkipped(outcome, 'restarts the host')
  const table = outcomeTable(
    new Map<string, typeof outcome | string>([
      ['fidelity', outcome],
      ['mcp', 'spin up ended with 1'],
    ]),
  )
  expect(table.split('\n')).toEqual([
    'suite     passed  failed  skipped',
    'fidelity      12       1        2',
    'mcp            -       -        -',
    '',
    'fidelity: 2 skipped: restarts the host',
    'fidelity: FAILED a.test.ts > holds',
    'mcp: spin up ended with 1',
    '',
  ])
})

test('the tests are looked for in each project of the system', () => {
  const names = config.test?.projects?.map((project) =>
    typeof project === 'object' && 'test' in project ? project.test?.name : undefined,
  )
  expect(['unit', 'unit-transformed', ...PROJECTS].sort()).toEqual(names?.sort())
})

test('skipped and failed tests count, so that a suite without any is noticed', () => {
  const outcome = { ...noOutcome(), passed: 2, failed: ['a'] }
  noteSkipped(outcome)
  expect([countOf(noOutcome()), countOf(outcome)]).toEqual([0, 4])
})

test('without a Spin the run is skipped, with the reason and no failure', () => {
  const script = fileURLToPath(new URL('./run.ts', import.meta.url))
  const text = execFileSync(process.execPath, [script, '--spin', '/no/such/spin'], {
    encoding: 'utf8',
  })
  expect(text).toContain('Skipped: "/no/such/spin" is not a program on this machine')
})
