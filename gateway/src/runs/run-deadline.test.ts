import { describe, expect, it } from 'vitest'
import { AUDIENCE, ISSUER, JWKS, tokenWith } from '../testing/issuer.ts'
import { ended, ONE, RUN } from '../testing/paused-run.ts'
import { ELICITS, lasting, runWorld, TASKS } from '../testing/run-world.ts'
import { silence } from '../testing/silence.ts'

silence('error')

/** Longer than a client waits before it gets a task. */
const slow = () => new Promise<void>((resolve) => setTimeout(resolve, 1_100))
const ASKING = '{"rules":[{"effect":"ask","tools":["drop"]},{"effect":"allow"}]}'
const ISSUER_WITH_KEYS = JSON.stringify([{ issuer: ISSUER, jwks: JWKS }])

describe('the credential of the caller', () => {
  const HOUR = 3_600_000
  const claims = (now: number, seconds: number) => {
    const at = Math.floor(now / 1000)
    return { iat: at, nbf: at, exp: at + seconds }
  }

  it('ends the run', async () => {
    const over = lasting()
    over.clock.now = 1_800_000_000_000
    const made = runWorld(async () => '', {
      over,
      variables: { auth_issuers: ISSUER_WITH_KEYS, auth_audience: AUDIENCE, auth_leeway_ms: '0' },
    })
    const token = tokenWith({ claims: { ...claims(over.clock.now, 10), jti: 'a' } })
    const headers = { authorization: `Bearer ${token}` }
    await made.ask('tools/call', RUN, { headers, capabilities: TASKS })
    const [payload = ''] = (made.capabilities[0] ?? '').split('.')
    const grant = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { deadline: number }
    expect(grant.deadline).toBe(over.clock.now + 10_000)
  })

  it('that has expired interrupts a task, and its next reader goes on with another one', async () => {
    const over = lasting()
    over.clock.now = 1_800_000_000_000
    let expire = true
    const made = runWorld(
      async ({ call }) => {
        await call('files', 'append', { path: '1' })
        if (expire) over.clock.now += HOUR
        await call('files', 'append', { path: '2' })
        return 'done'
      },
      {
        over,
        variables: { auth_issuers: ISSUER_WITH_KEYS, auth_audience: AUDIENCE, policy: ASKING },
        onRun: (name) => (name === 'append' && expire ? slow() : undefined),
      },
    )
    const client = () => ({
      headers: { authorization: `Bearer ${tokenWith({ claims: claims(over.clock.now, 60) })}` },
      capabilities: { ...ELICITS, ...TASKS },
    })
    const { taskId } = await made.ask('tools/call', RUN, client())
    await made.platform.settled()
    expire = false
    over.clock.now += 1_000
    expect(await made.ask('tasks/get', { taskId }, client())).toMatchObject({ status: 'working' })
    expect(await ended(made, taskId, client())).toMatchObject({ content: [{ text: 'done' }] })
    expect(over.ran).toEqual([ONE, 'append {"path":"2"}'])
  })
})
