import type { Reporter, TestCase, TestModule, TestSuite } from 'vitest/node'
import { isNightly } from './nightly.ts'
import { handOver, printed, type Summary } from '../../scripts/test/summary.ts'

/**
 * Ends a run with the tables of suites (at night) and of attacks, if any ran, the flaky and the failed tests by name, and one plain
 * line that any machine can read. The failures come last, because a log is often kept by its end alone.
 */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const summary = summarize(modules, unhandledErrors)
    if (handOver(summary)) return
    // After the default reporter's own summary, which is written at the same event.
    setImmediate(() => process.stdout.write(printed(summary)))
  }
}

function summarize(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): Summary {
  const attacks: string[][] = []
  const flaky: string[] = []
  const failures = unhandledErrors.map((error) => described('FAILED', 'outside any test', error))
  const count = { passed: 0, skipped: 0 }
  const addTest = (test: TestCase) => {
    const { state, errors } = test.result()
    const { stoppedBy } = test.meta()
    if (stoppedBy !== undefined) {
      const seconds = ((test.diagnostic()?.duration ?? 0) / 1000).toFixed(2)
      attacks.push([test.name, stoppedBy, `${seconds} s`])
    }
    const name = `${test.module.relativeModuleId} > ${test.fullName}`
    if (test.diagnostic()?.flaky) flaky.push(described('FLAKY', name, errors?.[0]))
    if (state === 'passed') count.passed++
    else if (state === 'failed') failures.push(described('FAILED', name, errors?.[0]))
    else count.skipped++
  }
  for (const module of modules) {
    const before = failures.length
    for (const test of module.children.allTests()) addTest(test)
    // A hook such as afterAll fails outside any test, and a module that fails while it loads has none.
    for (const suite of [module, ...module.children.allSuites()]) {
      for (const error of suite.errors()) failures.push(described('FAILED', nameOf(suite), error))
    }
    if (module.state() === 'failed' && failures.length === before) {
      failures.push(described('FAILED', nameOf(module), 'the file failed without an error'))
    }
  }
  const suites = isNightly
    ? table(['suite', 'passed', 'failed', 'skipped', 'time'], bySuite(modules))
    : ''
  const text = [
    suites,
    table(['attack', 'stopped by', 'time'], attacks),
    ...flaky,
    ...failures,
  ].join('')
  return { ...count, text, failed: failures.length }
}

function nameOf(suite: TestModule | TestSuite): string {
  if (suite.type === 'module') return suite.relativeModuleId
  return `${suite.module.relativeModuleId} > ${suite.fullName}`
}

function described(outcome: string, name: string, error: unknown): string {
  const message =
    typeof error === 'object' && error !== null && 'message' in error ? error.message : error
  return `${outcome} ${name}\n  ${String(message).slice(0, 300).replaceAll('\n', '\n  ')}\n`
}

/** A row for each folder of tests. Times of files that ran side by side are added. */
function bySuite(modules: readonly TestModule[]): string[][] {
  const suites = new Map<string, { passed: number; failed: number; skipped: number; ms: number }>()
  for (const module of modules) {
    const name = module.relativeModuleId.split('/').slice(0, 2).join('/')
    const suite = suites.get(name) ?? { passed: 0, failed: 0, skipped: 0, ms: 0 }
    suites.set(name, suite)
    suite.ms += module.diagnostic().duration
    for (const test of module.children.allTests()) {
      const { state } = test.result()
      if (state !== 'pending') suite[state]++
    }
  }
  return [...suites]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { passed, failed, skipped, ms }]) => {
      const counts = [passed, failed, skipped].map(String)
      return [name, ...counts, `${(ms / 1000).toFixed(0)} s`]
    })
}

function table(titles: string[], body: string[][]): string {
  if (body.length === 0) return ''
  const rows = [titles, ...body]
  const widths = titles.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  return `\n${lines.join('\n')}\n\n`
}
