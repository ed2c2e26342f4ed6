// Before a release: whether our names are free, asked of a registry by npm itself.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { lookUp, type Registered, takenNames } from '../../scripts/packages/registry.ts'

const OWN = 'https://git.example/us/ours'

/** Looking up blocks this thread, so the registry has one of its own. */
const REGISTRY = `
const { createServer } = require('node:http')
const { parentPort } = require('node:worker_threads')
const document = (name, url) => ({
  name,
  'dist-tags': { latest: '0.1.0' },
  versions: { '0.1.0': { name, version: '0.1.0', repository: { type: 'git', url } } },
})
const known = {
  '/ftl-ours': document('ftl-ours', 'git+${OWN}.git'),
  '/ftl-theirs': document('ftl-theirs', 'git+https://git.example/them/theirs.git'),
}
const server = createServer(({ url }, response) => {
  const found = known[url.split('?')[0]]
  response.writeHead(url === '/ftl-down' ? 400 : found ? 200 : 404, { 'content-type': 'application/json' })
  response.end(JSON.stringify(found ?? { error: 'not found' }))
}).listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))
`

let worker: Worker
let folder: string
let env: NodeJS.ProcessEnv
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ftl-registry-'))
  worker = new Worker(REGISTRY, { eval: true })
  const port = await new Promise<number>((resolve) => worker.once('message', resolve))
  env = {
    ...process.env,
    npm_config_registry: `http://127.0.0.1:${port}/`,
    npm_config_cache: folder,
    npm_config_fetch_retries: '0',
  }
})
afterAll(async () => {
  await worker.terminate()
  await rm(folder, { recursive: true, force: true })
})

it('finds free names, our own packages, and those of others', () => {
  const registered = new Map<string, Registered | undefined>()
  for (const name of ['ftl-free', 'ftl-ours', 'ftl-theirs']) registered.set(name, lookUp(name, env))
  expect(registered.get('ftl-free')).toBeUndefined()
  expect(registered.get('ftl-ours')?.versions).toEqual(['0.1.0'])
  expect(takenNames(registered, OWN)).toEqual([
    'ftl-theirs (git+https://git.example/them/theirs.git)',
  ])
})

it('takes a name for taken where it is not known whose release it is', () => {
  const registered = new Map([['ftl-ours', lookUp('ftl-ours', env)]])
  expect(takenNames(registered, undefined)).toHaveLength(1)
})

it('does not take a registry that is down for a free name', () => {
  expect(() => lookUp('ftl-down', env)).toThrow('npm view ftl-down failed')
})
