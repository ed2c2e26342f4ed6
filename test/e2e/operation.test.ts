// What `ftl up` tells while it serves: lines for people, lines for programs, and nothing where that was asked for.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ftl, type RunningCommand } from '../support/command.ts'
import { MANIFESTS } from '../support/manifests.ts'
import { startOtlpReceiver } from '../support/otlp-receiver.ts'

let folder: string
const running: RunningCommand[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ftl-operation-'))
})
afterEach(async () => {
  for (const command of running.splice(0)) await end(command)
  await rm(folder, { recursive: true, force: true })
})

async function end(command: RunningCommand): Promise<number | null> {
  command.signal('SIGTERM')
  return command.exited
}

interface Up {
  command: RunningCommand
  url: string
  get: (path: string, headers?: Record<string, string>) => Promise<Response>
}

async function up(args: string[], env: Record<string, string> = {}): Promise<Up> {
  const command = ftl(
    [
      ...['up', '--from', MANIFESTS.host, '--listen', '127.0.0.1:0', '--state-dir', ''],
      ...['--variable', 'token=secret', '--workers', '1', ...args],
    ],
    { cwd: folder, env },
  )
  running.push(command)
  const table = /(?:Serving |"base_url":")(http:\/\/127\.0\.0\.1:\d+)[^]*\/static/
  await command.printed(table)
  const [, url = ''] = table.exec(command.output()) ?? []
  return { command, url, get: async (path, headers = {}) => fetch(url + path, { headers }) }
}

const CLOCK = String.raw`^\d\d:\d\d:\d\d\.\d{3}`

test('one line a request: what was asked, what became of it, who worked for it', async () => {
  const { command, get } = await up([])
  await get('/call?to=http%3A%2F%2Fback.spin.internal%2Fecho&secret=1', { 'x-request-id': 'r-7' })
  await get('/static')
  await command.printed(
    new RegExp(String.raw`${CLOCK} GET /call 200 [\d.]+ ms 0 B probe → back id=r-7$`, 'm'),
  )
  await command.printed(new RegExp(String.raw`${CLOCK} GET /static 418 [\d.]+ ms 12 B$`, 'm'))
  expect(command.output()).not.toContain('secret=1')
  expect(command.output()).not.toContain('\x1b[')
})

test('as JSON every line is an object: where it serves, requests, output, problems', async () => {
  const { command, get } = await up(['--log-format', 'json', '--request-timeout-ms', '500'])
  await get('/log', { 'x-request-id': 'r-8' })
  await get('/hang')
  await command.printed(/"status":504/)
  const lines = command
    .output()
    .trim()
    .split('\n')
    .map((text) => JSON.parse(text) as Record<string, unknown>)
  expect(lines[0]).toMatchObject({ type: 'serving', base_url: expect.any(String) as string })
  expect(lines).toContainEqual(
    expect.objectContaining({
      type: 'output',
      component: 'probe',
      stream: 'stdout',
      line: 'one line',
    }),
  )
  expect(lines).toContainEqual(
    expect.objectContaining({
      type: 'request',
      method: 'GET',
      path: '/log',
      route: '/...',
      status: 200,
      components: ['probe'],
      bytes: 6,
      outcome: 'answered',
      requestId: 'r-8',
    }),
  )
  expect(lines).toContainEqual(
    expect.objectContaining({
      type: 'problem',
      component: 'probe',
      message: 'took longer than 0.5 s',
    }),
  )
  for (const { time } of lines) expect(Date.parse(String(time))).toBeGreaterThan(0)
})

describe('less is shown', () => {
  test.each([
    [['--quiet'], false, false],
    [['--requests', 'none'], true, false],
    [['--requests', 'problems'], true, false],
    [['--requests', 'calls'], true, false],
    [['--follow', 'back'], false, false],
    [['--follow', 'probe'], true, true],
  ])('with %j: output %s, requests %s', async (args, output, requests) => {
    const { command, get } = await up([...args, '--request-timeout-ms', '500'])
    await get('/log')
    await get('/static')
    // Its line comes after those of the others.
    await get('/hang').catch(() => undefined)
    await command.printed(/took longer/)
    expect(command.output().includes('one line')).toBe(output)
    expect(command.output().includes('GET /log')).toBe(requests)
  })
})

test('limits are flags', async () => {
  const { get, url } = await up(['--max-body-bytes', '10', '--max-header-bytes', '2000'])
  expect((await fetch(`${url}/echo`, { method: 'POST', body: 'x'.repeat(11) })).status).toBe(413)
  expect((await get('/state', { 'x-long': 'x'.repeat(3000) })).status).toBe(431)
})

describe('telemetry', () => {
  test('is sent where the environment says, under the name it says, with what is left at the end', async () => {
    const collector = await startOtlpReceiver()
    const { command, get } = await up([], {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_SERVICE_NAME: 'my-gateway',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20x',
    })
    await get('/state')
    expect(await end(command)).toBe(0)
    const spans = collector.spans()
    expect(spans.map(({ name }) => name)).toContain('execute_wasm_component probe')
    expect(spans[0]?.service).toBe('my-gateway')
    expect(collector.posts[0]?.headers['authorization']).toBe('Bearer x')
    await collector.close()
  })

  test('a collector that is down is reported once and delays nothing, not even the end', async () => {
    const collector = await startOtlpReceiver()
    await collector.close()
    const { command, get } = await up([], {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_TIMEOUT: '200',
      OTEL_BSP_SCHEDULE_DELAY: '50',
      OTEL_METRIC_EXPORT_INTERVAL: '300',
    })
    for (let i = 0; i < 3; i++) {
      expect((await get('/state')).status).toBe(200)
      await new Promise((resolve) => setTimeout(resolve, 400))
    }
    await command.printed('telemetry does not arrive')
    const asked = performance.now()
    expect(await end(command)).toBe(0)
    expect(performance.now() - asked).toBeLessThan(5000)
    expect(command.output().match(/telemetry does not arrive/g)).toHaveLength(1)
  })

  test('gRPC is refused in words', async () => {
    const command = ftl(['up', '--from', MANIFESTS.host, '--variable', 'token=x'], {
      cwd: folder,
      env: {
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4317',
        OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
      },
    })
    expect(await command.exited).toBe(1)
    expect(command.output()).toMatch(/^ftl: OTEL_EXPORTER_OTLP_PROTOCOL is grpc, .*4318$/m)
  })
})
