// Libraries that authors use most, each with its small use from scripts/libraries, in one component: what Node returns is
// what it must return. `npm run libraries` tries many more, which are not installed here.
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildComponents } from 'ftl/build'
import { type Host, startHost } from 'ftl-host'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readTopics, useFile } from '../../scripts/libraries/list.ts'
import { startServer } from '../../scripts/libraries/server.ts'
import { JUDGES } from '../judges/judge.ts'
import { requireInstalled } from '../../scripts/side-packages.ts'
import { REPOSITORY } from '../support/command.ts'

const NAMES = [
  'papaparse',
  'markdown-it',
  'pdf-lib',
  'date-fns',
  'dayjs',
  'lodash',
  'cheerio',
  'axios',
  'yaml',
  'fast-xml-parser',
  'jose',
  'handlebars',
  'uuid',
  'xlsx',
  'jszip',
  'openai',
]
const USES = join(REPOSITORY, 'scripts/libraries/uses')

type Use = (context: { server: string }) => unknown

let folder: string
let host: Host
let server: Awaited<ReturnType<typeof startServer>>
beforeAll(async () => {
  requireInstalled('test/judges')
  // Below the packages, so that the imports of the uses lead there, or to the packages of the repository.
  await mkdir(join(JUDGES, 'dist'), { recursive: true })
  folder = await mkdtemp(join(JUDGES, 'dist', 'libraries-'))
  await cp(USES, join(folder, 'uses'), { recursive: true })
  const entry = join(folder, 'all.js')
  const imports = NAMES.map((name, at) => `import use${at} from '${useOf(name)}'`)
  const uses = NAMES.map((name, at) => `'${name}': use${at}`)
  await writeFile(
    entry,
    `${imports.join('\n')}
const uses = { ${uses.join(', ')} }
export default {
  fetch: async (request) => {
    const { searchParams } = new URL(request.url)
    return Response.json(await uses[searchParams.get('name')]({ server: searchParams.get('server') }))
  },
}
`,
  )
  await writeFile(
    join(folder, 'spin.toml'),
    `spin_manifest_version = 2
[application]
name = "libraries"
[[trigger.http]]
route = "/..."
component = "all"
[component.all]
source = "all.wasm"
allowed_outbound_hosts = ["http://127.0.0.1:*"]
`,
  )
  const cacheFolder = join(REPOSITORY, '.ftl/cache')
  await buildComponents([{ id: 'all', entry, output: join(folder, 'all.wasm') }], { cacheFolder })
  server = await startServer()
  host = await startHost({
    manifest: join(folder, 'spin.toml'),
    listen: '127.0.0.1:0',
    stateDir: '',
    cacheDir: cacheFolder,
    env: {},
  })
})
afterAll(async () => {
  await host.close()
  server.close()
  await rm(folder, { recursive: true, force: true })
})

const useOf = (name: string): string => join(folder, 'uses', useFile({ name }))

it.each(NAMES)('%s', async (name) => {
  const { default: use } = (await import(pathToFileURL(useOf(name)).href)) as { default: Use }
  const expected: unknown = JSON.parse(JSON.stringify(await use({ server: server.url })))
  const query = new URLSearchParams({ name, server: server.url })
  const response = await fetch(`${host.url}/?${query}`)
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual(expected)
})

it('the table was made with the versions that are tested here', async () => {
  const libraries = readTopics().flatMap((topic) => topic.libraries)
  for (const name of NAMES.filter((each) => each !== 'openai')) {
    // In the folder of its own package or, if that has none, in the one that all have.
    const own = join(JUDGES, 'node_modules', name, 'package.json')
    const manifest = existsSync(own) ? own : join(REPOSITORY, 'node_modules', name, 'package.json')
    const { default: read } = (await import(manifest, { with: { type: 'json' } })) as {
      default: { version: string }
    }
    expect(libraries.find((library) => library.name === name)?.version, name).toBe(read.version)
  }
})
