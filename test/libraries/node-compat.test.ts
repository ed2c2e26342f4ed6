// `node_compat = true`: what modules of Node answer in a component, and that it can reach nothing by them.
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildComponents } from 'ftl/build'
import { componentImports, type Host, startHost } from 'ftl-host'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { REPOSITORY } from '../support/command.ts'
import { cases } from './app/node-modules.ts'

const APP = join(import.meta.dirname, 'app')
const SECRET = 'FTL_TEST_SECRET'

const ENTRIES = {
  plain: `export default { fetch: () => new Response('') }`,
  unused: `export default { fetch: () => new Response('') }`,
  hostile: `export { default } from '${APP}/hostile.ts'`,
  cases: `import { cases } from '${APP}/node-modules.ts'
export default {
  fetch: async (request) => {
    const name = decodeURIComponent(new URL(request.url).pathname.slice('/cases/'.length))
    return Response.json({ value: await cases[name]() })
  },
}`,
}

let folder: string
let host: Host
beforeAll(async () => {
  process.env[SECRET] = 'secret'
  await mkdir(join(REPOSITORY, 'dist'), { recursive: true })
  folder = await mkdtemp(join(REPOSITORY, 'dist', 'node-compat-'))
  const ids = Object.keys(ENTRIES)
  const targets = ids.map((id) => ({
    id,
    entry: join(folder, `${id}.js`),
    output: join(folder, `${id}.wasm`),
    nodeCompat: id !== 'plain',
  }))
  for (const [id, text] of Object.entries(ENTRIES)) await writeFile(join(folder, `${id}.js`), text)
  const cacheFolder = join(REPOSITORY, '.ftl/cache')
  await buildComponents(targets, { cacheFolder })
  const tables = ids.map(
    (id) => `[[trigger.http]]
route = "/${id}/..."
component = "${id}"
[component.${id}]
source = "${id}.wasm"
`,
  )
  const manifest = join(folder, 'spin.toml')
  await writeFile(
    manifest,
    `spin_manifest_version = 2\n[application]\nname = "a"\n${tables.join('')}`,
  )
  host = await startHost({
    manifest,
    listen: '127.0.0.1:0',
    stateDir: '',
    cacheDir: cacheFolder,
    env: process.env,
  })
})
afterAll(async () => {
  delete process.env[SECRET]
  await host.close()
  await rm(folder, { recursive: true, force: true })
})

describe('a module of Node answers as in Node:', () => {
  it.each(Object.keys(cases))('%s', async (name) => {
    const expected: unknown = JSON.parse(JSON.stringify({ value: await cases[name]?.() }))
    const response = await fetch(`${host.url}/cases/${encodeURIComponent(name)}`)
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual(expected)
  })
})

describe('a component gets no capability by it:', () => {
  interface Facts {
    reached: Record<string, string>
    env: object
    cwd: string
    machine: unknown[]
    binding: string
    globals: string[]
  }
  let facts: Facts
  beforeAll(async () => {
    facts = (await (await fetch(`${host.url}/hostile/`)).json()) as Facts
  })

  it('what needs a machine throws, and says what to use', () => {
    expect(Object.keys(facts.reached).length).toBeGreaterThan(10)
    for (const [name, said] of Object.entries(facts.reached)) {
      expect(said, name).toMatch(/is not available in a component/)
    }
    expect(facts.reached['read a file']).toContain('node:fs.readFileSync is not available')
    expect(facts.reached['read a file']).toContain('context.platform.files.read')
    expect(facts.reached['open a socket']).toContain('context.fetch')
  })

  it('its environment is empty, and it knows nothing of the machine', () => {
    expect(facts).toMatchObject({ env: {}, cwd: '/', machine: ['component', 0, '/', ''] })
    expect(facts.binding).toBe('undefined')
  })

  it('nothing becomes a global that was none', () => {
    expect(facts.globals).toEqual([])
  })

  it('it imports what a component without it imports', async () => {
    const importsOf = async (id: string) =>
      componentImports(await readFile(join(folder, `${id}.wasm`)))
    const plain = await importsOf('plain')
    for (const id of ['hostile', 'cases']) expect(await importsOf(id)).toEqual(plain)
  })
})

it('a component that uses nothing of it is as large as without', async () => {
  const size = async (id: string) => (await stat(join(folder, `${id}.wasm`))).size
  expect(Math.abs((await size('unused')) - (await size('plain')))).toBeLessThan(20_000)
})
