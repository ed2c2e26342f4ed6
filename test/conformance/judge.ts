/**
 * Whether a run of the conformance suite is what we expect of it, no better and no worse.
 *
 * @module
 */

/** One check of a scenario, as the suite writes it. */
export interface Check {
  id: string
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO'
  errorMessage?: string
  details?: { message?: string }
}

export interface Scenario {
  name: string
  checks: Check[]
}

export interface Expectations {
  /** Scenarios that count, as the suite's requirements name them. */
  scored: readonly string[]
  /** How many must count, so that a suite that asks for less is noticed. */
  scoredCount: number
  /** Checks that fail or warn, as `scenario:check`. */
  expectedFailures: readonly string[]
  /** Scenarios that do not count for the suite and must pass all the same. */
  required: readonly string[]
}

export interface Finding {
  /** `scenario:check`, or the scenario alone. */
  where: string
  message: string
}

export interface Verdict {
  /** Scored scenarios without a failure; a warning is none, by the suite's own count. */
  passed: number
  scored: number
  /** What must be done something about; empty when all is as expected. */
  problems: Finding[]
  /** Expected failures that happened. */
  known: Finding[]
  /** Scenarios that do not count; `skipped` ones found nothing to check. */
  unscored: { name: string; outcome: 'passed' | 'failed' | 'skipped' }[]
}

export function judge(
  scenarios: readonly Scenario[],
  { scored, scoredCount, expectedFailures, required }: Expectations,
): Verdict {
  const problems: Finding[] = []
  const known: Finding[] = []
  if (scored.length !== scoredCount) {
    problems.push({
      where: 'requirements',
      message: `${scored.length} scenarios are scored, expected ${scoredCount}`,
    })
  }
  for (const name of [...scored, ...required]) {
    const scenario = scenarios.find((each) => each.name === name)
    if (!scenario) problems.push({ where: name, message: 'was not run' })
    else if (!scenario.checks.some(({ status }) => status === 'SUCCESS' || isTrouble(status))) {
      problems.push({ where: name, message: 'checked nothing' })
    }
  }
  for (const { name, checks } of scenarios) {
    if (!scored.includes(name) && !required.includes(name)) continue
    for (const check of checks.filter(({ status }) => isTrouble(status))) {
      const finding = { where: `${name}:${check.id}`, message: describe(check) }
      if (expectedFailures.includes(finding.where)) known.push(finding)
      else problems.push(finding)
    }
  }
  for (const where of expectedFailures) {
    if (!known.some((finding) => finding.where === where)) {
      problems.push({
        where,
        message: 'is expected to fail and did not: remove it from the baseline',
      })
    }
  }
  return {
    passed: scored.filter((name) => scenarios.some((each) => each.name === name && passes(each)))
      .length,
    scored: scored.length,
    problems,
    known,
    unscored: scenarios
      .filter(({ name }) => !scored.includes(name))
      .map((scenario) => ({ name: scenario.name, outcome: outcome(scenario) })),
  }
}

function isTrouble(status: Check['status']): boolean {
  return status === 'FAILURE' || status === 'WARNING'
}

function passes({ checks }: Scenario): boolean {
  return !checks.some(({ status }) => status === 'FAILURE')
}

function outcome(scenario: Scenario): 'passed' | 'failed' | 'skipped' {
  if (!passes(scenario)) return 'failed'
  return scenario.checks.some(({ status }) => status === 'SUCCESS') ? 'passed' : 'skipped'
}

function describe({ status, errorMessage, details }: Check): string {
  return `${status}: ${errorMessage ?? details?.message ?? 'no message'}`
}
