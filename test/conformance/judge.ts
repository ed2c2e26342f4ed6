/** Whether a run of the conformance suite is what we expect of it, no better and no worse. */

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
  /** Checks of required scenarios that the suite skips, as `scenario:check`. */
  expectedSkips: readonly string[]
  /**
   * Scenarios that do not count for the suite and must pass all the same. The suite skips a check of one that counts
   * where the gateway does not offer what is checked; here we say that it does, so a skipped check is trouble too.
   */
  required: readonly string[]
}

export interface Finding {
  /** `scenario:check`, or the scenario alone. */
  where: string
  message: string
}

export interface Verdict {
  /** Scored scenarios without a failure; the suite does not count a warning as a failure. */
  passed: number
  scored: number
  /** Findings that need a fix; empty when all is as expected. */
  problems: Finding[]
  /** Expected failures and skips that happened. */
  known: Finding[]
  /** Scenarios that do not count; `skipped` ones found nothing to check. */
  unscored: { name: string; outcome: 'passed' | 'failed' | 'skipped' }[]
}

export function judge(
  scenarios: readonly Scenario[],
  { scored, scoredCount, expectedFailures, expectedSkips, required }: Expectations,
): Verdict {
  const problems: Finding[] = []
  const known: Finding[] = []
  if (scored.length !== scoredCount) {
    problems.push({
      where: 'requirements',
      message: `${scored.length} scenarios are scored, expected ${scoredCount}`,
    })
  }
  const isTrouble = (name: string, { status }: Check) =>
    status === 'FAILURE' ||
    status === 'WARNING' ||
    (status === 'SKIPPED' && required.includes(name))
  for (const name of [...scored, ...required]) {
    const scenario = scenarios.find((each) => each.name === name)
    if (!scenario) problems.push({ where: name, message: 'was not run' })
    else if (
      !scenario.checks.some((check) => check.status === 'SUCCESS' || isTrouble(name, check))
    ) {
      problems.push({ where: name, message: 'checked nothing' })
    }
  }
  for (const { name, checks } of scenarios) {
    if (!scored.includes(name) && !required.includes(name)) continue
    for (const check of checks.filter((each) => isTrouble(name, each))) {
      const finding = { where: `${name}:${check.id}`, message: describe(check) }
      const expected = check.status === 'SKIPPED' ? expectedSkips : expectedFailures
      if (expected.includes(finding.where)) known.push(finding)
      else problems.push(finding)
    }
  }
  const stale = (where: string) => !known.some((finding) => finding.where === where)
  for (const where of expectedFailures.filter(stale)) {
    problems.push({
      where,
      message: 'is expected to fail and did not: remove it from the baseline',
    })
  }
  for (const where of expectedSkips.filter(stale)) {
    problems.push({ where, message: 'is expected to be skipped and was not: require it' })
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
