// `Intl` in a real component, compared with Node's, which is ICU.
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildComponents } from 'ftl/build'
import { type Host, startHost } from 'ftl-host'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { REPOSITORY } from '../support/command.ts'
import { errorResults, formatResults } from './app/formats.ts'
import { libraryResults } from './app/libraries.ts'

const CACHE = join(REPOSITORY, '.ftl/cache')
const MANIFEST = `spin_manifest_version = 2
[application]
name = "intl"
[[trigger.http]]
route = "/..."
component = "formats"
[component.formats]
source = "formats.wasm"
`
/** What issue 19 allows. */
const MOST_BYTES = 300_000

let folder: string
let host: Host
let answer: Record<'libraries' | 'formats', Record<string, unknown>> & { errors: string[] }
beforeAll(async () => {
  await mkdir(join(REPOSITORY, 'dist'), { recursive: true })
  folder = await mkdtemp(join(REPOSITORY, 'dist', 'intl-'))
  const small = join(folder, 'small.ts')
  await writeFile(small, 'export default { fetch: () => new Response("") }\n')
  const target = (id: string, entry: string, more = {}) => ({
    id,
    entry,
    output: join(folder, `${id}.wasm`),
    ...more,
  })
  await buildComponents(
    [
      // One request makes every format there is, which is seconds on a busy machine.
      target('formats', join(import.meta.dirname, 'app/main.ts'), { computeLimitMs: 60_000 }),
      target('without', small),
      target('with', small, { intl: true }),
      target('omitted', small, { intl: false }),
    ],
    { cacheFolder: CACHE },
  )
  await writeFile(join(folder, 'spin.toml'), MANIFEST)
  const manifest = join(folder, 'spin.toml')
  host = await startHost({
    manifest,
    listen: '127.0.0.1:0',
    stateDir: '',
    cacheDir: CACHE,
    env: {},
  })
  const response = await fetch(host.url)
  expect(response.status).toBe(200)
  answer = (await response.json()) as typeof answer
})
afterAll(async () => {
  await host.close()
  await rm(folder, { recursive: true, force: true })
})

it('luxon, cron-parser and intl-messageformat give what they give in Node', () => {
  const expected = JSON.parse(JSON.stringify(libraryResults())) as object
  expect(answer.libraries).toEqual(expected)
})

it('numbers, dates, lists and the order of words are those of ICU', () => {
  const expected = JSON.parse(JSON.stringify(formatResults())) as object
  expect(Object.keys(answer.formats).length).toBeGreaterThan(250)
  expect(answer.formats).toEqual(expected)
})

it('wrong arguments are the errors that they are in Node', () => {
  expect(answer.errors).toEqual(errorResults())
})

it('all parts take less than 300 KB, and a component that names none has none', async () => {
  const sizeOf = async (id: string) => (await stat(join(folder, `${id}.wasm`))).size
  const without = await sizeOf('without')
  expect((await sizeOf('with')) - without).toBeLessThan(MOST_BYTES)
  // Names of components have different lengths; the smallest part has 10 KB.
  expect(Math.abs((await sizeOf('omitted')) - without)).toBeLessThan(1_000)
})
