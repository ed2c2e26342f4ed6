import { describe, expect, it } from 'vitest'
import { ALL, ended, ONE, program, RUN, textOf } from '../testing/paused-run.ts'
import {
  type Answer,
  answering,
  APPROVAL,
  ELICITS,
  type RunWorld,
  runWorld,
  TASKS,
} from '../testing/run-world.ts'
import { silence } from '../testing/silence.ts'

silence('error')

/** How each kind of client approves a call of a program. */
const CLIENTS: [string, (made: RunWorld, action?: string) => Promise<Answer>][] = [
  [
    'a client that can be asked',
    async (made, action = 'accept') => {
      const client = { capabilities: ELICITS }
      const { requestState, inputRequests } = await made.ask('tools/call', RUN, client)
      expect(inputRequests?.[APPROVAL]?.params.message).toBe(
        'Approve this call?\nTool: delete\nComponent: files\nArguments: {\n  "path": "/a"\n}',
      )
      return made.ask('tools/call', { ...RUN, requestState, ...answering(action) }, client)
    },
  ],
  [
    'a client that follows tasks',
    async (made, action = 'accept') => {
      const client = { capabilities: { ...ELICITS, ...TASKS } }
      const { taskId, resultType } = await made.ask('tools/call', RUN, client)
      expect(resultType).toBe('task')
      const asking = await made.ask('tasks/get', { taskId }, client)
      expect(asking).toMatchObject({ status: 'input_required' })
      expect(asking.inputRequests?.[APPROVAL]?.params.message).toContain('Tool: delete')
      // Days later.
      made.lasting.clock.now += 3 * 24 * 3_600_000
      await made.ask('tasks/update', { taskId, ...answering(action) }, client)
      return ended(made, taskId, client)
    },
  ],
]

describe.each(CLIENTS)('%s', (_who, approve) => {
  it('approves a call of the program, which then goes on: nothing is made twice', async () => {
    const made = runWorld(program)
    const answer = await approve(made)
    expect(textOf(answer)).toContain('did delete /a')
    expect(made.lasting.ran).toEqual(ALL)
    expect(made.capabilities).toHaveLength(2)
  })

  it.each([
    ['decline', 'it was declined'],
    ['cancel', 'the question was cancelled'],
  ])('answers %s, and the program gets an error', async (action, reason) => {
    const made = runWorld(program)
    const answer = await approve(made, action)
    expect(textOf(answer)).toContain(
      `not_approved: The call of files.delete was not approved: ${reason}`,
    )
    expect(made.lasting.ran).toEqual([ONE, 'append {"path":"2"}'])
  })

  it('leaves nothing in the store when it has ended, but its job', async () => {
    const made = runWorld(program)
    await approve(made)
    await made.platform.settled()
    const left = [...made.lasting.entries.keys()].filter((key) => key.startsWith('gateway:run:'))
    expect(left).toEqual([])
  })
})
