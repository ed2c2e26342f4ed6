import { type Simulator, startSimulator } from 'ftl-comfyui/simulator'
import type { JobRecord, Offer } from 'ftl-contract'
import { afterEach, expect, it } from 'vitest'
import {
  call,
  look,
  type Machine,
  machine,
  mounts,
  ready,
  start,
  statusOf,
} from './testing/machine.ts'

const SHIPPED = mounts(new URL('../', import.meta.url))
const started: Simulator[] = []
afterEach(() => Promise.all(started.splice(0).map((each) => each.close())))

/** A server with other checkpoints, and the render type with these models. */
async function on(checkpoints: string[], models?: object): Promise<Machine> {
  const simulator = await startSimulator({ port: 0, renderSeconds: 0, models: { checkpoints } })
  started.push(simulator)
  const type = { name: 'Mine', workflow: 'sdxl-txt2img.json', models }
  const files = { ...SHIPPED, '/config/render-types.json': JSON.stringify([type]) }
  return machine(simulator.url, { files })
}

async function finished(machine: Machine, args: object = {}): Promise<JobRecord> {
  const { id } = await start(machine, { prompt: 'a fox', ...args })
  await expect.poll(statusOf(machine, id), ready).toBe('completed')
  return look(machine, id)
}

it('another model of the same family is used, and the result says which one', async () => {
  const server = await on(['v1-5-pruned.ckpt', 'juggernautXL_v9.safetensors'])
  const { result } = await finished(server)
  expect(result?.structuredContent).toMatchObject({ model: 'juggernautXL_v9.safetensors' })
  expect(JSON.stringify(result?.content)).toContain(
    'The model is \\"juggernautXL_v9.safetensors\\": the server does not have \\"sd_xl_base_1.0.safetensors\\".',
  )
  expect(((await (await call(server, '/')).json()) as Offer).problems).toBeUndefined()
})

it('the model of the workflow is used where it is there, and the server is asked nothing more', async () => {
  const server = await on(['aXL.safetensors', 'sd_xl_base_1.0.safetensors'])
  const { result } = await finished(server)
  expect(result?.structuredContent).toMatchObject({ model: 'sd_xl_base_1.0.safetensors' })
  expect(JSON.stringify(result?.content)).not.toContain('does not have')
  expect(server.requests.filter((request) => request.includes('object_info'))).toEqual([])
})

it('a model that the caller chose wins', async () => {
  const server = await on(['aXL.safetensors', 'bXL.safetensors'])
  const { result } = await finished(server, { model: 'bXL.safetensors' })
  expect(result?.structuredContent).toMatchObject({ model: 'bXL.safetensors' })
  expect(JSON.stringify(result?.content)).not.toContain('does not have')
})

it('a render type names its family and the models that it prefers', async () => {
  const models = { family: 'sd15', prefer: ['dreamshaper*'] }
  const server = await on(['v1-5-pruned.ckpt', 'aXL.safetensors', 'dreamshaper_8.ckpt'], models)
  const { result } = await finished(server)
  expect(result?.structuredContent).toMatchObject({ model: 'dreamshaper_8.ckpt' })
})

it.each([
  ['of another family', ['v1-5-pruned.ckpt', 'flux1-dev-fp8.safetensors']],
  ['of no known family', ['anime.safetensors', '__proto__', 'constructor']],
])('a model %s is never used', async (_, checkpoints) => {
  const server = await on(checkpoints)
  const { status, error } = await start(server, { prompt: 'a fox' })
  expect(status).toBe('failed')
  expect(error?.data).toMatchObject({ kind: 'missing_model', field: 'render_type' })
  expect(error?.message).toContain(`It has "${checkpoints[0]}", `)
})

it('of several servers, the one that has a fitting model gets the job', async () => {
  const without = await on(['anime.safetensors'])
  const fitting = await on(['aXL.safetensors'])
  const servers = started.map(({ url }) => ({ name: url, url }))
  const files = { ...SHIPPED, '/config/servers.json': JSON.stringify({ servers }) }
  const { result } = await finished(machine('', { files }))
  expect(result?.structuredContent).toMatchObject({ model: 'aXL.safetensors' })
  expect([...without.requests, ...fitting.requests]).toEqual([])
})
