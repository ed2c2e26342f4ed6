// A host may die while a run begins, while it pauses for an approval, and while it becomes a task: nothing is lost for a client
// that has a task, and nothing is made twice or without its approval.
import { describe, expect, it } from 'vitest'
import type { Program } from '../testing/code-component.ts'
import {
  type Answer,
  answering,
  ELICITS,
  lasting,
  type Lasting,
  type RunWorld,
  runWorld,
  TASKS,
} from '../testing/run-world.ts'
import { endTimersWithThisFile } from '../testing/dead-hosts.ts'
import { silence } from '../testing/silence.ts'

silence('error')
endTimersWithThisFile()

const CLIENT = { capabilities: { ...ELICITS, ...TASKS } }
/** Longer than a call may take, and than an attempt may be silent. */
const AFTER_MS = 40_000

type Run = (program: Program) => Promise<string>

const saying = (work: Promise<{ content: unknown[] }>) =>
  work.then(
    ({ content: [first] }) => (first as { text: string }).text,
    (error: { code?: string }) => error.code ?? 'another error',
  )

const begin = (made: RunWorld) =>
  made.ask('tools/call', { name: 'run_code', arguments: { code: 'x' } }, CLIENT)

const read = (made: RunWorld, taskId: string) => made.ask('tasks/get', { taskId }, CLIENT)

/** Until it makes no more steps, also after the second that a client waits before it gets a task. */
async function rest(made: RunWorld, quietMs: number): Promise<void> {
  for (let quiet = 0, before = made.steps; quiet < quietMs; quiet += 20) {
    await new Promise((resolve) => setTimeout(resolve, 20))
    if (made.steps !== before) quiet = 0
    before = made.steps
  }
}

/** The task that the dead host has stored: its client may have it. */
function storedTask({ entries }: Lasting): string | undefined {
  const key = [...entries.keys()].find((each) => /^gateway:job:[0-9a-f-]{36}$/.test(each))
  return key?.slice('gateway:job:'.length)
}

/** New hosts read the task, and its user approves what is asked. */
async function recover(run: Run, over: Lasting, taskId: string): Promise<Answer> {
  for (let time = 0; time < 6; time++) {
    over.clock.now += AFTER_MS
    const made = runWorld(run, { over })
    let task = await read(made, taskId)
    if (task.status === 'input_required') {
      await made.ask('tasks/update', { taskId, ...answering('accept') }, CLIENT)
    }
    await made.platform.settled()
    over.clock.now += 1_000
    task = await read(made, taskId)
    if (task.status !== 'working' && task.status !== 'input_required') return task
  }
  return { status: 'never ended' }
}

interface Death {
  at: string
  over: Lasting
  /** Of the task, if there was one. */
  task: Answer | undefined
}

/** A host dies at each step of the first attempt, and the task that it leaves is read to its end. */
async function deaths(run: Run, quietMs: number): Promise<Death[]> {
  const whole = runWorld(run)
  await begin(whole)
  await whole.platform.settled()
  expect(whole.steps).toBeGreaterThan(10)
  return Promise.all(
    Array.from({ length: whole.steps }, async (_, index) => {
      const over = lasting()
      const dying = runWorld(run, { over, dieAt: index + 1 })
      void begin(dying)
      await rest(dying, quietMs)
      const taskId = storedTask(over)
      const task = taskId === undefined ? undefined : await recover(run, over, taskId)
      return { at: `step ${index + 1}`, over, task }
    }),
  )
}

const times = ({ ran }: Lasting, call: string) => ran.filter((each) => each === call).length

describe('a host that dies before its client is asked', () => {
  const asking: Run = async ({ call }) =>
    [
      await saying(call('files', 'append', { path: 'a' })),
      await saying(call('files', 'delete', { path: 'b' })),
      await saying(call('files', 'read', { path: 'c' })),
    ].join(', ')

  it('leaves a task that asks, or none: nothing is made twice or without approval', async () => {
    const all = await deaths(asking, 300)
    for (const { at, over, task } of all) {
      expect({ at, appended: times(over, 'append {"path":"a"}') <= 1 }).toEqual({
        at,
        appended: true,
      })
      const deleted = times(over, 'delete {"path":"b"}')
      if (!task) expect({ at, deleted }).toEqual({ at, deleted: 0 })
      else {
        const text = task.result?.content?.[0]?.text
        expect({ at, status: task.status, text, deleted }).toEqual({
          at,
          status: 'completed',
          text: 'did append a, did delete b, did read c',
          deleted: 1,
        })
      }
    }
    // Both are seen: deaths before the task was stored, and after.
    expect(all.some(({ task }) => task)).toBe(true)
    expect(all.some(({ task }) => !task)).toBe(true)
  })
})

describe('a host that dies while a program becomes a task', () => {
  const slow: Run = async ({ call }) => {
    const first = await saying(call('files', 'append', { path: 'a' }))
    await new Promise((resolve) => setTimeout(resolve, 1_150))
    return [first, await saying(call('files', 'append', { path: 'b' }))].join(', ')
  }

  it('leaves a task that ends, with each call made once or reported as in doubt', async () => {
    const all = await deaths(slow, 1_400)
    for (const { at, over, task } of all) {
      if (!task) {
        // The program had not become a task, so its second call was not reached.
        expect({ at, second: times(over, 'append {"path":"b"}') }).toEqual({ at, second: 0 })
        continue
      }
      expect({ at, status: task.status }).toEqual({ at, status: 'completed' })
      const said = task.result?.content?.[0]?.text.split(', ') ?? []
      for (const [index, path] of ['a', 'b'].entries()) {
        const isKnown = said[index] === `did append ${path}`
        const ran = times(over, `append {"path":"${path}"}`)
        const expected = isKnown ? 1 : Math.min(ran, 1)
        const text = isKnown ? `did append ${path}` : 'in_doubt'
        expect({ at, path, said: said[index], ran }).toEqual({
          at,
          path,
          said: text,
          ran: expected,
        })
      }
    }
    expect(all.some(({ task }) => task)).toBe(true)
    // A death between a call and its entry in the journal.
    expect(all.some(({ task }) => JSON.stringify(task ?? {}).includes('in_doubt'))).toBe(true)
  })
})

/** Several entries of the store. */
const LONG = 'ab'.repeat(200_000)

it('a host that dies while a long result is kept leaves a result that can be read whole', async () => {
  const keeping: Run = async ({ call, send }) => {
    const first = await saying(call('files', 'append', { path: 'a' }))
    await new Promise((resolve) => setTimeout(resolve, 1_150))
    const response = await send('/run/result?page=1000', { body: LONG })
    const { handle } = (await response.json()) as { handle: string }
    return [first, handle].join(', ')
  }
  const all = (await deaths(keeping, 1_400)).filter(({ task }) => task)
  // One for each piece, at least.
  expect(all.length).toBeGreaterThan(2)
  for (const { at, over, task } of all) {
    const [said, handle] = task?.result?.content?.[0]?.text.split(', ') ?? []
    expect({ at, said, ran: times(over, 'append {"path":"a"}') }).toEqual({
      at,
      said: 'did append a',
      ran: 1,
    })
    const made = runWorld(keeping, { over })
    const page = { result: handle, offset: LONG.length - 10 }
    const { content } = await made.ask('tools/call', { name: 'run_code', arguments: page }, CLIENT)
    expect({ at, text: content?.[0]?.text }).toEqual({
      at,
      text: expect.stringContaining('babababab') as string,
    })
  }
}, 60_000)
