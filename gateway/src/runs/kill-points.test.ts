// A host may die between any two things it does. Whatever it leaves behind, the next reader of the task brings the run to its
// end: no call is lost, and none is made twice.
import { describe, expect, it } from 'vitest'
import type { Program } from '../testing/code-component.ts'
import {
  type Answer,
  answering,
  ELICITS,
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

const saying = (work: Promise<{ content: unknown[] }>) =>
  work.then(
    ({ content: [first] }) => (first as { text: string }).text,
    (error: { code?: string }) => error.code ?? 'another error',
  )

/** One call needs an approval, others change something, some run side by side. */
const program = async ({ call }: Program) => {
  const said = [await saying(call('files', 'delete', { path: 'a' }))]
  said.push(await saying(call('files', 'append', { path: 'b' })))
  said.push(
    ...(await Promise.all([
      saying(call('files', 'read', { path: 'c' })),
      saying(call('files', 'append', { path: 'd' })),
    ])),
  )
  return said.join(', ')
}
const CALLS = ['delete a', 'append b', 'read c', 'append d']
const WHOLE = CALLS.map((line) => `did ${line}`).join(', ')

/** Longer than a call may take, and than an attempt may be silent. */
const AFTER_MS = 40_000

/** A run that waits for its approval, as a task. */
async function paused(): Promise<{ over: Lasting; taskId: string }> {
  const made = runWorld(program)
  const { taskId = '' } = await made.ask(
    'tools/call',
    { name: 'run_code', arguments: { code: 'x' } },
    CLIENT,
  )
  await made.platform.settled()
  return { over: made.lasting, taskId }
}

const copyOf = ({ clock, ran, entries }: Lasting): Lasting => ({
  clock: { ...clock },
  ran: [...ran],
  entries: new Map(entries),
})

const approve = (made: RunWorld, taskId: string) =>
  made.ask('tasks/update', { taskId, ...answering('accept') }, CLIENT)

const read = (made: RunWorld, taskId: string) => made.ask('tasks/get', { taskId }, CLIENT)

/** Turns of the event loop after which a host that is dead makes no more steps. */
async function rest(made: RunWorld): Promise<void> {
  for (let quiet = 0, before = made.steps; quiet < 10; quiet++) {
    await new Promise((resolve) => setTimeout(resolve, 2))
    // Seals are computed on other threads, which a busy machine keeps waiting: this one is computed after them.
    await crypto.subtle.digest('SHA-256', new Uint8Array(1))
    if (made.steps !== before) quiet = 0
    before = made.steps
  }
}

/** A new host reads the task until it ends. */
async function recover(over: Lasting, taskId: string): Promise<Answer> {
  for (let time = 0; time < 5; time++) {
    over.clock.now += AFTER_MS
    const made = runWorld(program, { over })
    let task = await read(made, taskId)
    // The answer may have been lost with the host: the client sends it again.
    if (task.status === 'input_required') await approve(made, taskId)
    await made.platform.settled()
    over.clock.now += 1_000
    task = await read(made, taskId)
    if (task.status !== 'working' && task.status !== 'input_required') return task
  }
  return { status: 'never ended' }
}

/** What must hold, wherever the host died. */
function check(at: string, over: Lasting, { status, result }: Answer): void {
  const text = result?.content?.[0]?.text ?? ''
  expect({ at, status, isError: result?.isError }).toEqual({ at, status: 'completed' })
  const said = text.split(', ')
  CALLS.forEach((line, index) => {
    const [name = '', path] = line.split(' ')
    const times = over.ran.filter((ran) => ran === `${name} {"path":"${path}"}`).length
    if (name === 'read')
      return expect({ at, said: said[index] }).toEqual({ at, said: `did ${line}` })
    // In doubt: it ran, or not.
    const isKnown = said[index] === `did ${line}`
    expect({ at, line, said: said[index] }).toEqual({
      at,
      line,
      said: isKnown ? `did ${line}` : 'in_doubt',
    })
    expect({ at, line, times }).toEqual({ at, line, times: isKnown ? 1 : Math.min(times, 1) })
  })
}

async function stepsOfApproval(): Promise<number> {
  const { over, taskId } = await paused()
  const made = runWorld(program, { over })
  await approve(made, taskId)
  await made.platform.settled()
  over.clock.now += 1_000
  const { result } = await read(made, taskId)
  expect(result?.content?.[0]?.text).toBe(WHOLE)
  return made.steps
}

it('a host that dies at any step of a run leaves it for the next reader', async () => {
  const steps = await stepsOfApproval()
  // Each call has at least: run, catalog, entry, mark, component, result.
  expect(steps).toBeGreaterThan(CALLS.length * 6)
  const { over, taskId } = await paused()
  let doubts = 0
  await Promise.all(
    Array.from({ length: steps }, async (_, index) => {
      const world = copyOf(over)
      const dying = runWorld(program, { over: world, dieAt: index + 1 })
      void approve(dying, taskId)
      await rest(dying)
      const task = await recover(world, taskId)
      check(`step ${index + 1}`, world, task)
      if (JSON.stringify(task).includes('in_doubt')) doubts++
    }),
  )
  // Of a call that was sent, nothing but its answer says whether it ran.
  expect(doubts).toBeGreaterThan(0)
  expect(doubts).toBeLessThan(steps / 2)
})

it('and so does the host of the reader that starts it again', async () => {
  const { over, taskId } = await paused()
  const first = runWorld(program, { over, dieAt: 25 })
  void approve(first, taskId)
  await rest(first)
  expect(over.ran).not.toEqual([])
  await Promise.all(
    Array.from({ length: 40 }, async (_, index) => {
      const world = copyOf(over)
      world.clock.now += AFTER_MS
      const dying = runWorld(program, { over: world, dieAt: index + 1 })
      void read(dying, taskId)
      await rest(dying)
      // The pause in which two readers find out which of them goes on.
      await new Promise((resolve) => setTimeout(resolve, 120))
      await rest(dying)
      check(`step ${index + 1}`, world, await recover(world, taskId))
    }),
  )
})

it('two readers that start it again at once make nothing twice', async () => {
  const { over, taskId } = await paused()
  const first = runWorld(program, { over, dieAt: 25 })
  void approve(first, taskId)
  await rest(first)
  over.clock.now += AFTER_MS
  const readers = [runWorld(program, { over }), runWorld(program, { over })]
  await Promise.all(readers.map((made) => read(made, taskId)))
  await Promise.all(readers.map((made) => made.platform.settled()))
  over.clock.now += 1_000
  check('two readers', over, await read(runWorld(program, { over }), taskId))
})

describe('a reader', () => {
  it('does not start a run again that goes on', async () => {
    const { over, taskId } = await paused()
    let go: (() => void) | undefined
    const gate = new Promise<void>((resolve) => (go = resolve))
    const made = runWorld(program, { over, onRun: () => gate })
    await approve(made, taskId)
    await rest(made)
    over.clock.now += 3_000
    const { status } = await read(made, taskId)
    expect(status).toBe('working')
    go?.()
    await made.platform.settled()
    over.clock.now += 1_000
    check('goes on', over, await read(made, taskId))
    expect(made.capabilities).toHaveLength(1)
  })

  it('gives a program up that kills its host each time', async () => {
    const { over, taskId } = await paused()
    const first = runWorld(program, { over, dieAt: 12 })
    void approve(first, taskId)
    await rest(first)
    let task: Answer = {}
    for (let time = 0; time < 12 && task.status !== 'failed'; time++) {
      over.clock.now += AFTER_MS
      const hanging = runWorld(() => new Promise<never>(() => {}), { over })
      task = await read(hanging, taskId)
    }
    expect(task).toMatchObject({
      status: 'failed',
      error: { message: expect.stringContaining('interrupted 9 times') as string },
    })
  })

  it('of another caller, or with a link, starts nothing', async () => {
    const { over, taskId } = await paused()
    const first = runWorld(program, { over, dieAt: 25 })
    void approve(first, taskId)
    await rest(first)
    over.clock.now += AFTER_MS
    const before = [...over.ran]
    const made = runWorld(program, { over })
    const other = await made.ask('tasks/get', { taskId }, { ...CLIENT, who: 'eve' })
    expect(other.message).toContain('Invalid params')
    await made.platform.settled()
    expect(over.ran).toEqual(before)
    expect(made.capabilities).toEqual([])
  })
})

it('a cancelled run makes no more calls', async () => {
  const { over, taskId } = await paused()
  let cancelled: Promise<unknown> | undefined
  const made: RunWorld = runWorld(program, {
    over,
    onRun: async (name) => {
      if (name !== 'delete') return
      cancelled = made.ask('tasks/cancel', { taskId }, CLIENT)
      await cancelled
    },
  })
  await approve(made, taskId)
  await made.platform.settled()
  expect(cancelled).toBeDefined()
  over.clock.now += 1_000
  expect(await read(made, taskId)).toMatchObject({ status: 'cancelled' })
  expect(over.ran).toEqual(['delete {"path":"a"}'])
})
