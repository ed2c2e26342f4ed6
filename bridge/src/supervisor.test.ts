// A real workerd that is killed, and one that is left behind by a process that was killed.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { descendants, processes } from '../../test/support/processes.ts'
import { GatewayStandIn, listen } from './testing/gateway-stand-in.ts'
import { type Bridge, startBridge } from './local.ts'

const SLOW = { timeout: 20_000, interval: 50 }
let gateway: GatewayStandIn
let folder: string
let bridge: Bridge | undefined
const children: ChildProcess[] = []

beforeAll(async () => {
  gateway = await GatewayStandIn.start()
  folder = await mkdtemp(join(tmpdir(), 'ftl-bridge-'))
})
afterEach(async () => {
  await bridge?.close()
  bridge = undefined
  // SIGTERM, so that they end their workerd.
  for (const child of children.splice(0)) child.kill('SIGTERM')
})
afterAll(async () => {
  await gateway.close()
  await rm(folder, { recursive: true, force: true })
})

async function workerd(parent = process.pid): Promise<number> {
  const found = (await descendants(parent)).filter(({ name }) => name === 'workerd')
  expect(found).toHaveLength(1)
  return found[0]?.pid ?? 0
}

it('a bridge that is killed runs again on its port, and its streams continue', async () => {
  const statuses: string[] = []
  bridge = await startBridge({
    gatewayUrl: gateway.url,
    port: 0,
    onStatus: (status) => statuses.push(status),
  })
  const job = gateway.working()
  const cut = listen(bridge.url, job.id)
  await expect.poll(() => gateway.looks.length).toBeGreaterThan(0)
  process.kill(await workerd(), 'SIGKILL')
  await cut.closed
  await expect.poll(() => statuses, SLOW).toEqual(['ended', 'running'])
  gateway.complete(job)
  const again = listen(bridge.url, job.id)
  await again.ended
  expect(again.messages[0]?.params.result).toBeTruthy()
})

it('a bridge whose port is taken meanwhile is reported once, and runs when the port is free', async () => {
  const statuses: string[] = []
  bridge = await startBridge({
    gatewayUrl: gateway.url,
    port: 0,
    onStatus: (status, reason = '') => statuses.push(`${status} ${reason}`),
  })
  const port = Number(new URL(bridge.url).port)
  const other = createServer()
  process.kill(await workerd(), 'SIGKILL')
  // Takes the port before the bridge can.
  const take = () => other.listen(port, '127.0.0.1')
  other.on('error', () => setTimeout(take, 1))
  take()
  await expect.poll(() => statuses.at(-1), SLOW).toMatch(/^down .*EADDRINUSE/)
  await new Promise((resolve) => setTimeout(resolve, 1000))
  expect(statuses.filter((status) => status.startsWith('down'))).toHaveLength(1)
  await new Promise((resolve) => other.close(resolve))
  await expect.poll(() => statuses.at(-1), SLOW).toBe('running ')
})

it('a workerd that a killed process has left behind is ended by the next start', async () => {
  const processFile = join(folder, 'left.json')
  const { child, url } = await startElsewhere(processFile)
  const left = await workerd(child.pid)
  child.kill('SIGKILL')
  await once(child, 'exit')
  const orphans: number[] = []
  const port = Number(new URL(url).port)
  const options = { gatewayUrl: gateway.url, port, processFile }
  bridge = await startBridge({ ...options, onOrphan: (pid) => orphans.push(pid) })
  expect(orphans).toEqual([left])
  expect((await processes()).map(({ pid }) => pid)).not.toContain(left)
  expect((await fetch(`${bridge.url}/outputs/none`)).status).toBeGreaterThanOrEqual(400)
})

it('a bridge whose process still runs is not ended', async () => {
  const processFile = join(folder, 'running.json')
  const { child, url } = await startElsewhere(processFile)
  const port = Number(new URL(url).port)
  const second = startBridge({ gatewayUrl: gateway.url, port, processFile })
  await expect(second).rejects.toMatchObject({ code: 'EADDRINUSE' })
  expect(await workerd(child.pid)).toBeGreaterThan(0)
})

it('a recorded id that another process has now is left alone', async () => {
  const processFile = join(folder, 'reused.json')
  const { child } = await startElsewhere(processFile)
  child.kill('SIGKILL')
  await once(child, 'exit')
  const record = JSON.parse(await readFile(processFile, 'utf8')) as { workerd: { pid: number } }
  process.kill(record.workerd.pid, 'SIGKILL')
  const script = `require('net').createServer().listen(0, '127.0.0.1', function () { console.log(this.address().port) })`
  const foreign = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(foreign)
  const [text] = (await once(foreign.stdout, 'data')) as [Buffer]
  record.workerd.pid = foreign.pid ?? 0
  await writeFile(processFile, JSON.stringify(record))
  const options = { gatewayUrl: gateway.url, port: Number(text), processFile }
  await expect(startBridge(options)).rejects.toMatchObject({ code: 'EADDRINUSE' })
  expect(foreign.exitCode).toBeNull()
  expect((await processes()).map(({ pid }) => pid)).toContain(foreign.pid)
})

it.each(['', 'null', '{}', '{"workerd":{"pid":1,"identity":"workerd 1"},"startedBy":{}}'])(
  'a damaged record %j ends nothing',
  async (text) => {
    const processFile = join(folder, 'damaged.json')
    await writeFile(processFile, text)
    const { port } = gateway
    const start = startBridge({ gatewayUrl: gateway.url, port, processFile })
    await expect(start).rejects.toMatchObject({ code: 'EADDRINUSE' })
  },
)

/** Starts a bridge in a process of its own. */
async function startElsewhere(processFile: string): Promise<{ child: ChildProcess; url: string }> {
  const local = fileURLToPath(new URL('./local.ts', import.meta.url))
  const options = JSON.stringify({ gatewayUrl: gateway.url, port: 0, processFile })
  const script = `const { startBridge } = await import(${JSON.stringify(local)})
    console.log((await startBridge(${options})).url)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  const [text] = (await once(child.stdout, 'data')) as [Buffer]
  return { child, url: text.toString().trim() }
}
