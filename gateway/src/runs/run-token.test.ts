import { describe, expect, it } from 'vitest'
import { as } from '../testing/api-keys.ts'
import { ALL, ONE, program, RUN, textOf } from '../testing/paused-run.ts'
import { type Answer, APPROVAL, type RunWorld, runWorld } from '../testing/run-world.ts'
import { request } from '../testing/rest.ts'
import { silence } from '../testing/silence.ts'

silence('error')

describe('a client that cannot be asked', () => {
  const first = async (made: RunWorld, who = 'ada') => {
    const answer = await made.ask('tools/call', RUN, { who })
    expect(answer.isError).toBe(true)
    expect(textOf(answer)).toMatch(/waits for its call 2, which runs only after .* approved/)
    expect(textOf(answer)).toContain('"path": "/a"')
    return answer._meta?.[APPROVAL]?.token ?? ''
  }
  const confirm = (made: RunWorld, token: string, params: object = RUN, who = 'ada') =>
    made.ask('tools/call', params as typeof RUN, { who, meta: { [APPROVAL]: token } })

  it('calls again with the token, and the run goes on', async () => {
    const made = runWorld(program)
    const answer = await confirm(made, await first(made))
    expect(textOf(answer)).toContain('did delete /a')
    expect(made.lasting.ran).toEqual(ALL)
  })

  it('gets the token over plain HTTP, too', async () => {
    const made = runWorld(program)
    const send = (headers = {}) =>
      made.send(
        request('/tools/run_code', { body: { code: 'x' }, headers: { ...as('ada'), ...headers } }),
      )
    const response = await send()
    expect(response.status).toBe(403)
    const { error } = (await response.json()) as { error: { approval: { token: string } } }
    const done = await send({ 'ftl-approval': error.approval.token })
    expect(await done.text()).toContain('did delete /a')
    expect(made.lasting.ran).toEqual(ALL)
  })

  it.each<[string, (made: RunWorld, token: string) => Promise<Answer>]>([
    ['of another caller', (made, token) => confirm(made, token, RUN, 'eve')],
    [
      'for another program',
      (made, token) => confirm(made, token, { ...RUN, arguments: { code: 'y' } }),
    ],
    ['with a changed seal', (made, token) => confirm(made, `${token.slice(0, -4)}AAAA`)],
    [
      'with a later expiry',
      (made, token) =>
        confirm(
          made,
          token.replace(/\.(\w)/, (_, digit) => `.z${String(digit)}`),
        ),
    ],
    [
      'after it has expired',
      (made, token) => {
        made.lasting.clock.now += 8 * 24 * 3_600_000
        return confirm(made, token)
      },
    ],
  ])('a token %s approves nothing', async (_what, use) => {
    const made = runWorld(program)
    const answer = await use(made, await first(made))
    // It begins a run of its own, which asks again.
    expect(textOf(answer)).toMatch(/waits for its call 2|not approved/)
    expect(made.lasting.ran.filter((line) => line.startsWith('delete'))).toEqual([])
  })

  it('uses a token once', async () => {
    const made = runWorld(program)
    const token = await first(made)
    await confirm(made, token)
    const again = await confirm(made, token)
    expect(textOf(again)).toMatch(/waits for its call 2/)
    expect(made.lasting.ran).toEqual([...ALL, ONE])
  })
})
