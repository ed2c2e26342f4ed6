// A gateway whose variables cannot be read must not behave as if they were not set: it would authenticate no one.
import { resolve } from 'node:path'
import { loadManifest } from 'ftl-host'
import { beforeAll, expect, test } from 'vitest'
import { Pipe } from '../../host/src/http/pipe.ts'
import { Instance, type Program } from '../../host/src/instance/instance.ts'
import type { ComponentServices, GuestRequest } from '../../host/src/instance/services.ts'
import { prepare } from '../../host/src/prepare/prepare.ts'
import { VariableError, type VariableErrorCode } from '../../host/src/variables/variable-error.ts'
import { MANIFESTS } from '../support/manifests.ts'
import { CACHE_DIR, sleep } from './fixture.ts'

const notHere = () => {
  throw new Error('not here')
}

let program: Program
let printed: string[]

beforeAll(async () => {
  const manifest = await loadManifest(MANIFESTS.application)
  const file = manifest.components.get('mcp-gateway')?.source
  const source = resolve(manifest.folder, typeof file === 'string' ? file : '')
  const memoryLimit = 128 * 1024 * 1024
  const options = { component: 'mcp-gateway', source, cacheDir: CACHE_DIR, memoryLimit }
  program = (await prepare(options)) as Program
})

/** `GET /whoami` at a gateway, one variable of which fails so. */
async function ask(failing: string, code: VariableErrorCode): Promise<[number, string]> {
  printed = []
  const services: ComponentServices = {
    component: 'mcp-gateway',
    environment: {},
    outbound: { send: () => Promise.reject(new Error('not here')) },
    files: { empty: true, stat: notHere, list: notHere, open: notHere },
    openStore: notHere,
    variable(name) {
      throw name === failing
        ? new VariableError(code, 'vault at 10.0.0.7: token s.secret is sealed')
        : new VariableError('undefined', name)
    },
    log: (_, line) => void printed.push(line),
  }
  const request: GuestRequest = {
    method: 'GET',
    scheme: 'http',
    authority: 'localhost:3000',
    headers: [],
    depth: 0,
    path: '/whoami',
    body: Pipe.empty(),
  }
  let status = 0
  let text = ''
  let read: Promise<void> | undefined
  await new Instance(program, services).run(request, (response) => {
    status = response.status
    const { body } = response
    read = (async () => {
      for (let chunk = body.read(1e6); chunk !== undefined; chunk = body.read(1e6)) {
        text += Buffer.from(chunk).toString()
        if (chunk.length === 0) await sleep(1)
      }
    })()
  })
  await read
  return [status, text]
}

test('a variable that is not set counts as not set', async () => {
  expect((await ask('auth_issuers', 'undefined'))[0]).toBe(200)
})

test.each(['auth_issuers', 'api_keys', 'trust_forwarded_user'])(
  'without the provider of %s nothing is served, and the answer contains nothing of it',
  async (variable) => {
    for (const code of ['provider', 'other'] as const) {
      const [status, text] = await ask(variable, code)
      expect([status, code]).toEqual([500, code])
      expect(text).not.toMatch(/secret|10\.0\.0\.7|principal/)
      expect(printed.join()).toContain(`"${variable}"`)
    }
  },
)
