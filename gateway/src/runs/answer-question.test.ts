import { describe, expect, it } from 'vitest'
import { ALL, ONE, program, RUN, textOf } from '../testing/paused-run.ts'
import {
  answering,
  APPROVAL,
  ELICITS,
  type RunWorld,
  runWorld,
  TASKS,
} from '../testing/run-world.ts'
import { silence } from '../testing/silence.ts'

silence('error')

describe('an answer to the question of a run', () => {
  const client = { capabilities: ELICITS }

  it('counts once', async () => {
    const made = runWorld(program)
    const { requestState } = await made.ask('tools/call', RUN, client)
    const accept = { ...RUN, requestState, ...answering('accept') }
    await made.ask('tools/call', accept, client)
    expect(textOf(await made.ask('tools/call', accept, client))).toContain('used before')
    expect(made.lasting.ran).toEqual(ALL)
  })

  it('of two at once, one counts', async () => {
    const made = runWorld(program)
    const { requestState } = await made.ask('tools/call', RUN, client)
    const accept = { ...RUN, requestState, ...answering('accept') }
    await Promise.all([
      made.ask('tools/call', accept, client),
      made.ask('tools/call', accept, client),
    ])
    expect(made.lasting.ran).toEqual(ALL)
  })

  it.each([{}, { [APPROVAL]: true }, { other: { action: 'accept' } }])(
    'that is %j is asked for again',
    async (inputResponses) => {
      const made = runWorld(program)
      const { requestState } = await made.ask('tools/call', RUN, client)
      const again = await made.ask('tools/call', { ...RUN, requestState, inputResponses }, client)
      expect(again.resultType).toBe('input_required')
      expect(made.lasting.ran).toEqual([ONE])
    },
  )

  it('is also needed when the program is started again with the approval of another call', async () => {
    const made = runWorld(async ({ call }) => {
      await call('files', 'delete', { path: '/a' })
      await call('files', 'delete', { path: '/b' })
      return 'done'
    })
    const one = await made.ask('tools/call', RUN, client)
    const two = await made.ask(
      'tools/call',
      { ...RUN, requestState: one.requestState, ...answering('accept') },
      client,
    )
    expect(two.inputRequests?.[APPROVAL]?.params.message).toContain('"/b"')
    expect(made.lasting.ran).toEqual(['delete {"path":"/a"}'])
    const three = await made.ask(
      'tools/call',
      { ...RUN, requestState: two.requestState, ...answering('accept') },
      client,
    )
    expect(textOf(three)).toBe('done')
    expect(made.lasting.ran).toEqual(['delete {"path":"/a"}', 'delete {"path":"/b"}'])
  })
})

describe('a run that was begun for all components', () => {
  const at = (path: string, made: RunWorld, method: string, params: object, capabilities: object) =>
    made.askAt(path, method, params as typeof RUN, { capabilities })

  it('does not go on by a request to the address of one', async () => {
    const made = runWorld(program)
    const { requestState } = await made.ask('tools/call', RUN, { capabilities: ELICITS })
    const answer = { ...RUN, requestState, ...answering('accept') }
    const refused = await at('/mcp/x/code', made, 'tools/call', answer, ELICITS)
    expect(textOf(refused)).toContain('not continued')
    expect(made.lasting.ran).toEqual([ONE])
    expect(textOf(await at('/mcp', made, 'tools/call', answer, ELICITS))).toContain('did delete')
  })

  it('also not as a task', async () => {
    const capabilities = { ...ELICITS, ...TASKS }
    const made = runWorld(program)
    const { taskId } = await made.ask('tools/call', RUN, { capabilities })
    await at('/mcp/x/code', made, 'tasks/update', { taskId, ...answering('accept') }, capabilities)
    await made.platform.settled()
    expect(made.lasting.ran).toEqual([ONE])
    expect(await made.ask('tasks/get', { taskId }, { capabilities })).toMatchObject({
      status: 'input_required',
    })
  })
})
