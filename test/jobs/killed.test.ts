// The host is killed while a job renders, then restarted: every client gets the picture, and nothing is rendered twice.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectOnePicture, readByAll } from './endings.ts'
import { asStream, asTask, byHandle, type Starter, withProgress } from './starters.ts'
import { startWorld, type World } from './world.ts'

const RENDER_SECONDS = 2

/** A host that was killed and started again serves the next test, too; only one client needs a setting of its own. */
let common: World
let patient: World
beforeAll(async () => {
  common = await startWorld({ renderSeconds: RENDER_SECONDS })
  patient = await startWorld({
    renderSeconds: RENDER_SECONDS,
    variables: { wait_limit_ms: '300' },
  })
})
afterAll(() => Promise.all([common?.close(), patient?.close()]))

const STARTERS: [name: string, start: Starter, world: () => World][] = [
  ['an MCP task', asTask, () => common],
  ['a call with a progress token', withProgress, () => common],
  ['a call that gets a handle', byHandle, () => patient],
  ['a plain call', asStream, () => common],
]

const takenOf = ({ comfyui }: World, id: string) => comfyui.taken.filter((taken) => taken === id)

// A busy machine takes seconds to start a host again.
describe.each(STARTERS)('a job started by %s', { timeout: 90_000 }, (_name, start, worldOf) => {
  it('survives the death of the host, for those who read then and those who come later', async () => {
    const world = worldOf()
    const { id, told } = await start(world)
    const early = readByAll(world, id)
    const cut = told && expect(told).rejects.toThrow()
    await sleep(300)
    await world.kill()
    await cut
    await world.start()
    await expectOnePicture([...(await early), ...(await readByAll(world, id))])
    expect(takenOf(world, id)).toEqual([id])
  })
})

it('a job that ended while the host was down has its picture', async () => {
  const { id } = await asStream(common)
  await common.kill()
  await sleep(RENDER_SECONDS * 1000 + 500)
  await common.start()
  await expectOnePicture(await readByAll(common, id))
  expect(takenOf(common, id)).toEqual([id])
})

it('a picture that is ready is still there after the death of the host', async () => {
  const { id } = await asTask(common)
  const before = await readByAll(common, id)
  await expectOnePicture(before)
  await common.kill()
  await common.start()
  await expectOnePicture([...before, ...(await readByAll(common, id))])
})
