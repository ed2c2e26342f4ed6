import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSimulator, type Simulator } from 'ftl-comfyui/simulator'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, look, machine, mounts, FIXTURES, ready, start, statusOf } from './testing/machine.ts'

describe('after the output folder of ComfyUI was emptied', () => {
  let folder: string
  let comfyui: Simulator
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ftl-comfyui-'))
    comfyui = await startSimulator({ port: 0, renderSeconds: 0.05, stateDir: folder })
  })
  afterAll(async () => {
    await comfyui.close()
    await rm(folder, { recursive: true })
  })
  const empty = (area: string) => rm(join(folder, area), { recursive: true })
  const args = { prompt: 'a pond', seed: 7 }
  const imagesOf = async (on: ReturnType<typeof machine>, id: string) => {
    const { result } = await look(on, id)
    return (result?.structuredContent as { images: string[] }).images
  }

  it('the same arguments make the file again, and the earlier job says that its file is gone', async () => {
    const on = machine(comfyui.url)
    const first = await start(on, args)
    await expect.poll(statusOf(on, first.id), ready).toBe('completed')
    expect(await readdir(join(folder, 'output/mcp'))).toEqual([
      `image-${first.id.slice(0, 8)}_00001_.png`,
    ])
    await empty('output')
    const second = await start(on, args)
    await expect.poll(statusOf(on, second.id), ready).toBe('completed')
    const [image = ''] = await imagesOf(on, second.id)
    expect((await call(on, image)).status).toBe(200)
    const [gone = ''] = await imagesOf(on, first.id)
    const answer = await call(on, gone)
    expect(answer.status).toBe(410)
    expect(await answer.json()).toEqual({
      error: {
        code: 'output_gone',
        message: 'The ComfyUI server no longer has this file: it was deleted there.',
      },
    })
  })

  it('a job whose node has no file name to change fails and says why', async () => {
    const files = mounts(FIXTURES)
    const path = '/workflows/sdxl-txt2img.json'
    files[path] = (files[path] ?? '')
      .replace('"SaveImage"', '"PreviewImage"')
      .replace(/,\s*"filename_prefix": "[^"]*"/, '')
    const on = machine(comfyui.url, { files })
    const first = await start(on, args)
    await expect.poll(statusOf(on, first.id), ready).toBe('completed')
    await empty('temp')
    const second = await start(on, args)
    await expect.poll(statusOf(on, second.id), ready).toBe('failed')
    const { error } = await look(on, second.id)
    expect(error?.data).toEqual({ kind: 'output_gone' })
    expect(error?.message).toContain('was deleted. Change an argument, such as the seed')
  })
})
