import type { Reporter, TestModule } from 'vitest/node'

/**
 * Ends a run with the table of attacks, if any ran, the flaky and the failed tests by name, and one plain
 * line that any machine can read. The failures come last, because a log is often kept by its end alone.
 */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const attacks: string[][] = []
    const flaky: string[] = []
    const failures = unhandledErrors.map((error) => described('FAILED', 'outside any test', error))
    const count = { passed: 0, failed: unhandledErrors.length, skipped: 0 }
    for (const module of modules) {
      let tests = 0
      for (const test of module.children.allTests()) {
        tests++
        const { state } = test.result()
        const { stoppedBy } = test.meta()
        if (stoppedBy !== undefined) {
          const seconds = ((test.diagnostic()?.duration ?? 0) / 1000).toFixed(2)
          attacks.push([test.name, stoppedBy, `${seconds} s`])
        }
        if (test.diagnostic()?.flaky) {
          const [error] = test.result().errors ?? []
          flaky.push(described('FLAKY', `${module.relativeModuleId} > ${test.fullName}`, error))
        }
        if (state === 'passed') count.passed++
        else if (state === 'failed') {
          count.failed++
          const [error] = test.result().errors ?? []
          failures.push(described('FAILED', `${module.relativeModuleId} > ${test.fullName}`, error))
        } else count.skipped++
      }
      // A module that fails while it loads has no tests to count.
      if (module.state() === 'failed' && (tests === 0 || module.errors().length > 0)) {
        count.failed++
        failures.push(described('FAILED', module.relativeModuleId, module.errors()[0]))
      }
    }
    const { passed, failed, skipped } = count
    // After the default reporter's own summary, which is written at the same event.
    setImmediate(() =>
      process.stdout.write(
        `${table(attacks)}\n${[...flaky, ...failures].join('')}${passed} passed, ${failed} failed, ${skipped} skipped\n`,
      ),
    )
  }
}

function described(outcome: string, name: string, error: unknown): string {
  const message =
    typeof error === 'object' && error !== null && 'message' in error ? error.message : error
  return `${outcome} ${name}\n  ${String(message).slice(0, 300).replaceAll('\n', '\n  ')}\n`
}

function table(attacks: string[][]): string {
  if (attacks.length === 0) return ''
  const rows = [['attack', 'stopped by', 'time'], ...attacks]
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const lines = rows.map((row) =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '),
  )
  return `\n${lines.join('\n')}\n`
}
