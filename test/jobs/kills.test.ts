// A job whose parts die at the worst moments ends once, and as it should.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectFailure, expectFinal, expectOnePicture, readByAll } from './endings.ts'
import { listen } from './readers.ts'
import { newCall } from './repeatable.ts'
import { asStream, asTask } from './starters.ts'
import { startWorld, type World } from './world.ts'

let world: World
beforeAll(async () => (world = await startWorld()))
afterAll(() => world?.close())

const takenOf = (id: string) => world.comfyui.taken.filter((taken) => taken === id)

/**
 * Starts a job whose client gets no answer, because the host dies when the prompt is on its way. The client sends the
 * call again, with its idempotency key, when the host is back, and gets that job.
 */
async function startAndDie(submission: 'hangs' | 'is answered by nobody'): Promise<string> {
  world.comfyui.next.push(submission)
  const submitted = world.comfyui.submission()
  const call = newCall()
  const failed = expect(asTask(world, call)).rejects.toThrow()
  const id = await submitted
  await world.kill()
  await failed
  await world.start()
  expect((await asTask(world, call)).id).toBe(id)
  return id
}

describe('a component that dies', () => {
  it('after the job was stored and before ComfyUI had it: the job waits, then is lost', async () => {
    const id = await startAndDie('hangs')
    const record = async () => (await (await fetch(`${world.url}/jobs/${id}`)).json()) as unknown
    expect(await record()).toMatchObject({ status: 'working' })
    await world.kill()
    // The time a submit may still be on its way.
    world.age(id, 60)
    await world.start()
    const endings = await readByAll(world, id)
    expectFailure(endings, /lost before ComfyUI accepted it/)
    await expectFinal(world, id)
    expect(takenOf(id)).toEqual([])
    // The host starts three times.
  }, 60_000)

  it('after ComfyUI had it and before that was stored: the picture is found', async () => {
    const id = await startAndDie('is answered by nobody')
    await expectOnePicture(await readByAll(world, id))
    await expectFinal(world, id)
    expect(takenOf(id)).toEqual([id])
  })
})

describe('a submit whose connection breaks', () => {
  it.each(['is lost', 'is not answered', 'cuts the line'] as const)(
    'when it %s, is one rendering in the end',
    async (submission) => {
      world.comfyui.next.push(submission)
      const { id } = await asTask(world)
      await expectOnePicture(await readByAll(world, id))
      await expectFinal(world, id)
      expect(takenOf(id)).toEqual([id])
    },
  )

  it('again and again, fails the job and renders nothing', async () => {
    world.comfyui.next.push('is lost', 'is lost', 'is lost')
    const { id } = await asTask(world)
    expectFailure(await readByAll(world, id), /lost before ComfyUI accepted it/)
    await expectFinal(world, id)
    expect(takenOf(id)).toEqual([])
    world.comfyui.next.length = 0
  })
})

it('a job that ComfyUI has forgotten is reported as lost, and not rendered again', async () => {
  const { id } = await asTask(world)
  const endings = readByAll(world, id)
  await world.comfyui.restart()
  expectFailure(await endings, /lost: ComfyUI no longer knows it/)
  await expectFinal(world, id)
  expect(takenOf(id)).toEqual([id])
})

it('a bridge that was restarted gives those who connect again one chunk and one end', async () => {
  const { id } = await asStream(world)
  const address = `${world.bridgeUrl.replace('http', 'ws')}/ws/stream/${id}`
  const cut = listen(address).catch(() => [])
  const early = readByAll(world, id)
  await world.restartBridge()
  expect((await cut).map(({ method }) => method)).not.toContain('stream/end')
  await expectOnePicture(await early)
  const again = await Promise.all([listen(address), listen(address)])
  for (const messages of again) {
    expect(messages.map(({ method }) => method)).toEqual(['stream/chunk', 'stream/end'])
  }
  expect(again[0]).toEqual(again[1])
  await world.restartBridge()
  expect(await listen(address)).toEqual(again[0])
})
