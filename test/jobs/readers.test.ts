// One job, every kind of reader: all of them are shown the same picture.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectFinal, expectOnePicture, readByAll } from './endings.ts'
import { READERS } from './readers.ts'
import { callWithProgress, newCall } from './repeatable.ts'
import { asStream, asTask, byHandle, type Starter, withProgress } from './starters.ts'
import { startWorld, type World } from './world.ts'

let world: World
/** Waits so short for a job that a call ends with a handle. */
let hasty: World
beforeAll(async () => {
  world = await startWorld()
  hasty = await startWorld({ variables: { wait_limit_ms: '300' } })
})
afterAll(async () => {
  await world?.close()
  await hasty?.close()
})

const STARTERS: [name: string, start: Starter, place: () => World][] = [
  ['an MCP task', asTask, () => world],
  ['a call with a progress token', withProgress, () => world],
  ['a call that gets a handle', byHandle, () => hasty],
  ['a plain call', asStream, () => world],
]

describe.each(STARTERS)('a job started by %s', (_name, start, place) => {
  it('shows every reader the same picture, while it runs and when it is over', async () => {
    const { id, told } = await start(place())
    const endings = await readByAll(place(), id)
    if (told) endings.push(['the call', await told])
    endings.push(...(await readByAll(place(), id)))
    await expectOnePicture(endings)
    expect(place().comfyui.taken.filter((taken) => taken === id)).toHaveLength(1)
  })
})

it('a call with a progress token receives progress that grows, then the result', async () => {
  const { progress, last } = await callWithProgress(world.url, newCall())
  expect(progress.length).toBeGreaterThan(0)
  for (const { progressToken } of progress) expect(progressToken).toBe('p1')
  const values = progress.map((params) => Number(params['progress']))
  expect(values).toEqual([...new Set(values)].sort((a, b) => a - b))
  expect(last.completed).toBe(true)
})

it('a job that one client cancels is cancelled for all, and ComfyUI stops', async () => {
  const { id } = await asTask(world)
  const early = readByAll(world, id)
  const response = await fetch(`${world.url}/jobs/${id}`, { method: 'DELETE' })
  expect(await response.json()).toMatchObject({ id, status: 'cancelled' })
  expect(await stateAtComfyui(id)).not.toBe('completed')
  for (const [name, { completed, answer }] of [...(await early), ...(await readByAll(world, id))]) {
    expect(completed, name).toBe(false)
    // A task and a polled job say so by their status alone.
    if (answer !== undefined) expect(JSON.stringify(answer), name).toMatch(/cancelled/i)
  }
  await expectFinal(world, id)
  expect(await stateAtComfyui(id)).toMatch(/^(cancelled|undefined)$/)
})

async function stateAtComfyui(id: string): Promise<string> {
  const response = await fetch(`${world.comfyui.url}/api/jobs/${id}`)
  return String(((await response.json()) as { status?: string }).status)
}

it('a reader of a job that was never started gets an error', async () => {
  const id = crypto.randomUUID()
  for (const [name, reader] of Object.entries(READERS)) {
    const told = await reader(world, id).catch((error: Error) => ({
      completed: false,
      answer: error.message,
    }))
    expect(told, name).toMatchObject({ completed: false })
    expect(JSON.stringify(told.answer), name).toMatch(/not exist|no such|not_found/)
  }
})
