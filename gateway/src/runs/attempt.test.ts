import { describe, expect, it } from 'vitest'
import { saying } from '../testing/code-component.ts'
import { ALL, ONE, program, RUN, textOf } from '../testing/paused-run.ts'
import { answering, ELICITS, type RunWorld, runWorld } from '../testing/run-world.ts'
import { silence } from '../testing/silence.ts'

silence('error')

describe('a run that is started again', () => {
  const client = { capabilities: ELICITS }
  const resumed = async (made: RunWorld) => {
    const { requestState } = await made.ask('tools/call', RUN, client)
    return made.ask('tools/call', { ...RUN, requestState, ...answering('accept') }, client)
  }

  it.each([
    ['another tool', 'read', { path: '1' }, 'was files.append, and now is files.read'],
    ['other arguments', 'append', { path: '9' }, 'was files.append with other arguments'],
  ])('and makes %s than before gets an error', async (_what, name, args, reason) => {
    let attempt = 0
    const made = runWorld(async ({ call }) => {
      attempt++
      const said = await saying(
        attempt === 1 ? call('files', 'append', { path: '1' }) : call('files', name, args),
      )
      if (attempt > 1) return said
      await call('files', 'delete', { path: '/a' })
      return ''
    })
    expect(textOf(await resumed(made))).toContain(
      `not_deterministic: The program is not deterministic: its call 1 ${reason}`,
    )
    expect(made.lasting.ran).toEqual([ONE])
  })

  it('is told so, and has the id and the time of the first attempt', async () => {
    const seen: unknown[] = []
    const made = runWorld(async ({ call, send }) => {
      const answer = (await (await send('/run/tools', { method: 'GET' })).json()) as { run: object }
      seen.push(answer.run)
      made.lasting.clock.now += 1_000
      await call('files', 'delete', { path: '/a' })
      return ''
    })
    await resumed(made)
    const [first, second] = seen as Record<string, unknown>[]
    expect(second).toEqual({ ...first, replayed: true })
  })

  it('refuses the capability of the earlier attempt, and of one that has ended', async () => {
    const used = async (made: RunWorld, capability: string | undefined) => {
      const response = await made.send(
        new Request('http://mcp-gateway.spin.internal/run/call', {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'ftl-run': capability ?? '' },
          body: JSON.stringify({ seq: 9, component: 'files', tool: 'append' }),
        }),
      )
      return `${response.status} ${await response.text()}`
    }
    const made = runWorld(async (given) => {
      const said = await program(given)
      if (made.capabilities.length > 1)
        expect(await used(made, made.capabilities[0])).toMatch(/^410/)
      return said
    })
    await resumed(made)
    expect(await used(made, made.capabilities[1])).toMatch(/^410 .*run_ended/)
    expect(made.lasting.ran).toEqual(ALL)
  })

  it('answers a number that was used before from its journal, also in one attempt', async () => {
    const made = runWorld(async ({ send }) => {
      const body = { seq: 1, component: 'files', tool: 'append', arguments: { path: '1' } }
      await send('/run/call', { body })
      await send('/run/call', { body })
      const other = await send('/run/call', { body: { ...body, tool: 'read' } })
      return other.text()
    })
    expect(textOf(await made.ask('tools/call', RUN))).toContain('not_deterministic')
    expect(made.lasting.ran).toEqual([ONE])
  })

  it('does not believe a component that it is paused', async () => {
    const made = runWorld(async () => 'x')
    made.components.code = (incoming) =>
      incoming.method === 'GET'
        ? Response.json([{ name: 'run_code', inputSchema: { type: 'object' } }])
        : Response.json({ content: [], isError: true, _meta: { 'ftl/run': { paused: 1 } } })
    const answer = await made.ask('tools/call', RUN, client)
    expect(textOf(answer)).toContain('ended the run before')
  })
})
