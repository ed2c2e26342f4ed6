// `npm start` when something is in its way, was killed, or is left out.
import { createServer } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { RunningCommand } from '../support/command.ts'
import { descendants } from '../support/processes.ts'
import { connects, useStart } from './start-command.ts'

/** Reloading takes seconds on a busy machine. */
const WAIT = { timeout: 20_000, interval: 100 }

const npm = useStart()

/** The result of a call that waited for its job. */
const PICTURE = {
  result: { content: [{ type: 'text' }, { type: 'resource_link' }] },
}

async function call(name: string, args: object): Promise<unknown> {
  const params = { name, arguments: args }
  const response = await fetch(`http://127.0.0.1:${npm.ports.gateway}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  })
  return response.json()
}

async function killBridge({ pid }: RunningCommand): Promise<void> {
  const bridge = (await descendants(pid)).find(({ name }) => name === 'workerd')
  if (!bridge) throw new Error('no bridge runs')
  process.kill(bridge.pid, 'SIGKILL')
}

describe('npm start', { timeout: 60_000 }, () => {
  it('starts the bridge again, and sends no client to it while its port is taken', async () => {
    const command = npm.start()
    await command.printed('Ctrl-C ends everything')
    const generate = () => call('generate_image', { prompt: 'a lighthouse' })
    expect(await generate()).toMatchObject({ method: 'stream/start' })

    const other = createServer()
    onTestFinished(() => void other.close())
    const take = () => other.listen(npm.ports.bridge, '127.0.0.1')
    // The port is free as soon as the bridge has ended.
    other.on('error', () => setTimeout(take, 1))
    await killBridge(command)
    take()
    await command.printed('The WebSocket bridge cannot be started')
    const health = async (): Promise<unknown> =>
      (await fetch(`http://127.0.0.1:${npm.ports.gateway}/health/components`)).json()
    await expect.poll(health, WAIT).toMatchObject({ status: 'degraded', bridge: 'down' })
    expect(await generate()).toMatchObject(PICTURE)

    await new Promise((resolve) => other.close(resolve))
    await command.printed('The WebSocket bridge is running again', 40_000)
    await expect.poll(health, WAIT).toMatchObject({ status: 'ok' })
    expect(await generate()).toMatchObject({ method: 'stream/start' })
  })

  it('starts after everything was killed, and ends the bridge that was left', async () => {
    const first = npm.start('--no-comfyui')
    await first.printed('Ctrl-C ends everything')
    first.signal('SIGKILL')
    await first.exited
    expect(await connects(npm.ports.bridge)).toBe(true)
    const second = npm.start('--no-comfyui')
    await second.printed('Ctrl-C ends everything')
    expect(second.output()).toContain('Ended the WebSocket bridge that an earlier run has left')
    expect(await connects(npm.ports.bridge)).toBe(true)
  })

  it('sends no client to a bridge that was left out', async () => {
    const command = npm.start('--no-bridge')
    await command.printed('Ctrl-C ends everything')
    const answer = await call('generate_image', { prompt: 'a lighthouse' })
    expect(answer).toMatchObject(PICTURE)
  })

  it('keeps a job over a restart of everything', async () => {
    const first = npm.start()
    await first.printed('Ctrl-C ends everything')
    const { params } = (await call('generate_image', { prompt: 'a lighthouse' })) as {
      params: { stream_id: string }
    }
    first.signal('SIGTERM')
    await first.exited

    const second = npm.start()
    await second.printed('Ctrl-C ends everything')
    const address = `http://127.0.0.1:${npm.ports.gateway}/jobs/${params.stream_id}`
    await expect
      .poll(async () => ((await (await fetch(address)).json()) as { status: string }).status, {
        timeout: 15_000,
        interval: 300,
      })
      .toBe('completed')
    const image = await fetch(
      `http://127.0.0.1:${npm.ports.bridge}/outputs/${params.stream_id}.png`,
    )
    expect(image.headers.get('content-type')).toBe('image/png')
    second.signal('SIGINT')
    await second.exited
  })

  it.each([
    ['gateway', '--listen'],
    ['bridge', '--bridge-port'],
    ['comfyui', '--comfyui-port'],
  ] as const)('says that the port of the %s is taken and what to do', async (name, flag) => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(npm.ports[name], '127.0.0.1', resolve))
    try {
      const command = npm.start()
      expect(await command.exited).toBe(1)
      expect(command.output()).toContain(`127.0.0.1:${npm.ports[name]} is already in use`)
      expect(command.output()).toContain(flag)
      expect(command.output()).not.toMatch(/\n +at /)
    } finally {
      await new Promise((resolve) => other.close(resolve))
    }
    for (const port of Object.values(npm.ports)) expect(await connects(port)).toBe(false)
  })
})
