import { type Simulator, startSimulator } from 'ftl-comfyui/simulator'
import type { Offer } from 'ftl-contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readProblems } from './readiness.ts'
import { call, type Machine, machine, mounts, start } from './testing/machine.ts'

const SHIPPED = mounts(new URL('../', import.meta.url))
const ANIME = ['anime-diffusion-v9.safetensors']
const REASON =
  'The ComfyUI server does not have the model file "sd_xl_base_1.0.safetensors". It has "anime-diffusion-v9.safetensors".'

let simulator: Simulator
beforeAll(async () => {
  simulator = await startSimulator({ port: 0, renderSeconds: 0, models: { checkpoints: ANIME } })
})
afterAll(() => simulator.close())

const problemsOf = async (on: Machine) => {
  const offer = (await (await call(on, '/')).json()) as Offer
  expect(offer.tools?.map(({ name }) => name)).toContain('generate_image')
  return offer.problems
}

it('the offer reports each render type that no server can run, once a minute', async () => {
  const on = machine(simulator.url, { files: SHIPPED })
  const expected = ['Standard', 'From image'].map((name) => `render type "${name}": ${REASON}`)
  // On a busy machine the first look may take too long.
  const looks = { timeout: 8000, interval: 30 }
  await expect.poll(() => (on.pass(10_000), problemsOf(on)), looks).toEqual(expected)
  const asked = on.requests.length
  expect(await problemsOf(on)).toEqual(expected)
  expect(on.requests).toHaveLength(asked)
})

it('nothing is reported while every render type can run, or the server is down', async () => {
  const sound = await startSimulator({ port: 0, renderSeconds: 0 })
  expect(await problemsOf(machine(sound.url, { files: SHIPPED }))).toBeUndefined()
  await sound.close()
  expect(await problemsOf(machine(sound.url, { files: SHIPPED }))).toBeUndefined()
})

it('a link or a value that no server takes is reported with its node', async () => {
  const sound = await startSimulator({ port: 0, renderSeconds: 0 })
  const text = SHIPPED['/workflows/sdxl-txt2img.json'] ?? ''
  const wrong = text.replace(/"steps": \d+/, '"steps": "many"')
  expect(wrong).not.toBe(text)
  const on = machine(sound.url, { files: { ...SHIPPED, '/workflows/sdxl-txt2img.json': wrong } })
  const looks = { timeout: 8000, interval: 30 }
  try {
    await expect
      .poll(() => (on.pass(10_000), problemsOf(on)), looks)
      .toEqual([
        expect.stringMatching(
          /^render type "Standard": "steps" of node \d+ \(KSampler\) is "many"; it must be a whole number\.$/,
        ),
      ])
  } finally {
    await sound.close()
  }
})

it.each([
  ['one server', 1],
  ['a server twice', 2],
])('a call says the same: %s', async (_, count) => {
  const servers = Array.from({ length: count }, (_, index) => ({
    name: `${index}`,
    url: simulator.url,
  }))
  const files = { ...SHIPPED, '/config/servers.json': JSON.stringify({ servers }) }
  const { error } = await start(machine(simulator.url, { files }), { prompt: 'a fox' })
  expect(error?.message).toBe(
    `Service error: No active ComfyUI server is compatible with render type 'Standard'. ${REASON}`,
  )
})

it('a call names some of more files than ComfyUI lists in its refusal', async () => {
  const checkpoints = Array.from({ length: 30 }, (_, index) => `anime-${index}.safetensors`)
  const crowded = await startSimulator({ port: 0, renderSeconds: 0, models: { checkpoints } })
  try {
    const { error } = await start(machine(crowded.url, { files: SHIPPED }), { prompt: 'a fox' })
    expect(error?.message).toMatch(/It has "anime-0.safetensors", .* and 24 more\.$/)
  } finally {
    await crowded.close()
  }
})

it('a server with 100,000 names, names of a megabyte and control characters is quoted briefly', async () => {
  const names = [
    '__proto__',
    '\u001b]0;owned\u0007.safetensors',
    'x'.repeat(1024 ** 2),
    ...Array.from({ length: 100_000 }, (_, index) => `${index}.safetensors`),
  ]
  const on = machine('http://user:secret@comfyui', {
    files: SHIPPED,
    fetch: async (input) => {
      const name = new Request(input).url.split('/').at(-1) ?? ''
      const input_ = name === 'CheckpointLoaderSimple' ? { ckpt_name: [names] } : {}
      return Response.json({ [name]: { input: { required: input_ }, output: [] } })
    },
  })
  const looks = { timeout: 8000, interval: 30 }
  // Two render types, and the address, whose password allowed_outbound_hosts does not take.
  await expect.poll(() => (on.pass(10_000), problemsOf(on)), looks).toHaveLength(3)
  const text = JSON.stringify(await problemsOf(on))
  expect(text).toContain('It has \\"__proto__\\"')
  expect(text.length).toBeLessThan(1_000)
  expect(text).not.toMatch(/u001b|u0007|secret/)
})

it('an address that no request can reach is a problem of the component, with what to set', async () => {
  const { platform } = machine('http://me:secret@127.0.0.1:9/comfyui', { files: SHIPPED })
  const problems = await readProblems(platform)
  expect(problems).toEqual([
    'comfyui_url: must not have a user or password; set comfyui_auth instead',
  ])
})
