/** Runs the rows against a server. */
import { setTimeout as sleep } from 'node:timers/promises'
import { isServed } from './expectations.ts'
import type { Answer } from './http-client.ts'
import type { Issuer } from './issuer.ts'
import { createLab, type Lab, type Target } from './lab.ts'
import { ROWS, SERVER_ROWS } from './manifest.ts'
import { fail, type Finding, type Row } from './row.ts'
import { ServerLab, type ServerTarget } from './server/lab.ts'

const PAUSE_MS = 2_000

export interface Result extends Finding, Pick<Row, 'id' | 'level' | 'sentence' | 'source'> {}

/** The server refuses valid tokens, so that every refusal of an invalid one would count for nothing. */
export class NotConfigured extends Error {
  override readonly name = 'NotConfigured'
}

export interface RunOptions {
  /** Only rows whose id begins with it. @default all */
  only?: string
  /** The server refuses valid tokens so far: it may start later, or have older keys. */
  onWait?: (advice: string) => void
}

/** @throws {NotConfigured} */
export async function runSuite(
  target: Target,
  issuer: Issuer,
  { only, onWait }: RunOptions = {},
): Promise<Result[]> {
  const lab = createLab(target, issuer)
  try {
    const since = performance.now()
    for (let attempt = 0; ; attempt++) {
      const answer = await lab.send({ token: lab.token() })
      if (isServed(answer)) break
      const text = advice(answer, target, issuer)
      const left = (target.waitSeconds ?? 0) * 1000 - (performance.now() - since)
      if (left <= 0) throw new NotConfigured(text)
      if (attempt === 0) onWait?.(text)
      await sleep(Math.min(left, PAUSE_MS))
    }
    return await runRows(lab, only)
  } finally {
    lab.close()
  }
}

/** @param only rows whose id begins with it. */
export const runRows = (lab: Lab, only?: string): Promise<Result[]> => run(ROWS, lab, only)

/** Runs the rows of an authorization server. */
export const runServerRows = (target: ServerTarget, only?: string): Promise<Result[]> =>
  run(SERVER_ROWS, new ServerLab(target), only)

async function run<L>(rows: readonly Row<L>[], lab: L, only = ''): Promise<Result[]> {
  const results: Result[] = []
  for (const row of rows.filter(({ id }) => id.startsWith(only))) {
    const { id, level, sentence, source } = row
    results.push({ id, level, sentence, source, ...(await check(row, lab)) })
  }
  return results
}

async function check<L>(row: Row<L>, lab: L): Promise<Finding> {
  try {
    return await row.check(lab)
  } catch (error) {
    return fail(`${row.id} could not be checked: ${String(error)}`)
  }
}

function advice({ status, text, headers }: Answer, target: Target, issuer: Issuer): string {
  return [
    status === 0
      ? `${target.url} does not answer`
      : `${target.url} refuses a valid token: ${status}`,
    headers.get('www-authenticate') ?? '',
    text.slice(0, 300),
    'Configure the server so that it accepts tokens',
    `  issued by     ${issuer.url}`,
    `  with keys at  ${issuer.jwksUri}`,
    `  for           ${target.audience ?? target.url} (aud)`,
    `  with scopes   ${target.scopes?.join(' ') || 'none'}`,
  ]
    .filter((line) => line !== '')
    .join('\n')
}

interface Score {
  MUST: readonly [passed: number, tested: number]
  SHOULD: readonly [passed: number, tested: number]
  untestable: number
}

export function scoreOf(results: readonly Result[]): Score {
  const count = (wanted: Row['level']) => {
    const tested = results.filter(
      ({ level, state }) => level === wanted && state !== 'not testable',
    )
    return [tested.filter(({ state }) => state === 'pass').length, tested.length] as const
  }
  const untestable = results.filter(({ state }) => state === 'not testable').length
  return { MUST: count('MUST'), SHOULD: count('SHOULD'), untestable }
}
