import type { Reporter, TestModule } from 'vitest/node'

/** Closes a run with one plain line that any machine can read. */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const count = { passed: 0, failed: unhandledErrors.length, skipped: 0 }
    for (const module of modules) {
      let tests = 0
      for (const test of module.children.allTests()) {
        tests++
        const { state } = test.result()
        if (state === 'passed') count.passed++
        else if (state === 'failed') count.failed++
        else count.skipped++
      }
      // A module that fails while it loads has no tests to count.
      if (module.state() === 'failed' && (tests === 0 || module.errors().length > 0)) count.failed++
    }
    const { passed, failed, skipped } = count
    // After the default reporter's own summary, which is written at the same event.
    setImmediate(() =>
      process.stdout.write(`\n${passed} passed, ${failed} failed, ${skipped} skipped\n`),
    )
  }
}
