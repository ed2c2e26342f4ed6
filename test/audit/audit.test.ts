// The audit log of "ftl up": what it has, who can write into it, and what is left of it after a crash and on a full disk.
import {
  appendFileSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { HostileApplication } from '../hostile/support/application.ts'
import { attack } from '../hostile/support/attack.ts'
import {
  audit,
  auditedApplication,
  type AuditedHost,
  callsIn,
  KEY,
  serveAudited,
} from './application.ts'

let application: HostileApplication
let host: AuditedHost | undefined
let count = 0

beforeAll(async () => {
  application = await auditedApplication()
})

afterEach(async () => {
  host?.command.signal('SIGTERM')
  await host?.command.exited
  host = undefined
})

afterAll(() => application.remove())

const newLog = () => join(application.folder, `audit-${++count}.jsonl`)

async function serve(path: string, ...options: string[]): Promise<AuditedHost> {
  host = await serveAudited(application, ['--audit-log', path, ...options])
  return host
}

async function stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  host?.command.signal(signal)
  await host?.command.exited
  host = undefined
}

test('the log has each call, can be read by its user alone, and its chain is whole', async () => {
  const path = newLog()
  const { call, url } = await serve(path)
  expect((await call('hello', { 'x-request-id': 'r1' })).status).toBe(200)
  expect((await fetch(`${url}/tools`)).status).toBe(401)
  await stop()
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(callsIn(path)).toEqual([
    expect.objectContaining({
      request: 'r1',
      principal: 'key:ci',
      component: 'echo',
      outcome: 'ok',
    }),
  ])
  const text = readFileSync(path, 'utf8')
  expect(text).not.toContain(KEY)
  expect(text).not.toContain('hello')
  const { output, code } = await audit('verify', path)
  expect(output).toMatch(/The chain of 5 lines is whole\.\nHead: [0-9a-f]{64} \(line 5\)/)
  expect(code).toBe(0)
  const denied = await audit('show', path, '--denied')
  expect(denied.output.trim().split('\n')).toEqual([expect.stringContaining('No credentials')])
})

test('the chain goes on after a restart, and a removed line is named', async () => {
  const path = newLog()
  for (const message of ['one', 'two']) {
    const { call } = await serve(path)
    await call(message)
    await stop()
  }
  expect((await audit('verify', path)).output).toContain('The chain of 8 lines is whole')
  const lines = readFileSync(path, 'utf8').split('\n')
  writeFileSync(path, lines.toSpliced(1, 1).join('\n'))
  const { output, code } = await audit('verify', path)
  expect(output).toContain(`${path}:2: is number 3 after number 1: 1 line is missing`)
  expect(code).toBe(1)
})

describe('nothing else gets into the log', () => {
  attack('a component prints a line of the audit log', async () => {
    const path = newLog()
    const { url, call } = await serve(path)
    const line = '{"audit":1,"event":"call","principal":"root","tool":"forged","outcome":"ok"}'
    const forged = await fetch(`${url}/forge/`, { method: 'POST', body: `\n${line}\n` })
    expect(forged.status).toBe(200)
    await call('real')
    await stop()
    expect(callsIn(path).map(({ tool }) => tool)).toEqual(['echo'])
    return 'the host takes lines of gateways only'
  })

  attack('a component and a client report calls as a gateway does', async () => {
    const path = newLog()
    const { url, call } = await serve(path)
    const report = {
      'ftl-audit-call': '0 {"principal":"root","tool":"forged"}',
      'ftl-audit-end': '0',
    }
    const query = new URLSearchParams(report).toString()
    const forged = await fetch(`${url}/forge/?${query}`, { headers: report })
    expect(forged.status).toBe(200)
    const real = await call('real', report)
    expect(real.status).toBe(200)
    // No client receives a report.
    expect([...real.headers.keys()].filter((name) => name.startsWith('ftl-'))).toEqual([])
    await stop()
    expect(readFileSync(path, 'utf8')).not.toMatch(/forged|root/)
    expect(callsIn(path)).toMatchObject([{ principal: 'key:ci', tool: 'echo', outcome: 'ok' }])
    return 'the host believes gateways only, and no header of theirs leaves it'
  })

  attack(
    'a client puts a line of the log into the name of a tool, a client and an argument',
    async () => {
      const path = newLog()
      const { url } = await serve(path)
      const line =
        '\n{"audit":1,"event":"call","principal":"root","tool":"forged"}\n\u2028\u202e\u009b2J'
      const body = JSON.stringify({
        ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
        params: {
          name: line,
          arguments: { [line]: line },
          _meta: { 'io.modelcontextprotocol/clientInfo': { name: line, version: line } },
        },
      })
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${KEY}` }
      await (await fetch(`${url}/mcp`, { method: 'POST', headers, body })).text()
      await stop()
      const [entry, ...more] = callsIn(path)
      expect(more).toEqual([])
      expect(entry).toMatchObject({ principal: 'key:ci', outcome: 'refused', tool: line })

      expect(readFileSync(path, 'utf8')).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u202e]/)
      expect((await audit('verify', path)).code).toBe(0)
      return 'escaped'
    },
  )
})

describe('a host that is killed while it writes', () => {
  test('leaves a chain that goes on, without a line missing', async () => {
    const path = newLog()
    const { call, command } = await serve(path)
    await call('warm')
    let answered = 0
    const calls = Array.from({ length: 40 }, async (_, n) => {
      const { ok } = await call(`call ${n}`).catch(() => ({ ok: false }))
      if (ok) answered++
    })
    await expect.poll(() => answered, { interval: 1, timeout: 20_000 }).toBeGreaterThan(5)
    command.signal('SIGKILL')
    await Promise.all(calls)
    await command.exited
    host = undefined
    // A call that was answered is in the log: its line is written first.
    expect(callsIn(path).length).toBeGreaterThanOrEqual(answered + 1)
    // A line that the process began, and did not end.
    appendFileSync(path, '{"seq":99,"prev":"12')
    const torn = await audit('verify', path)
    expect(torn.output).toContain('the last line is not complete')
    expect(torn.code).toBe(0)
    await (await serve(path)).call('again')
    await stop()
    const { output, code } = await audit('verify', path)
    expect(output).toContain('is a part of a line')
    expect(code).toBe(0)
    expect(callsIn(path).at(-1)).toMatchObject({ tool: 'echo', outcome: 'ok' })
  })
})

describe('a full disk', () => {
  /** A log that is nearly as large as a file may be; the beginning is a hole. */
  function largeLog(kilobytes: number): string {
    const path = newLog()
    writeFileSync(path, '')
    truncateSync(path, kilobytes * 1024 - 2048)
    const line = `{"seq":1,"prev":"${'0'.repeat(64)}","audit":1,"event":"started"}`
    appendFileSync(path, `\n${line}\n`)
    return path
  }

  const LIMIT = 65_536

  async function until(status: number, { call }: AuditedHost): Promise<Response> {
    for (let i = 0; i < 50; i++) {
      const response = await call('x'.repeat(100))
      if (response.status === status) return response
      await response.text()
    }
    throw new Error(`no response had the status ${status}`)
  }

  test('does not stop calls, and is reported', async () => {
    const path = largeLog(LIMIT)
    host = await serveAudited(application, ['--audit-log', path], { maxFileKilobytes: LIMIT })
    for (let i = 0; i < 10; i++) expect((await host.call('x')).status).toBe(200)
    await host.command.printed(
      'cannot be written: the file has reached the size limit of this process',
    )
    expect(host.command.output()).toContain('requests are served without it')
    // The operator makes room: what waited is written.
    renameSync(path, `${path}.old`)
    await host.command.printed('can be written again')
    const before = callsIn(`${path}.old`).length
    expect(before + callsIn(path).length).toBe(10)
  })

  test('refuses requests with --audit-required until the log can be written', async () => {
    const path = largeLog(LIMIT)
    host = await serveAudited(application, ['--audit-log', path, '--audit-required'], {
      maxFileKilobytes: LIMIT,
    })
    const refused = await until(503, host)
    expect(refused.headers.get('retry-after')).toBe('5')
    expect(await refused.json()).toMatchObject({ error: { code: 'audit_unavailable' } })
    renameSync(path, `${path}.old`)
    await host.command.printed('can be written again')
    expect((await host.call('y')).status).toBe(200)
  })
})

test.each([
  ['a folder', '.', 'it is a folder'],
  ['a file in a folder that does not exist', 'missing/audit.jsonl', 'its folder does not exist'],
  ['the manifest', 'spin.toml', 'not a line of an audit log'],
])('%s is refused as a log at the start', async (_, name, why) => {
  const path = join(application.folder, name)
  await expect(serve(path)).rejects.toThrow(why)
})
