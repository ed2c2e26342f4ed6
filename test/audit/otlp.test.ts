// The audit log as OTLP logs: what a collector gets, and what is left when it is down, slow or refuses.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { hashOf, linkOf, START } from 'ftl-host'
import { LogExport } from '../../host/src/audit/log-export.ts'
import { MemoryChain } from '../../host/src/audit/memory-chain.ts'
import type { HostileApplication } from '../hostile/support/application.ts'
import { fieldsAt } from '../support/protobuf.ts'
import { type OtlpReceiver, startOtlpReceiver } from '../support/otlp-receiver.ts'
import { audit, auditedApplication, type AuditedHost, KEY, serveAudited } from './application.ts'

let application: HostileApplication
let collector: OtlpReceiver
let host: AuditedHost | undefined

beforeAll(async () => {
  application = await auditedApplication()
})
beforeEach(async () => {
  collector = await startOtlpReceiver()
})
afterEach(async () => {
  await stop()
  await collector.close()
})
afterAll(() => application.remove())

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736'
const traceparent = `00-${TRACE_ID}-00f067aa0ba902b7-01`

async function stop(): Promise<void> {
  host?.command.signal('SIGTERM')
  await host?.command.exited
  host = undefined
}

async function serve(options: string[], env: Record<string, string> = {}): Promise<AuditedHost> {
  host = await serveAudited(application, ['--audit-otlp', ...options], {
    env: {
      OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: `${collector.url}/v1/logs`,
      OTEL_EXPORTER_OTLP_LOGS_PROTOCOL: 'http/json',
      OTEL_EXPORTER_OTLP_LOGS_HEADERS: 'x-tenant=blue',
      OTEL_BLRP_SCHEDULE_DELAY: '20',
      ...env,
    },
  })
  return host
}

/** Checks that each line has the hash of the one before. */
function expectChain(lines: readonly string[], head = START): void {
  for (const line of lines) {
    expect(linkOf(line)).toEqual({ seq: head.seq + 1, hash: head.hash })
    head = { seq: head.seq + 1, hash: hashOf(line) }
  }
}

describe('the lines of ftl up', () => {
  test('are log records with time, severity, trace and attributes, and their bodies are the file', async () => {
    const path = join(application.folder, 'both.jsonl')
    const before = BigInt(Date.now() - 1000) * 1_000_000n
    const { call, url } = await serve(['--audit-log', path])
    await call('a secret message', { 'x-request-id': 'r1', traceparent })
    expect((await fetch(`${url}/tools`)).status).toBe(401)
    await stop()
    const logs = collector.logs()
    expect(logs.map(({ body }) => body)).toEqual(readFileSync(path, 'utf8').trimEnd().split('\n'))
    expectChain(logs.map(({ body }) => body))
    const byEvent = (name: string) =>
      logs.find(({ eventName }) => eventName === `ftl.audit.${name}`)
    const ofCall = byEvent('call')
    expect(ofCall).toMatchObject({
      severityNumber: 9,
      severityText: 'INFO',
      traceId: TRACE_ID,
      service: 'hostile',
      attributes: {
        'ftl.audit.seq': 3,
        'ftl.audit.event': 'call',
        'ftl.audit.outcome': 'ok',
        'ftl.audit.request': 'r1',
        'ftl.audit.principal': 'key:ci',
        'ftl.audit.component': 'echo',
        'ftl.audit.tool': 'echo',
        'ftl.audit.client.agent': 'node',
        'ftl.audit.arguments.sha256': expect.stringMatching(/^[0-9a-f]{64}$/) as string,
        'ftl.audit.hash': hashOf(ofCall?.body ?? ''),
      },
    })
    const { time = 0n, observed = 0n, body = '' } = ofCall ?? {}
    expect(time).toBe(BigInt(Date.parse((JSON.parse(body) as { time: string }).time)) * 1_000_000n)
    expect(time).toBeGreaterThan(before)
    expect(observed).toBeGreaterThanOrEqual(time)
    expect(byEvent('authentication')).toMatchObject({ severityNumber: 13, severityText: 'WARN' })
    expect(byEvent('started')?.traceId).toBeUndefined()
    const [post] = collector.posts
    expect(post).toMatchObject({ path: '/v1/logs', headers: { 'x-tenant': 'blue' } })
    const everything = collector.posts.map(({ body }) => body.toString()).join()
    expect(everything).not.toMatch(/a secret message/)
    expect(everything).not.toContain(KEY)
  })

  test('have a chain of their own without a file, and what waits is sent at the end', async () => {
    const { call } = await serve([], { OTEL_BLRP_SCHEDULE_DELAY: '600000' })
    await call('x')
    expect(collector.posts).toEqual([])
    await stop()
    const bodies = collector.logs().map(({ body }) => body)
    expectChain(bodies)
    const copy = join(application.folder, 'copy.jsonl')
    writeFileSync(copy, `${bodies.join('\n')}\n`)
    const { output } = await audit('verify', copy)
    expect(output).toContain('The chain of 4 lines is whole')
    expect(bodies.map((body) => (JSON.parse(body) as { event: string }).event)).toEqual([
      'started',
      'begin',
      'call',
      'stopped',
    ])
  })

  test('are sent as protobuf by default, as traces are', async () => {
    const { call } = await serve([], { OTEL_EXPORTER_OTLP_LOGS_PROTOCOL: '' })
    await call('x')
    await stop()
    const [post] = collector.posts
    expect(post?.type).toBe('application/x-protobuf')
    // ExportLogsServiceRequest.resource_logs.scope_logs.log_records.body.string_value
    const bodies = collector.posts.flatMap(({ body }) =>
      fieldsAt(body, [1, 2, 2, 5, 1]).map((text) => Buffer.from(text).toString()),
    )
    expectChain(bodies)
    expect(bodies).toHaveLength(4)
  })

  test.each([
    ['without an address', { OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: '' }],
    ['if telemetry is disabled', { OTEL_SDK_DISABLED: 'true' }],
    ['if logs are disabled', { OTEL_LOGS_EXPORTER: 'none' }],
  ])('are not lost silently: the host does not start %s', async (_, env) => {
    await expect(serve([], env)).rejects.toThrow(/--audit-otlp needs OTEL_EXPORTER_OTLP_ENDPOINT/)
  })

  test('refuse requests with --audit-required once no further one may wait', async () => {
    collector.answer.status = 503
    const { call } = await serve(['--audit-required'], { OTEL_BLRP_MAX_QUEUE_SIZE: '5' })
    expect((await call('1')).status).toBe(200)
    expect((await call('2')).status).toBe(200)
    const refused = await call('3')
    expect(refused.status).toBe(503)
    expect(await refused.json()).toMatchObject({ error: { code: 'audit_unavailable' } })
  })
})

describe('a collector', () => {
  const problems: string[] = []
  let sender: LogExport
  let chain: MemoryChain
  let count = 0

  beforeEach(() => {
    problems.length = count = 0
  })

  async function begin(maxQueueSize = 100, url = collector.url): Promise<void> {
    sender = await LogExport.start({
      settings: {
        url: `${url}/v1/logs`,
        encoding: 'http/json',
        delayMs: 10,
        maxQueueSize,
        maxBatchSize: 4,
      },
      resource: resourceFromAttributes({ 'service.name': 'test' }),
      onProblem: (message) => problems.push(message),
    })
    chain = new MemoryChain((line) => sender.add(line))
  }

  const write = (lines: number) => {
    for (let i = 0; i < lines; i++) chain.append(`{"audit":1,"n":${++count}}`)
  }
  const numbers = () => collector.logs().map(({ body }) => (JSON.parse(body) as { n: number }).n)
  const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1)
  const reported = (text: string) => problems.filter((problem) => problem.includes(text))

  test('that fails with 500 gets the same batch again, and no line twice once it takes them', async () => {
    await begin()
    collector.answer.status = 500
    write(6)
    await collector.until(() => (collector.posts.length >= 2 ? collector.posts : []))
    collector.answer.status = 200
    await collector.until(() => numbers().filter((n) => n === 6))
    write(1)
    await sender.close()
    expect(numbers()).toEqual(upTo(7))
    expect(problems).toEqual([
      expect.stringContaining('audit lines do not arrive'),
      'audit lines arrive again',
    ])
  })

  test('that was restarted gets what waited', async () => {
    await begin()
    write(1)
    await collector.until(numbers)
    const port = Number(new URL(collector.url).port)
    await collector.close()
    write(5)
    await new Promise((wake) => setTimeout(wake, 100))
    collector = await startOtlpReceiver({ port })
    await collector.until(() => numbers().filter((n) => n === 6))
    expect(numbers()).toEqual([2, 3, 4, 5, 6])
    await sender.close()
  })

  test('that is slow holds nothing back but its own queue, whose losses are counted', async () => {
    await begin(8)
    collector.answer.delayMs = 300
    const started = performance.now()
    write(20)
    // Twenty answers would take six seconds.
    expect(performance.now() - started).toBeLessThan(2_000)
    expect(sender.isFull).toBe(true)
    expect(reported('8 are waiting already')).toHaveLength(1)
    await collector.until(() => numbers().filter((n) => n === 8))
    await sender.close()
    expect(numbers()).toEqual(upTo(8))
    expect(reported('12 audit lines were not sent')).toHaveLength(1)
  })

  test('that refuses lines for good loses them, and the next ones arrive', async () => {
    await begin()
    collector.answer.status = 400
    write(2)
    await collector.until(() => collector.posts)
    collector.answer.status = 200
    write(1)
    await collector.until(() => numbers().filter((n) => n === 3))
    await sender.close()
    expect(numbers()).toEqual([3])
    expect(reported('2 audit lines were not sent')).toHaveLength(1)
  })

  test('that is down at the end costs two seconds, and the loss is reported', async () => {
    const nothing = await startOtlpReceiver()
    await nothing.close()
    await begin(100, nothing.url)
    write(3)
    const started = performance.now()
    await sender.close()
    expect(performance.now() - started).toBeLessThan(3000)
    expect(reported('3 audit lines were not sent')).toHaveLength(1)
  })
})
