// A program as a task, with the official client and the official package for tasks.
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { connectTasks, type Tasks } from './task-session.ts'
import { type ClientsWorld, ONE_APPROVAL, startClientsWorld, THREE_CALLS } from './world.ts'

let world: ClientsWorld
let open: Tasks[] = []
beforeAll(async () => (world = await startClientsWorld()))
beforeEach(() => {
  world.effects.done.length = 0
})
afterEach(async () => {
  await Promise.all(open.map((tasks) => tasks.close()))
  open = []
})
afterAll(() => world?.close())

async function connect(action?: 'accept' | 'decline'): Promise<Tasks> {
  const tasks = await connectTasks(`${world.url}/mcp`, action)
  open.push(tasks)
  return tasks
}

const start = ({ session }: Tasks, code: string) => session.callTool('run_code', { code })

const textOf = (outcome: object) =>
  (outcome as { result?: { content: { text: string }[] } }).result?.content[0]?.text

it('shows which call it has reached, and then the result', async () => {
  const execution = await start(await connect(), THREE_CALLS)
  expect(execution.kind).toBe('task')
  const messages = new Set<string | undefined>()
  const { outcome } = await execution.settle({
    onEvent: (event) => {
      if (event.type === 'task') messages.add(event.task.statusMessage)
    },
  })
  expect(textOf(outcome)).toBe('did append a, did append b, did append c')
  // The client looks once a second.
  expect(
    [...messages].filter((message) => /^Call [123]: effects\.append$/.test(message ?? '')),
  ).not.toEqual([])
  expect(world.effects.done).toEqual(['append a', 'append b', 'append c'])
})

it('a program that ends at once is no task', async () => {
  const execution = await start(await connect(), 'return 42')
  expect(execution.kind).toBe('immediate')
  expect(textOf(await execution.result())).toBe('42')
})

it('makes no further call when it is cancelled', async () => {
  const execution = await start(await connect(), THREE_CALLS)
  const before = [...world.effects.done]
  await execution.cancel()
  expect(await execution.result()).toMatchObject({ status: 'cancelled' })
  await new Promise((resolve) => setTimeout(resolve, 1500))
  // A call may have been under way.
  expect(world.effects.done.length).toBeLessThanOrEqual(before.length + 1)
  expect(world.effects.done).not.toContain('append c')
})

it.each([
  ['accept', 'did append a, did delete b', ['append a', 'delete b']],
  ['decline', 'did append a, not_approved', ['append a']],
] as const)('asks for an approval as input, and goes on after %s', async (action, text, done) => {
  const tasks = await connect(action)
  const execution = await start(tasks, ONE_APPROVAL)
  expect(execution.kind).toBe('task')
  expect(textOf(await execution.result())).toBe(text)
  expect(tasks.asked).toHaveLength(1)
  expect(tasks.asked[0]).toContain(String.raw`Tool: delete\nComponent: effects`)
  expect(world.effects.done).toEqual(done)
})

it('is resumed by another client, by the reference of the task', async () => {
  const first = await connect()
  const execution = await start(first, THREE_CALLS)
  if (execution.kind !== 'task') throw new Error('the program ended at once')
  const reference = execution.serializeReference()
  await execution.detach()
  const resumed = await (await connect()).session.resumeTask(reference)
  expect(textOf(await resumed.result())).toBe('did append a, did append b, did append c')
  expect(world.effects.done).toEqual(['append a', 'append b', 'append c'])
})

it('a program that fails is a completed task with its error', async () => {
  const execution = await start(await connect(), `await sleep(1100)\nnull.x`)
  const outcome = await execution.result()
  expect(outcome).toMatchObject({ status: 'completed', result: { isError: true } })
  expect(textOf(outcome)).toMatch(/^TypeError: .*\n {4}at line 2/)
})
