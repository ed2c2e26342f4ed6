import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { codeComponent } from '../testing/code-component.ts'
import { createWorld, several, text, tool } from '../testing/components.ts'
import { request } from '../testing/rest.ts'

beforeEach(() => {
  vi.spyOn(console, 'log').mockImplementation(() => {})
  vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => vi.restoreAllMocks())

/** The program calls `append`, which is not to be done twice. */
function world() {
  const clock = { now: 1_000_000 }
  let made = 0
  const code = codeComponent(async ({ call }) => {
    const { content } = await call('files', 'append')
    return JSON.stringify(content)
  })
  const gateway = createWorld({
    components: {
      code: code.component,
      files: several([tool('append')], () => text(`appended ${++made}`)),
    },
    now: () => clock.now,
    conditionalWrites: true,
  })
  code.world = gateway
  return {
    clock,
    appended: () => made,
    async run(key: string | undefined, args: object = { code: 'x' }) {
      const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key }
      const response = await gateway.send(request('/tools/run_code', { body: args, headers }))
      return response.text()
    },
  }
}

describe('a run with an idempotency key', () => {
  it('is made once, and repeated calls get its result', async () => {
    const made = world()
    for (let count = 0; count < 3; count++) expect(await made.run('a')).toContain('appended 1')
    expect(made.appended()).toBe(1)
    expect(await made.run('b')).toContain('appended 2')
    expect(await made.run(undefined)).toContain('appended 3')
  })

  it('is made once by calls at the same time', async () => {
    const made = world()
    const all = await Promise.all(Array.from({ length: 6 }, () => made.run('a')))
    expect(all.map((answer) => answer.includes('appended 1'))).toEqual(Array(6).fill(true))
    expect(made.appended()).toBe(1)
  })

  it('is refused with other arguments, as a job is', async () => {
    const made = world()
    await made.run('a')
    expect(await made.run('a', { code: 'y' })).toContain('idempotency_key_reuse')
    expect(made.appended()).toBe(1)
  })

  it('is made again when its job has expired', async () => {
    const made = world()
    await made.run('a')
    made.clock.now += 8 * 24 * 3_600_000
    expect(await made.run('a')).toContain('appended 2')
  })
})
