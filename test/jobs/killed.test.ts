// The host is killed while a job renders, then restarted: every client gets the picture, and nothing is rendered twice.
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { expectOnePicture, readByAll } from './endings.ts'
import { asStream, asTask, byHandle, type Starter, withProgress } from './starters.ts'
import { startWorld, type World } from './world.ts'

const RENDER_SECONDS = 2

async function inWorld(
  variables: Record<string, string>,
  work: (world: World) => Promise<void>,
): Promise<void> {
  const world = await startWorld({ renderSeconds: RENDER_SECONDS, variables })
  try {
    await work(world)
  } finally {
    await world.close()
  }
}

const STARTERS: [name: string, start: Starter, variables: Record<string, string>][] = [
  ['an MCP task', asTask, {}],
  ['a call with a progress token', withProgress, {}],
  ['a call that gets a handle', byHandle, { wait_limit_ms: '300' }],
  ['a plain call', asStream, {}],
]

describe.each(STARTERS)('a job started by %s', (_name, start, variables) => {
  it('survives the death of the host, for those who read then and those who come later', () =>
    inWorld(variables, async (world) => {
      const { id, told } = await start(world)
      const early = readByAll(world, id)
      const cut = told && expect(told).rejects.toThrow()
      await sleep(300)
      await world.kill()
      await cut
      await world.start()
      await expectOnePicture([...(await early), ...(await readByAll(world, id))])
      expect(world.comfyui.taken).toEqual([id])
    }))
})

it('a job that ended while the host was down has its picture', () =>
  inWorld({}, async (world) => {
    const { id } = await asStream(world)
    await world.kill()
    await sleep(RENDER_SECONDS * 1000 + 500)
    await world.start()
    await expectOnePicture(await readByAll(world, id))
    expect(world.comfyui.taken).toEqual([id])
  }))

it('a picture that is ready is still there after the death of the host', () =>
  inWorld({}, async (world) => {
    const { id } = await asTask(world)
    const before = await readByAll(world, id)
    await expectOnePicture(before)
    await world.kill()
    await world.start()
    await expectOnePicture([...before, ...(await readByAll(world, id))])
  }))
