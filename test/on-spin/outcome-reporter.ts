import { writeFileSync } from 'node:fs'
import type { Reporter, TestCase, TestModule } from 'vitest/node'
import { noOutcome, noteSkipped } from './outcome.ts'

/** Environment variable: the file for the outcome of the run. */
export const OUTCOME_FILE = 'FTL_OUTCOME_FILE'

/** Writes what the table of `npm run on-spin` needs. */
export default class OutcomeReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const outcome = noOutcome()
    for (const error of unhandledErrors) outcome.failed.push(`outside any test: ${String(error)}`)
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const result = test.result()
        if (result.state === 'passed') outcome.passed++
        else if (result.state === 'failed') {
          outcome.failed.push(`${module.relativeModuleId} > ${test.fullName}`)
        } else noteSkipped(outcome, reasonOf(test) ?? ('note' in result ? result.note : undefined))
      }
      // A module that fails while it loads has no failed test, and hooks of a group fail outside any test.
      for (const suite of [module, ...module.children.allSuites()]) {
        const name = suite.type === 'module' ? '' : ` > ${suite.fullName}`
        if (suite.errors().length > 0) outcome.failed.push(module.relativeModuleId + name)
      }
    }
    writeFileSync(process.env[OUTCOME_FILE] ?? '/dev/stdout', JSON.stringify(outcome))
  }
}

/** Of the test, or of the group it is in. */
function reasonOf(test: TestCase): string | undefined {
  const reason = test.meta().embeddedOnly
  if (reason !== undefined) return reason
  for (let parent = test.parent; parent.type === 'suite'; parent = parent.parent) {
    const inherited = parent.meta().embeddedOnly
    if (inherited !== undefined) return inherited
  }
  return undefined
}
