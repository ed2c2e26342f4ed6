// Live events on their whole way from a server that behaves like the recorded ComfyUI.
import { startSimulator } from 'ftl-comfyui/simulator'
import { expect, it } from 'vitest'
import { GatewayStandIn, listen } from '../testing/gateway-stand-in.ts'
import { startBridge } from '../local.ts'
import { previews, steps } from '../testing/watching.ts'

const STEPS = 30

/** Runs a slow job, with `submitted` sent beside the workflow, and returns its listener. */
async function render(comfyuiClientId: string, submitted: Record<string, unknown>) {
  const gateway = await GatewayStandIn.start()
  const comfyui = await startSimulator({ port: 0 })
  const comfyuiUrls = { a: comfyui.url }
  const set = { gatewayUrl: gateway.url, port: 0, comfyuiUrls, comfyuiClientId }
  const bridge = await startBridge(set)
  const { id } = gateway.working()
  const listener = listen(bridge.url, `${id}?progress=1&previews=1`)
  const prompt = {
    1: {
      class_type: 'SlowImage',
      inputs: { steps: STEPS, seconds: 0.1, seed: Date.now() % 1000, fail_at: -1 },
    },
    2: { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'a' } },
  }
  const body = JSON.stringify({ prompt, prompt_id: id, ...submitted })
  const answer = await fetch(`${comfyui.url}/api/prompt`, { method: 'POST', body })
  expect(answer.status).toBe(200)
  const atStep = () => steps(listener).some(({ progress }) => (progress ?? 0) > STEPS / 2)
  await expect.poll(atStep, { timeout: 8000 }).toBe(true)
  listener.socket.close()
  await Promise.all([bridge.close(), gateway.close(), comfyui.close()])
  return listener
}

it('the log says once what previews of an older ComfyUI need', async () => {
  const gateway = await GatewayStandIn.start()
  const comfyui = await startSimulator({ port: 0, version: '0.3.64' })
  const log: string[] = []
  const options = { gatewayUrl: gateway.url, port: 0, comfyuiUrls: { a: comfyui.url } }
  const bridge = await startBridge({ ...options, onLog: (line) => void log.push(line) })
  const watch = () => listen(bridge.url, `${gateway.working().id}?previews=1`)
  const listeners = [watch(), watch()]
  await expect.poll(() => log.length, { timeout: 5000 }).toBe(1)
  expect(log[0]).toMatch(/^ComfyUI 0\.3\.64 sends no previews unless .*--preview-method auto/)
  for (const { socket } of listeners) socket.close()
  await Promise.all([bridge.close(), gateway.close(), comfyui.close()])
})

it('a job without a client id reports its steps', async () => {
  const listener = await render('', {})
  const counted = steps(listener).filter(({ total }) => total === STEPS)
  expect(counted.length).toBeGreaterThan(2)
  expect(new Set(counted.map(({ node }) => node))).toEqual(new Set(['1']))
})

it('a job with the client id of the bridge shows itself too', async () => {
  const extra_data = { preview_method: 'latent2rgb' }
  const listener = await render('one-gateway', { client_id: 'one-gateway', extra_data })
  expect(previews(listener).length).toBeGreaterThan(1)
  const jpeg = Buffer.from(previews(listener)[0]?.data ?? '', 'base64')
  expect(previews(listener)[0]?.mimeType).toBe('image/jpeg')
  expect(jpeg.subarray(0, 3).toString('hex')).toBe('ffd8ff')
})
