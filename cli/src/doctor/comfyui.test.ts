import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { loadManifest } from 'ftl-host'
import { type Simulator, startSimulator } from 'ftl-comfyui/simulator'
import { afterEach, expect, it } from 'vitest'
import { checkComfyui } from './comfyui.ts'
import { readRenderTypes } from './render-types.ts'

const SPIN_TOML = fileURLToPath(new URL('../../../spin.toml', import.meta.url))

let simulator: Simulator | undefined
afterEach(() => simulator?.close())

async function check(checkpoints: string[]) {
  simulator = await startSimulator({ port: 0, models: { checkpoints } })
  return checkAt(simulator.url)
}

async function checkAt(url: string) {
  const findings = await checkComfyui(url, await readRenderTypes(await loadManifest(SPIN_TOML)))
  const standard = findings.find(({ about }) => about === 'render type "Standard"')
  return { findings, standard, snippet: /\{.*\}/s.exec(standard?.remedy ?? '')?.[0] }
}

it('the default works where its model is there', async () => {
  const { findings } = await check(['sd_xl_base_1.0.safetensors'])
  expect(findings.map(({ level }) => level)).toEqual(['ok', 'ok', 'ok'])
  expect(findings[1]?.message).toBe('works as it is, with the model "sd_xl_base_1.0.safetensors"')
})

it('the default works with another model of the family', async () => {
  const { standard } = await check(['v1-5-pruned.ckpt', 'aXL.safetensors'])
  expect(standard).toMatchObject({ level: 'ok' })
  expect(standard?.message).toContain('with the model "aXL.safetensors"')
})

it.each<[string, string[], object]>([
  ['another family that runs in the workflow', ['v1-5-pruned.ckpt'], { family: 'sd15' }],
  ['a name that says nothing', ['mine.safetensors'], { prefer: ['mine.safetensors'] }],
])('a render type is proposed for %s, and where to paste it', async (_, checkpoints, models) => {
  const { standard, snippet = '' } = await check(checkpoints)
  expect(standard?.level).toBe('problem')
  expect(standard?.message).toContain(`It has "${checkpoints[0]}".`)
  expect(JSON.parse(snippet)).toEqual({ name: 'Standard', workflow: 'sdxl-txt2img.json', models })
  expect(standard?.remedy).toContain('components/generate-image/config/render-types.json')
})

it('a model that needs another workflow gets no proposal that would not run', async () => {
  const { standard, snippet = '' } = await check(['flux1-dev-fp8.safetensors'])
  expect(JSON.parse(snippet)).toEqual({ name: 'flux', workflow: 'my-workflow.json' })
  expect(standard?.remedy).toContain('Export (API)')
})

it('a server without a checkpoint', async () => {
  const { standard } = await check([])
  expect(standard?.message).toContain('It has no file of this kind.')
  expect(standard?.remedy).toContain('models/checkpoints')
})

it('names with control characters are neither shown nor proposed, and no password is', async () => {
  const { findings } = await check(['\u001b]0;owned\u0007.safetensors', 'x'.repeat(100_000)])
  const text = JSON.stringify(findings)
  expect(text).not.toMatch(/u001b|u0007/)
  expect(text.length).toBeLessThan(6_000)
  const { port } = new URL(simulator?.url ?? '')
  const named = await checkAt(`http://me:secret@127.0.0.1:${port}`)
  expect(named.findings[0]?.level).toBe('ok')
  expect(JSON.stringify(named.findings)).not.toContain('secret')
})

it('a server that is down, or not ComfyUI, is a problem', async () => {
  const other = createServer((_, response) => response.end('<html>')).listen(0, '127.0.0.1')
  await new Promise((resolve) => other.once('listening', resolve))
  const { port } = other.address() as AddressInfo
  try {
    const { findings } = await checkAt(`http://127.0.0.1:${port}`)
    expect(findings.map(({ level }) => level)).toEqual(['problem'])
  } finally {
    other.close()
  }
  const { findings } = await checkAt('http://me:secret@127.0.0.1:9')
  expect(findings.map(({ level }) => level)).toEqual(['problem'])
  expect(JSON.stringify(findings)).not.toContain('secret')
})

it('an address without a scheme, a path and credentials are told what to type', async () => {
  const bare = await checkAt('127.0.0.1:8188')
  expect(bare.findings).toMatchObject([
    {
      level: 'problem',
      message: expect.stringContaining('has no scheme') as string,
      remedy: 'ftl doctor --comfyui http://127.0.0.1:8188',
    },
  ])
  simulator = await startSimulator({ port: 0 })
  const value = `Basic ${Buffer.from('me:s e').toString('base64')}`
  await simulator.set({ auth: { header: 'authorization', value } })
  const { port } = new URL(simulator.url)
  const { findings } = await checkAt(simulator.url)
  expect(findings[0]?.message).toContain('needs a user and password')
  expect(findings[0]?.remedy).toContain(
    `ftl doctor --comfyui http://USER:PASSWORD@127.0.0.1:${port}`,
  )
  const wrong = await checkAt(`http://me:other@127.0.0.1:${port}`)
  expect(wrong.findings[0]?.message).toContain('refuses')
  expect((await checkAt(`http://me:s%20e@127.0.0.1:${port}/api/`)).findings[0]?.level).toBe('ok')
  process.env['SPIN_VARIABLE_COMFYUI_AUTH'] = value
  try {
    expect((await checkAt(simulator.url)).findings[0]?.level).toBe('ok')
  } finally {
    delete process.env['SPIN_VARIABLE_COMFYUI_AUTH']
  }
})
