import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { createConnection, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { KeyValueStores } from './key-value.ts'
import { openRedisStores } from './redis.ts'

// Real servers, where the machine has them (Debian's packages redis-server and valkey-server).
const SERVERS = ['redis-server', 'valkey-server']

function isMissing(program: string): boolean {
  try {
    execFileSync(program, ['--version'])
    return false
  } catch {
    return true
  }
}

let program = ''
let port = 0
let server: ChildProcess | undefined
let stores: KeyValueStores | undefined

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const address = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  return typeof address === 'object' && address ? address.port : 0
}

async function startServer(): Promise<ChildProcess> {
  const dir = mkdtempSync(join(tmpdir(), 'ftl-redis-'))
  const args = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', dir, '--save', '']
  const child = spawn(program, args, { stdio: 'ignore' })
  for (;;) {
    const answers = await new Promise<boolean>((resolve) => {
      const socket = createConnection(port, '127.0.0.1')
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
      socket.once('close', () => {})
      socket.once('connect', () => socket.destroy())
    })
    if (answers) return child
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

async function stopServer(child: ChildProcess | undefined): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.on('close', resolve))
  child.kill('SIGKILL')
  await ended
}

const text = (value: unknown) => value && Buffer.from(value as Uint8Array).toString()
const bytes = (value: string) => new Uint8Array(Buffer.from(value))

describe.each(SERVERS.map((name) => ({ name, missing: isMissing(name) })))(
  '$name',
  ({ name, missing }) => {
    describe.skipIf(missing)(missing ? 'is not on this machine' : 'holds entries', () => {
      beforeAll(async () => {
        program = name
        port = await freePort()
        server = await startServer()
      })
      beforeEach(() => {
        stores?.close()
        stores = openRedisStores(`redis://127.0.0.1:${port}`)
      })
      afterAll(async () => {
        stores?.close()
        await stopServer(server)
      })
      const store = (name = '') => stores?.open(name) as ReturnType<KeyValueStores['open']>

      test('entries without a store of their own are bytes under bare keys', async () => {
        const value = Uint8Array.from({ length: 1_500_000 }, (_, index) => (index * 31) % 256)
        await store().set('käse', value)
        const found = (await store().get('käse')) as Uint8Array
        expect(Buffer.compare(found, value)).toBe(0)
        expect(
          execFileSync(name.replace('server', 'cli'), [
            '-p',
            `${port}`,
            'STRLEN',
            'käse',
          ]).toString(),
        ).toBe('1500000\n')
      })

      test("a component's own entries cannot be reached from another's store, nor by their full key", async () => {
        await store('a.default').set('k', bytes('of a'))
        expect(text(await store('a.default').get('k'))).toBe('of a')
        expect(await store('a.default').keys()).toEqual(['k'])
        expect(await store('b.default').get('k')).toBeUndefined()
        expect(await store('b.default').keys()).toEqual([])
        expect(await store().keys()).not.toContain('ftl:a.default:k')
        expect(() => store().get('ftl:a.default:k')).toThrow('reserved')
        expect(() => store().set('ftl:a.default:k', bytes('x'))).toThrow('reserved')
      })

      test('an entry is absent, empty, replaced and deleted', async () => {
        expect(await store().get('k')).toBeUndefined()
        expect(await store().exists('k')).toBe(false)
        await store().set('k', new Uint8Array())
        expect(await store().get('k')).toHaveLength(0)
        await store().set('k', bytes('b'))
        expect(text(await store().get('k'))).toBe('b')
        expect(await store().exists('k')).toBe(true)
        await store().delete('k')
        await store().delete('k')
        expect(await store().exists('k')).toBe(false)
      })

      test('the bytes are taken when set is called', async () => {
        const memory = bytes('before')
        const writing = store().set('m', memory)
        memory.fill(0)
        await writing
        expect(text(await store().get('m'))).toBe('before')
      })

      test('an entry is set only if it is as it was expected', async () => {
        const of = store
        for (const name of ['', 'a.default']) {
          await of(name).delete('c')
          expect(await of(name).setIf('c', undefined, bytes('one'))).toBe(true)
          expect(await of(name).setIf('c', undefined, bytes('two'))).toBe(false)
          expect(await of(name).setIf('c', bytes('two'), bytes('three'))).toBe(false)
          expect(await of(name).setIf('c', bytes('one'), new Uint8Array([0, 255]))).toBe(true)
          expect(await of(name).setIf('c', new Uint8Array([0, 255]), bytes('end'))).toBe(true)
          expect(text(await of(name).get('c'))).toBe('end')
        }
      })

      test('connections that count in one entry lose no count', async () => {
        const count = async (own: KeyValueStores) => {
          const counted = own.open('')
          for (let done = 0; done < 50;) {
            const before = await counted.get('count')
            const next = Number(text(before) ?? 0) + 1
            if (await counted.setIf('count', before, bytes(String(next)))) done++
          }
          own.close()
        }
        await Promise.all([1, 2, 3].map(() => count(openRedisStores(`redis://127.0.0.1:${port}`))))
        expect(text(await store().get('count'))).toBe('150')
      })

      test('an entry of another type than text is a failure, and stays', async () => {
        execFileSync('redis-cli', ['-p', `${port}`, 'LPUSH', 'list', 'x'])
        for (const use of [
          () => store().get('list'),
          () => store().setIf('list', bytes('x'), bytes('y')),
        ]) {
          await expect(use()).rejects.toThrow(/^the key-value store failed$/)
        }
        expect(await store().setIf('list', undefined, bytes('y'))).toBe(false)
        expect(execFileSync('redis-cli', ['-p', `${port}`, 'LLEN', 'list']).toString()).toBe('1\n')
      })

      test('all keys are listed, also more than fit one look', async () => {
        for (let i = 0; i < 2500; i++) await store().set(`many:${i}`, bytes('x'))
        const many = (await store().keys()).filter((key) => key.startsWith('many:'))
        expect(many).toHaveLength(2500)
        expect(new Set(many).size).toBe(2500)
      })

      test('a server that is away is a failure without its address, and is found again', async () => {
        await store().set('k', bytes('v'))
        await stopServer(server)
        await expect(store().get('k')).rejects.toMatchObject({
          name: 'KeyValueError',
          code: 'other',
          message: 'the key-value store failed',
        })
        server = await startServer()
        expect(await store().get('k')).toBeUndefined()
        await store().set('k', bytes('again'))
        expect(text(await store().get('k'))).toBe('again')
      })

      test('a server that stands still is a failure after five seconds', async () => {
        await store().set('k', bytes('v'))
        server?.kill('SIGSTOP')
        const started = performance.now()
        await expect(store().get('k')).rejects.toThrow('the key-value store failed')
        expect(performance.now() - started).toBeGreaterThan(4500)
        server?.kill('SIGCONT')
        expect(text(await store().get('k'))).toBe('v')
      })
    })
  },
)
