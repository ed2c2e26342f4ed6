import { type Simulator, startSimulator } from 'ftl-comfyui/simulator'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { machine, mounts, start, statusOf } from './testing/machine.ts'

const SEED = '18446744073709551615'

let simulator: Simulator
beforeAll(async () => void (simulator = await startSimulator({ port: 0, renderSeconds: 0 })))
afterAll(() => simulator.close())

it('a seed of twenty digits in a workflow reaches ComfyUI with every digit', async () => {
  const files = mounts(new URL('../', import.meta.url))
  const text = files['/workflows/sdxl-txt2img.json'] ?? ''
  // Without its title the seed is the workflow's own, and no argument.
  const own = text.replace(/"seed": \d+/, `"seed": ${SEED}`).replace('MCP_SEED', 'Sampler')
  expect(own).toContain(SEED)
  const on = machine(simulator.url, { files: { ...files, '/workflows/sdxl-txt2img.json': own } })
  const { id } = await start(on, { prompt: `a fox, "${SEED}"` })
  await expect.poll(statusOf(on, id), { timeout: 8000 }).toBe('completed')
  const history = await (await fetch(`${simulator.url}/api/history/${id}`)).text()
  expect(history).toContain(`"seed":${SEED}`)
  expect(history).toContain(`a fox, \\"${SEED}\\"`)
})
