import { describe, expect, it } from 'vitest'
import { as, keys } from '../testing/api-keys.ts'
import { auditLog } from '../testing/audit-log.ts'
import { saying } from '../testing/code-component.ts'
import { echoRun } from '../testing/echo-run.ts'
import { silence } from '../testing/silence.ts'

silence('error')
const { entries } = auditLog()

describe('a program cannot exceed its caller', () => {
  const POLICY = JSON.stringify({
    rules: [{ effect: 'deny', principals: ['key:ada'], tools: ['shout'] }, { effect: 'allow' }],
  })
  const variables = { api_keys: keys('ada', 'eve'), policy: POLICY }

  it('what the policy denies does not exist for it', async () => {
    const made = echoRun(
      async ({ call, send }) =>
        `${await saying(call('echo', 'shout'))} ${await (await send('/run/tools', { method: 'GET' })).text()}`,
      variables,
    )
    const denied = await made.run(as('ada'))
    expect(denied).toMatch(/^tool_not_found: There is no tool echo.shout\./)
    expect(denied).not.toContain('"shout"')
    expect(await made.run(as('eve'))).toContain('"shout"')
    expect(made.ran.map(({ headers }) => headers.get('ftl-principal'))).toEqual(['key:eve'])
  })

  it('at the address of one component it has only that one', async () => {
    const made = echoRun(async ({ call }) => saying(call('echo', 'echo')))
    expect(await made.run({}, '/mcp/x/code')).toMatch(/^tool_not_found/)
    expect(made.ran).toEqual([])
  })

  it('its calls count as calls of its caller', async () => {
    const made = echoRun(
      async ({ call }) => {
        await call('echo', 'echo')
        return saying(call('echo', 'echo'))
      },
      { call_settings: 'calls_per_minute=2' },
    )
    expect(await made.run()).toMatch(/^limit_reached: .*2 calls per minute/)
    expect(made.ran).toHaveLength(1)
  })

  it('its calls end with the run', async () => {
    const made = echoRun(
      async ({ call }) => {
        await call('echo', 'echo')
        made.clock.now += 29_000
        await call('echo', 'echo')
        return 'done'
      },
      { call_settings: 'call_timeout_ms=30000' },
    )
    expect(await made.run()).toBe('done')
    expect(made.ran.map(({ headers }) => headers.get('ftl-deadline'))).toEqual(['30000', '1000'])
  })

  it('the component gets its arguments, and no header that the program chose', async () => {
    const made = echoRun(async ({ send }) => {
      const body = { seq: 1, component: 'echo', tool: 'echo', arguments: {}, meta: { x: 1 } }
      const headers = {
        'ftl-principal': 'root',
        'idempotency-key': 'k',
        traceparent: 't',
        'ftl-approval': 'a',
      }
      return (await send('/run/call', { body, headers })).text()
    })
    await made.run({ traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` })
    const [{ headers } = { headers: new Headers() }] = made.ran
    expect(headers.get('ftl-principal')).toBeNull()
    expect(headers.get('idempotency-key')).toBeNull()
    expect(headers.get('ftl-run')).toBeNull()
    expect(headers.get('traceparent')).toContain('a'.repeat(32))
  })

  it('each call has its line in the audit log, with the run and the request of the client', async () => {
    const made = echoRun(
      async ({ call }) => {
        await call('other', 'echo', { text: 'a' })
        return saying(call('echo', 'shout'))
      },
      { ...variables, call_settings: 'audit=on' },
    )
    await made.run({ ...as('ada'), 'x-request-id': 'req-1', 'user-agent': 'agent/1' })
    const lines = entries()
    const common = {
      event: 'call',
      request: 'req-1',
      principal: 'key:ada',
      client: { agent: 'agent/1' },
    }
    expect(lines).toEqual([
      expect.objectContaining({
        ...common,
        component: 'other',
        tool: 'other__echo',
        outcome: 'ok',
        run: { id: expect.any(String) as string, call: 1 },
      }),
      expect.objectContaining({ ...common, tool: 'shout', outcome: 'denied', rule: 1 }),
      expect.objectContaining({ ...common, tool: 'run_code', outcome: 'ok' }),
    ])
    expect(lines[2]).not.toHaveProperty('run')
  })
})
