import { execFileSync, spawn } from 'node:child_process'
import { createConnection } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Host, startHost } from 'ftl-host'
import { freePort } from '../support/command.ts'
import { MANIFESTS } from '../support/manifests.ts'
import { onSpin } from './application.ts'
import { type Folder, temporaryFolder } from './variant.ts'

// Real servers, where the machine has them (Debian's packages redis-server and valkey-server).
const SERVERS = ['redis-server', 'valkey-server'].map((name) => ({
  name,
  missing: isMissing(name),
}))

function isMissing(program: string): boolean {
  try {
    execFileSync(program, ['--version'])
    return false
  } catch {
    return true
  }
}

let program = ''
let folder: Folder
let host: Host
let stopServer: () => Promise<void>
let port: number

async function startServer(): Promise<() => Promise<void>> {
  const args = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', folder.path, '--save', '']
  const child = spawn(program, args, { stdio: 'ignore' })
  const ended = new Promise((resolve) => child.on('close', resolve))
  const answers = () =>
    new Promise<boolean>((resolve) => {
      const socket = createConnection(port, '127.0.0.1')
      socket
        .once('error', () => resolve(false))
        .once('connect', () => socket.end(() => resolve(true)))
    })
  while (!(await answers())) await new Promise((resolve) => setTimeout(resolve, 20))
  return async () => {
    child.kill('SIGKILL')
    await ended
  }
}

describe.each(SERVERS)('$name', ({ name, missing }) => {
  describe.skipIf(onSpin || missing)(
    missing ? 'is not on this machine' : 'holds the default store',
    () => {
      beforeAll(async () => {
        program = name
        folder = await temporaryFolder()
        port = await freePort()
        stopServer = await startServer()
        host = await startHost({
          manifest: MANIFESTS.fidelity,
          listen: '127.0.0.1:0',
          stateDir: '',
          cacheDir: fileURLToPath(new URL('../../.ftl/cache', import.meta.url)),
          env: {},
          variables: { required: 'given' },
          workers: 2,
          keyValues: { seeded: 'yes' },
          runtimeConfigFile: await folder.write(
            'runtime.toml',
            `[key_value_store.default]\ntype = "redis"\nurl = "redis://127.0.0.1:${port}"\n`,
          ),
        })
      })
      afterAll(async () => {
        await host.close()
        await stopServer()
        await folder.remove()
      })
      const json = async (path: string) =>
        (await (await fetch(host.url + path)).json()) as Record<string, unknown>
      const cli = (...args: string[]) =>
        execFileSync('redis-cli', ['-p', `${port}`, ...args]).toString()

      test('[spin:kv-redis] a guest reads and writes bare keys there', async () => {
        expect(await json('/guest/kv?key=k%C3%A4se&set=%F0%9F%A7%80')).toEqual({
          value: '🧀',
          exists: true,
          listed: true,
        })
        expect(cli('GET', 'käse')).toBe('🧀\n')
        cli('SET', 'outside', 'from elsewhere')
        expect(await json('/guest/kv?key=outside')).toMatchObject({ value: 'from elsewhere' })
        expect(await json('/guest/kv?key=seeded')).toMatchObject({ value: 'yes' })
        expect(await json('/guest/kv-large?bytes=3000000')).toEqual({
          bytes: 3_000_000,
          same: true,
        })
      })

      test('[spin:kv-redis-waits] guests that wait for it do not delay others, and each gets its own', async () => {
        const keys = Array.from({ length: 40 }, (_, index) => `many-${index}`)
        const found = await Promise.all(
          keys.map((key) => json(`/guest/kv?key=${key}&set=of-${key}`)),
        )
        expect(found.map(({ value }) => value)).toEqual(keys.map((key) => `of-${key}`))
      })

      test('[spin:kv-redis-away] while it is away a guest is told so, and nothing of where it is', async () => {
        await stopServer()
        const response = await fetch(`${host.url}/guest/kv?key=k`)
        expect(response.status).toBe(409)
        expect(await response.json()).toEqual({
          payload: { tag: 'other', val: 'the key-value store failed' },
        })
        stopServer = await startServer()
        expect(await json('/guest/kv?key=k&set=back')).toMatchObject({ value: 'back' })
      })
    },
  )
})
