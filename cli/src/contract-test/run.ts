/** All checks of the component contract, version 1. */
import { type Check, judge, type Verdict } from './check.ts'
import { ANSWER_CHECKS } from './checks/answer-checks.ts'
import { JOB_CHECKS } from './checks/job-checks.ts'
import { LINE_CHECKS } from './checks/line-checks.ts'
import { OFFER_CHECKS } from './checks/offer-checks.ts'
import { PROMPT_CHECKS } from './checks/prompt-checks.ts'
import { REQUEST_CHECKS } from './checks/request-checks.ts'
import { ROBUSTNESS_CHECKS } from './checks/robustness-checks.ts'
import { Subject, type SubjectOptions } from './subject.ts'

const CONTRACT_VERSION = 1

/** In this order: the last one looks at all answers there were. */
export const CHECKS: readonly Check[] = [
  ...OFFER_CHECKS,
  ...REQUEST_CHECKS,
  ...ANSWER_CHECKS,
  ...PROMPT_CHECKS,
  ...LINE_CHECKS,
  ...JOB_CHECKS,
  ...ROBUSTNESS_CHECKS,
]

export interface ContractReport {
  contract: typeof CONTRACT_VERSION
  verdicts: Verdict[]
  passed: number
  failed: number
  skipped: number
}

/** @param onVerdict called as soon as each is known. */
export async function runChecks(
  options: SubjectOptions,
  onVerdict: (verdict: Verdict) => void = () => {},
): Promise<ContractReport> {
  const subject = new Subject(options)
  const verdicts: Verdict[] = []
  for (const check of CHECKS) {
    const verdict = await judge(check, subject)
    verdicts.push(verdict)
    onVerdict(verdict)
  }
  return reportOf(verdicts)
}

export function reportOf(verdicts: Verdict[]): ContractReport {
  const count = (kind: Verdict['verdict']) =>
    verdicts.filter(({ verdict }) => verdict === kind).length
  return {
    contract: CONTRACT_VERSION,
    verdicts,
    passed: count('pass'),
    failed: count('fail'),
    skipped: count('skipped'),
  }
}
