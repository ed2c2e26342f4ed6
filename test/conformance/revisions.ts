/** The revisions of the protocol the gateway is held to, and a run of one of them. */
import { readFile } from 'node:fs/promises'
import { judge, type Verdict } from './judge.ts'
import { parseLists } from './lists.ts'
import { runSuite, scoredScenarios, type SuiteOptions } from './suite.ts'

/** What the gateway must do at a revision besides passing what is scored. */
interface Requirements {
  /** How many scenarios the frozen requirements of the pinned suite score for servers. */
  scoredCount: number
  /** Not scored, because the suite's own server does not pass them yet or they are of an extension; ours does. */
  required: readonly string[]
  /** The same for scenarios that the suite runs only when they are named. */
  named: readonly string[]
  /** Checks of these that the pinned suite skips whatever it is given, as `scenario:check`. */
  skips: readonly string[]
}

export const REVISIONS: Readonly<Record<string, Requirements>> = {
  '2025-11-25': { scoredCount: 30, required: ['json-schema-2020-12'], named: [], skips: [] },
  '2026-07-28': {
    scoredCount: 37,
    required: [
      'json-schema-2020-12',
      'http-header-validation',
      'http-custom-header-server-validation',
      'tasks-lifecycle',
      'tasks-capability-negotiation',
      'tasks-wire-fields',
      'tasks-request-state-removal',
      'tasks-mrtr-input',
      'tasks-request-headers',
      'tasks-dispatch-and-envelope',
      'tasks-status-notifications',
      'tasks-required-task-error',
      'tasks-mrtr-composition',
    ],
    named: ['sep-2640-skills-enumeration', 'sep-2640-skills-manifest', 'sep-2640-skills-directory'],
    skips: ['tasks-status-notifications:tasks-status-notifications'],
  },
}

const NOTHING: Requirements = { scoredCount: 0, required: [], named: [], skips: [] }

const BASELINE = new URL('expected-failures.yaml', import.meta.url)

/** Runs the suite at a revision, or one scenario of it, and judges what it found. */
export async function runRevision(options: SuiteOptions): Promise<Verdict> {
  const { revision, scenario } = options
  const { scoredCount, named, skips, ...rest } = REVISIONS[revision] ?? NOTHING
  const required = [...rest.required, ...named]
  const scored = await scoredScenarios(revision)
  const expectedFailures = parseLists(await readFile(BASELINE, 'utf8')).get(revision) ?? []
  const results = await runSuite(options)
  if (scenario === undefined) {
    for (const name of named) results.push(...(await runSuite({ ...options, scenario: name })))
    return judge(results, { scored, scoredCount, expectedFailures, expectedSkips: skips, required })
  }
  const only = (names: readonly string[]) => names.filter((name) => name === scenario)
  const ofIt = (checks: readonly string[]) =>
    checks.filter((check) => check.startsWith(`${scenario}:`))
  return judge(results, {
    scored: only(scored),
    scoredCount: only(scored).length,
    expectedFailures: ofIt(expectedFailures),
    expectedSkips: ofIt(skips),
    required: only(required),
  })
}
