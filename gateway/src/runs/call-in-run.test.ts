import { describe, expect, it } from 'vitest'
import { type Program, saying } from '../testing/code-component.ts'
import { call, text } from '../testing/components.ts'
import { echoRun } from '../testing/echo-run.ts'
import { silence } from '../testing/silence.ts'

silence('log', 'error')

describe('a program', () => {
  it('calls the tools of its caller by component and own name', async () => {
    const made = echoRun(async ({ call }) => {
      const results = await Promise.all([
        call('echo', 'echo', { text: 'a' }),
        call('other', 'echo', { text: 'b' }),
      ])
      return JSON.stringify(results)
    })
    expect(JSON.parse(await made.run())).toEqual([text('echo'), text('echo')])
    expect(made.ran.map(({ path }) => path).sort()).toEqual(['/echo', '/echo'])
    expect(made.log.filter((line) => line.startsWith('POST http://other'))).toHaveLength(1)
  })

  it('learns the names of the tools, without its own', async () => {
    const made = echoRun(async ({ send }) => (await send('/run/tools', { method: 'GET' })).text())
    expect(JSON.parse(await made.run())).toEqual({
      run: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
        startedAt: 1_000_000,
        maxCalls: 100,
        replayed: false,
      },
      tools: [
        { component: 'echo', tool: 'echo' },
        { component: 'echo', tool: 'shout' },
        { component: 'other', tool: 'echo' },
      ],
    })
  })

  it.each<[string, (program: Program) => Promise<unknown>, RegExp]>([
    ['an unknown tool', ({ call }) => call('echo', 'none'), /^tool_not_found: .* echo\.none/],
    ['a tool of another component', ({ call }) => call('other', 'shout'), /^tool_not_found/],
    ['a job tool', ({ call }) => call('', 'get_job', { job_id: 'x' }), /^tool_not_found/],
    [
      'arguments that do not fit',
      ({ call }) => call('echo', 'echo', { text: 1 }),
      /^invalid_arg.*text/,
    ],
    ['itself', ({ call }) => call('code', 'run_code', { code: 'x' }), /^recursion/],
  ])('gets an error for %s', async (_what, act, reason) => {
    const made = echoRun((program) => saying(act(program)))
    expect(await made.run()).toMatch(reason)
    expect(made.ran).toEqual([])
  })

  it.each<Record<string, string>>([
    { program_limits: 'calls=3' },
    { code_limits: 'calls=3' },
    { program_limits: 'calls=3', code_limits: 'calls=9' },
  ])('makes at most as many calls as the operator permits with %j', async (variables) => {
    const made = echoRun(async ({ call }) => {
      for (let done = 0; ; done++) {
        const said = await saying(call('echo', 'echo'))
        if (!said.startsWith('{')) return `${done} ${said}`
      }
    }, variables)
    expect(await made.run()).toMatch(/^3 too_many_calls: The program may make 3 calls/)
    expect(made.ran).toHaveLength(3)
  })

  it.each([
    ['no seq', { component: 'echo', tool: 'echo' }],
    ['a seq of 0', { seq: 0, component: 'echo', tool: 'echo' }],
    ['half a seq', { seq: 1.5, component: 'echo', tool: 'echo' }],
    ['no tool', { seq: 1, component: 'echo' }],
    ['arguments that are a list', { seq: 1, component: 'echo', tool: 'echo', arguments: [] }],
    ['a list', []],
  ])('whose component sends %s gets 400', async (_what, body) => {
    const made = echoRun(async ({ send }) => {
      const response = await send('/run/call', { body })
      return `${response.status} ${await response.text()}`
    })
    expect(await made.run()).toMatch(/^400 .*invalid_request/)
    expect(made.ran).toEqual([])
  })
})

it('a call of another tool reads no variable for runs, and asks the store for nothing more', async () => {
  const made = echoRun(async () => '')
  await made.rpc(call('shout', {}))
  const before = made.reads.length
  await made.rpc(call('shout', {}))
  expect(made.reads.slice(before).filter((name) => name.startsWith('code_'))).toEqual([])
})
