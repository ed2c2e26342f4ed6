/**
 * ftl/contract-test: checks whether the gateway can use a component, whatever language it is written in.
 *
 * @module
 */
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { binaryVerdicts } from './binary.ts'
import type { Verdict } from './check.ts'
import { type Hosted, hostFile } from './host.ts'
import { type ContractReport, reportOf, runChecks } from './run.ts'
import type { SubjectOptions } from './subject.ts'

export type { Verdict } from './check.ts'
export { CHECKS, type ContractReport, runChecks } from './run.ts'
export { hostComponent, hostFile, type Running } from './host.ts'

export interface ContractOptions extends Omit<SubjectOptions, 'url'>, Hosted {
  onVerdict?: (verdict: Verdict) => void
}

/**
 * Checks every rule of the component contract.
 *
 * @param target path of a `.wasm` file, or the URL of a component's `/`.
 * @throws {PrepareError} when the embedded host cannot run the file.
 */
export async function checkComponent(
  target: string,
  { onVerdict = () => {}, ...options }: ContractOptions = {},
): Promise<ContractReport> {
  if (/^https?:\/\//.test(target)) {
    return runChecks({ ...options, url: target.replace(/\/+$/, '') }, onVerdict)
  }
  const file = resolve(target)
  const { variables, cacheDir, onLog, onError, env } = options
  return checkFile(target, file, onVerdict, options, () =>
    hostFile(file, { variables, cacheDir, onLog, onError, env: env ?? {} }),
  )
}

/**
 * Checks a file that `start` runs.
 *
 * @param name name of the file in messages.
 */
export async function checkFile(
  name: string,
  file: string,
  onVerdict: (verdict: Verdict) => void,
  options: Omit<SubjectOptions, 'url'>,
  start: () => Promise<{ url: string; close(): Promise<void> }>,
): Promise<ContractReport> {
  const before = binaryVerdicts(name, await readFile(file))
  before.forEach(onVerdict)
  // A file that does not load cannot respond.
  if (before.some(({ verdict }) => verdict === 'fail')) return reportOf(before)
  const running = await start()
  try {
    const { verdicts } = await runChecks({ ...options, url: running.url }, onVerdict)
    return reportOf([...before, ...verdicts])
  } finally {
    await running.close()
  }
}

/** A component violates the contract; the message contains every violation and how to fix it. */
export class ContractViolation extends Error {
  override readonly name = 'ContractViolation'
  readonly report: ContractReport
  constructor(target: string, report: ContractReport) {
    const failures = report.verdicts
      .filter(({ verdict }) => verdict === 'fail')
      .map(({ id, reason, fix, section }) => `${id}: ${reason}\n  ${fix} (${section})`)
    super(`${target} violates the component contract\n${failures.join('\n')}`)
    this.report = report
  }
}

/**
 * For a test: passes if the component violates no rule.
 *
 * @throws {ContractViolation}
 * @example
 * it('keeps the contract', () => expectComponent('dist/greet.wasm', { samples: { greet: { name: 'Ada' } } }))
 */
export async function expectComponent(
  target: string,
  options: ContractOptions = {},
): Promise<ContractReport> {
  const report = await checkComponent(target, options)
  if (report.failed > 0) throw new ContractViolation(target, report)
  return report
}
