/** What rows expect of an answer. */
import type { Answer } from './http-client.ts'
import type { Lab, Sent } from './lab.ts'
import { all, type Finding, verdict } from './row.ts'
import type { TokenOptions } from './tokens.ts'

export const seenOf = ({ status }: Answer, what?: string) =>
  `${what === undefined ? '' : `${what}: `}${status === 0 ? 'no response' : status}`

/** Whether the request passed the authorization. */
export const isServed = ({ status }: Answer) => status >= 200 && status < 300

/** One of these statuses. */
export async function answers(
  lab: Lab,
  sent: Sent,
  statuses: readonly number[],
  what?: string,
): Promise<Finding> {
  const answer = await lab.send(sent)
  return verdict(statuses.includes(answer.status), seenOf(answer, what))
}

/** An invalid token gets 401. */
export function refused(lab: Lab, options: TokenOptions, what?: string): Promise<Finding> {
  return answers(lab, { token: lab.token(options) }, [401], what)
}

/** Each of these invalid tokens gets 401. */
export async function allRefused(
  lab: Lab,
  tokens: Readonly<Record<string, TokenOptions>>,
): Promise<Finding> {
  const findings: Finding[] = []
  for (const [what, options] of Object.entries(tokens)) {
    findings.push(await refused(lab, options, what))
  }
  return all(findings)
}

export async function accepted(lab: Lab, sent: Sent, what?: string): Promise<Finding> {
  const answer = await lab.send(sent)
  return verdict(isServed(answer), seenOf(answer, what))
}

export const now = () => Math.floor(Date.now() / 1000)
