// Starting and ending a real workerd.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { descendants } from '../../test/support/processes.ts'
import { GatewayStandIn, listen } from './testing/gateway-stand-in.ts'
import { startBridge } from './local.ts'

const run = promisify(execFile)
let gateway: GatewayStandIn

beforeAll(async () => {
  gateway = await GatewayStandIn.start()
})
afterAll(() => gateway.close())
beforeEach(() => gateway.healthy())

describe('startBridge', () => {
  it('names a port that is taken', async () => {
    const { port } = gateway
    await expect(startBridge({ gatewayUrl: gateway.url, port })).rejects.toMatchObject({
      code: 'EADDRINUSE',
      message: expect.stringContaining(`127.0.0.1:${port}`) as string,
    })
  })

  it.each(['', 'localhost:3000', 'file:///etc/passwd'])(
    'refuses a gateway at "%s"',
    async (gatewayUrl) => {
      await expect(startBridge({ gatewayUrl, port: 0 })).rejects.toThrow(/gatewayUrl/)
    },
  )

  it('leaves no process behind and no stream lost when it is restarted', async () => {
    const job = gateway.working()
    const first = await startBridge({ gatewayUrl: gateway.url, port: 0 })
    expect(await children()).toBe(1)
    const cut = listen(first.url, job.id)
    await expect.poll(() => gateway.looks.length).toBeGreaterThan(0)
    await first.close()
    await cut.closed
    await expect.poll(children).toBe(0)
    gateway.complete(job)
    const second = await startBridge({ gatewayUrl: gateway.url, port: 0 })
    const again = listen(second.url, job.id)
    await again.ended
    expect(again.messages[0]?.params.result).toBeTruthy()
    await second.close()
  })

  it('writes nothing by itself and keeps no process alive once it is closed', async () => {
    const local = fileURLToPath(new URL('./local.ts', import.meta.url))
    // The gateway is not there, and the socket is cut: both make workerd complain.
    const script = `
      const { startBridge } = await import(${JSON.stringify(local)})
      const bridge = await startBridge({ gatewayUrl: 'http://127.0.0.1:9', port: 0 })
      const socket = new WebSocket(bridge.url.replace('http', 'ws') + '/ws/stream/${crypto.randomUUID()}')
      await new Promise((resolve) => (socket.onopen = resolve))
      await fetch(bridge.url + '/outputs/${crypto.randomUUID()}.png')
      await bridge.close()`
    const output = await run(process.execPath, ['--input-type=module', '-e', script])
    expect(output).toEqual({ stdout: '', stderr: '' })
  })
})

/** Processes of workerd that this one has started. */
async function children(): Promise<number> {
  return (await descendants(process.pid)).filter(({ name }) => name === 'workerd').length
}
