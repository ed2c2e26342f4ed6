// deploy/nginx in front of a real host: TLS, who the client is, and streams that are not held back.
import { execFileSync, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Fixture, startFixture } from '../host/fixture.ts'
import { freePort } from '../support/command.ts'
import { findProgram } from './programs.ts'

const CONF = readFileSync(
  fileURLToPath(new URL('../../deploy/nginx/gateway.conf', import.meta.url)),
  'utf8',
)
const nginx = findProgram(['nginx'], ['nginx-light'])
const openssl = findProgram(['openssl'], ['openssl'])

describe.skipIf(nginx === undefined || openssl === undefined)(
  'nginx, which is not installed everywhere,',
  () => {
    let folder: string
    let host: Fixture
    let port: number
    let agent: Agent
    let stop = async () => {}

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'ftl-nginx-'))
      host = await startFixture({ workers: 1 })
      port = await freePort()
      const pem = join(folder, 'gateway.pem')
      const key = join(folder, 'gateway.key')
      execFileSync(
        openssl ?? '',
        [
          ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1'],
          ...['-subj', '/CN=gateway.example', '-addext', 'subjectAltName=DNS:gateway.example'],
          ...['-out', pem, '-keyout', key],
        ],
        { stdio: 'pipe' },
      )
      const server = CONF.replace('listen 443', `listen 127.0.0.1:${port}`)
        .replace(/^ *listen \[::\].*$/m, '')
        .replace('/etc/ssl/gateway.example.pem', pem)
        .replace('/etc/ssl/gateway.example.key', key)
        .replace('http://127.0.0.1:8080', host.url)
      const file = join(folder, 'nginx.conf')
      await writeFile(
        file,
        `pid ${folder}/pid; error_log stderr; events {} http { access_log off; ${server} }`,
      )
      const process = spawn(nginx ?? '', ['-p', folder, '-c', file, '-g', 'daemon off;'], {
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      let said = ''
      process.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
      const ended = new Promise((resolve) => process.once('close', resolve))
      stop = async () => {
        process.kill('SIGTERM')
        await ended
      }
      agent = new Agent({ ca: await readFile(pem) })
      const isUp = async () => (await get('/static').catch(() => undefined)) !== undefined
      while (!(await isUp())) {
        if (process.exitCode !== null) throw new Error(`nginx ended: ${said}`)
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    })
    afterAll(async () => {
      await stop()
      agent.destroy()
      await host.close()
      await rm(folder, { recursive: true, force: true })
    })

    function get(path: string, headers: Record<string, string> = {}) {
      return new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
        const host = 'gateway.example'
        const at = { host: '127.0.0.1', port, servername: host, path, agent }
        request({ ...at, headers: { host, ...headers } })
          .once('response', resolve)
          .once('error', reject)
          .end()
      })
    }

    it('passes the name of the gateway, and who the client is, whatever the client writes', async () => {
      const response = await get('/request', {
        'x-forwarded-for': '203.0.113.1',
        'x-forwarded-proto': 'http',
        'x-forwarded-user': 'mallory',
        'x-forwarded-user-secret': 'guess',
      })
      const seen = await text(response)
      expect(seen).toContain('gateway.example')
      expect(seen).not.toMatch(/203\.0\.113\.1|mallory|guess/)
      expect(seen).toMatch(/"x-forwarded-for"[^\]]*"127\.0\.0\.1"/)
      expect(seen).toMatch(/"x-forwarded-proto"[^\]]*"https"/)
    })

    it('sends the first event of a stream before the stream ends', async () => {
      const response = await get('/events')
      const first = await new Promise<string>((resolve) =>
        response.once('data', (chunk: Buffer) => resolve(chunk.toString())),
      )
      expect(first).toMatch(/^(data|event|id):/)
      expect(response.complete).toBe(false)
      response.destroy()
    })
  },
)
