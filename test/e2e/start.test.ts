// `npm start` as a user meets it: one command, everything up, one Ctrl-C, everything gone.
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { freePort, ftl, type RunningCommand } from '../support/command.ts'
import { descendants, processes } from '../support/processes.ts'

const run = promisify(execFile)
/** Reloading takes seconds on a busy machine. */
const WAIT = { timeout: 20_000, interval: 100 }

let stateDir: string
let ports: { gateway: number; bridge: number; comfyui: number }
const running: RunningCommand[] = []

beforeAll(async () => {
  stateDir = await mkdtemp(join(tmpdir(), 'ftl-start-'))
  ports = { gateway: await freePort(), bridge: await freePort(), comfyui: await freePort() }
})
// A test that fails must not leave the ports to the next one.
afterEach(async () => {
  for (const command of running.splice(0)) {
    command.signal('SIGINT')
    const late = setTimeout(() => command.signal('SIGKILL'), 5000)
    await command.exited
    clearTimeout(late)
  }
})
afterAll(async () => {
  await rm(stateDir, { recursive: true, force: true })
})

function start(...args: string[]): RunningCommand {
  const command = ftl([
    'start',
    ...['--listen', `127.0.0.1:${ports.gateway}`, '--state-dir', stateDir],
    ...['--bridge-port', String(ports.bridge), '--comfyui-port', String(ports.comfyui)],
    ...['--render-seconds', '1', ...args],
  ])
  running.push(command)
  return command
}

/** Does what the printed line does when it is pasted; by curl itself wherever there is one. */
async function paste(line: string): Promise<unknown> {
  try {
    const { stdout } = await run('sh', ['-c', line])
    return JSON.parse(stdout)
  } catch (error) {
    if (!/not found/.test(String((error as { stderr?: unknown }).stderr))) throw error
    const [, url = '', name = '', value = '', body = ''] =
      /^curl -s (\S+) -H '([^:]+): ([^']+)' -d '([^']+)'$/.exec(line) ?? []
    const response = await fetch(url, { method: 'POST', headers: { [name]: value }, body })
    return response.json()
  }
}

/** The result of a call that waited for its job. */
const PICTURE = {
  result: { content: [{ type: 'resource_link' }, { type: 'text' }] },
}

async function call(name: string, args: object): Promise<unknown> {
  const params = { name, arguments: args }
  const response = await fetch(`http://127.0.0.1:${ports.gateway}/mcp`, {
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

async function connects(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/`).then(
    () => true,
    () => false,
  )
}

describe('npm start', () => {
  it('is ready in 10 s when everything is built, says where it is, and ends with Ctrl-C', async () => {
    const began = performance.now()
    const command = start()
    await command.printed('Ctrl-C ends everything')
    // 4 s on an idle machine; others may be at work on this one.
    expect(performance.now() - began).toBeLessThan(10_000)

    const printed = command.output()
    expect(printed).toContain(`http://127.0.0.1:${ports.gateway}/mcp`)
    expect(printed).toContain(`ws://127.0.0.1:${ports.bridge}/ws/stream/{id}`)
    expect(printed).toContain('(simulator)')
    for (const tool of ['echo', 'calculator', 'generate_image']) expect(printed).toContain(tool)

    const [, curl = ''] = /^ +(curl .*)$/m.exec(printed) ?? []
    expect(await paste(curl)).toMatchObject({
      result: { content: [{ type: 'text', text: 'Hello' }] },
    })

    const children = await descendants(command.pid)
    expect(children.map(({ name }) => name)).toContain('workerd')
    const started = [command.pid, ...children.map(({ pid }) => pid)]
    const left = async () => (await processes()).filter(({ pid }) => started.includes(pid))
    command.signal('SIGINT')
    expect(await command.exited).toBe(0)
    await expect.poll(left, { timeout: 2000 }).toEqual([])
    for (const port of Object.values(ports)) expect(await connects(port)).toBe(false)
  })

  it('starts the bridge again, and sends no client to it while its port is taken', async () => {
    const command = start()
    await command.printed('Ctrl-C ends everything')
    const generate = () => call('generate_image', { prompt: 'a lighthouse' })
    expect(await generate()).toMatchObject({ method: 'stream/start' })

    const other = createServer()
    onTestFinished(() => void other.close())
    const take = () => other.listen(ports.bridge, '127.0.0.1')
    // The port is free as soon as the bridge has ended.
    other.on('error', () => setTimeout(take, 1))
    await killBridge(command)
    take()
    await command.printed('The WebSocket bridge cannot be started')
    const health = async (): Promise<unknown> =>
      (await fetch(`http://127.0.0.1:${ports.gateway}/health/components`)).json()
    await expect.poll(health, WAIT).toMatchObject({ status: 'degraded', bridge: 'down' })
    expect(await generate()).toMatchObject(PICTURE)

    await new Promise((resolve) => other.close(resolve))
    await command.printed('The WebSocket bridge is running again', 40_000)
    await expect.poll(health, WAIT).toMatchObject({ status: 'ok' })
    expect(await generate()).toMatchObject({ method: 'stream/start' })
  })

  it('starts after everything was killed, and ends the bridge that was left', async () => {
    const first = start('--no-comfyui')
    await first.printed('Ctrl-C ends everything')
    first.signal('SIGKILL')
    await first.exited
    expect(await connects(ports.bridge)).toBe(true)
    const second = start('--no-comfyui')
    await second.printed('Ctrl-C ends everything')
    expect(second.output()).toContain('Ended the WebSocket bridge that an earlier run has left')
    expect(await connects(ports.bridge)).toBe(true)
  })

  it('sends no client to a bridge that was left out', async () => {
    const command = start('--no-bridge')
    await command.printed('Ctrl-C ends everything')
    const answer = await call('generate_image', { prompt: 'a lighthouse' })
    expect(answer).toMatchObject(PICTURE)
  })

  it('keeps a job over a restart of everything', async () => {
    const first = start()
    await first.printed('Ctrl-C ends everything')
    const { params } = (await call('generate_image', { prompt: 'a lighthouse' })) as {
      params: { stream_id: string }
    }
    first.signal('SIGTERM')
    await first.exited

    const second = start()
    await second.printed('Ctrl-C ends everything')
    const address = `http://127.0.0.1:${ports.gateway}/jobs/${params.stream_id}`
    await expect
      .poll(async () => ((await (await fetch(address)).json()) as { status: string }).status, {
        timeout: 15_000,
        interval: 300,
      })
      .toBe('completed')
    const image = await fetch(`http://127.0.0.1:${ports.bridge}/outputs/${params.stream_id}.png`)
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
    await new Promise<void>((resolve) => other.listen(ports[name], '127.0.0.1', resolve))
    try {
      const command = start()
      expect(await command.exited).toBe(1)
      expect(command.output()).toContain(`127.0.0.1:${ports[name]} is already in use`)
      expect(command.output()).toContain(flag)
      expect(command.output()).not.toMatch(/\n +at /)
    } finally {
      await new Promise((resolve) => other.close(resolve))
    }
    for (const port of Object.values(ports)) expect(await connects(port)).toBe(false)
  })
})
