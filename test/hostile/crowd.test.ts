// 80 callers at once of what keeps a thread, on two workers with the default limits, beside one caller of `echo`.
//
// Time is not measured: a busy machine has little of it. What is counted is how many of the crowd's calls end while
// `echo` is called a few times: each of them has a thread for seconds.
import { afterEach, expect } from 'vitest'
import type { MeasuredHost } from '../support/measured-host.ts'
import { gatewaySource } from '../support/gateway-source.ts'
import { attack } from './support/attack.ts'
import { callOneByOne, CROWDS, startCrowdedHost } from './crowd/crowd.ts'

let host: MeasuredHost
afterEach(() => host.close())

const CALLERS = 80
const CALLS = 20

/** More calls of the crowd than its own workers end in that time, and a fraction of what two shared workers end. */
const MOST = 10

async function beside(
  name: keyof typeof CROWDS,
  more: { finally?: () => Promise<unknown> } = {},
): Promise<number> {
  host = await startCrowdedHost(gatewaySource())
  const ended = await callOneByOne(host.url, {
    callers: CALLERS,
    calls: CROWDS[name] ?? [],
    count: CALLS,
    most: MOST,
    ...more,
  })
  expect(ended).toBeLessThanOrEqual(MOST)
  return ended
}

/** What the host tells its operator of a component that it keeps apart. */
async function quarantineOf(component: string): Promise<void> {
  const problems: string[] = []
  await expect
    .poll(
      async () => {
        problems.push(...(await host.figures()).problems)
        return problems.filter((line) => line.includes('worker of its own'))
      },
      { timeout: 60_000, interval: 500 },
    )
    .toEqual([expect.stringMatching(`^${component}: `)])
}

attack(
  '80 callers of a tool that computes without an end',
  async () => {
    const ended = await beside('loops', { finally: () => quarantineOf('first') })
    return `echo is answered ${CALLS} times while ${ended} of their calls end; then the tool is in quarantine`
  },
  120_000,
)

attack(
  '80 programs of one caller that compute without an end',
  async () => {
    const ended = await beside('programs')
    return `echo is answered ${CALLS} times while ${ended} programs end`
  },
  120_000,
)

attack(
  '80 callers of tools of three components that compute for 3.9 s each',
  async () => {
    const ended = await beside('computes')
    return `echo is answered ${CALLS} times while ${ended} of their calls end`
  },
  120_000,
)
