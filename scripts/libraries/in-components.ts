/** Builds each use as a component with the builder of `ftl build`, and calls it on the embedded host. */
import { mkdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildEach, type BuildTarget } from 'ftl/build'
import { startHost } from 'ftl-host'
import type { Outcome } from './judge.ts'

/** Components served at once: each takes some 50 MB of the host. */
const BATCH = 10

export interface Attempt {
  /** Name of its component: lower case, digits and dashes. */
  id: string
  /** Name of the file with the use. */
  file: string
  target: Partial<BuildTarget>
}

export interface Tried extends Outcome {
  /** Of the component, in bytes. */
  size?: number
  warnings: string[]
}

export async function runInComponents(
  folder: string,
  attempts: readonly Attempt[],
  server: string,
  onProgress: (done: number) => void,
): Promise<Map<Attempt, Tried>> {
  const all = new Map<Attempt, Tried>()
  for (let at = 0; at < attempts.length; at += BATCH) {
    const batch = attempts.slice(at, at + BATCH)
    for (const [attempt, tried] of await runBatch(folder, batch, server)) all.set(attempt, tried)
    onProgress(all.size)
  }
  return all
}

async function runBatch(
  folder: string,
  batch: readonly Attempt[],
  server: string,
): Promise<Map<Attempt, Tried>> {
  const components = join(folder, 'components')
  await mkdir(components, { recursive: true })
  const targets = batch.map(({ id, target }) => ({
    ...target,
    id,
    entry: join(components, `${id}.js`),
    output: join(components, `${id}.wasm`),
  }))
  await Promise.all(
    batch.map(({ id, file }) => writeFile(join(components, `${id}.js`), entry(file))),
  )
  const warnings = new Map<string, string[]>()
  const { failed } = await buildEach(targets, {
    cacheFolder: join(folder, 'cache'),
    onEvent: ({ id, warning }) => {
      if (warning !== undefined) warnings.set(id, [...(warnings.get(id) ?? []), warning])
    },
  })
  const errors = new Map(failed.map((error) => [error.component, error.message]))
  const built = batch.filter(({ id }) => !errors.has(id))
  const answers = await call(
    components,
    built.map(({ id }) => id),
    server,
  )
  const sizes = await Promise.all(
    built.map(async ({ id }) => [id, (await stat(join(components, `${id}.wasm`))).size] as const),
  )
  const sizeOf = new Map(sizes)
  return new Map(
    batch.map((attempt) => {
      const { id } = attempt
      const outcome = answers.get(id) ?? { error: errors.get(id) ?? 'no answer' }
      return [attempt, { ...outcome, size: sizeOf.get(id), warnings: warnings.get(id) ?? [] }]
    }),
  )
}

/** The component has the same contract as `in-node.mjs`: a value as JSON, or the error as text. */
function entry(file: string): string {
  return `import use from '../uses/${file}'
export default {
  fetch: async (request) => {
    const server = new URL(request.url).searchParams.get('server')
    try {
      return Response.json({ value: JSON.stringify(await use({ server })) })
    } catch (error) {
      return Response.json({ error: String(error) })
    }
  },
}
`
}

async function call(
  folder: string,
  ids: readonly string[],
  server: string,
): Promise<Map<string, Outcome>> {
  if (ids.length === 0) return new Map()
  const manifest = join(folder, 'spin.toml')
  await writeFile(manifest, manifestText(ids))
  const logs = new Map<string, string>()
  const host = await startHost({
    manifest,
    listen: '127.0.0.1:0',
    stateDir: '',
    cacheDir: join(folder, 'prepared'),
    env: {},
    onLog: ({ component, line }) => logs.set(component, logs.get(component) ?? line),
    onError: ({ component, message }) => logs.set(component, logs.get(component) ?? message),
  })
  try {
    const answers = new Map<string, Outcome>()
    for (const id of ids) {
      const response = await fetch(`${host.url}/${id}?server=${encodeURIComponent(server)}`)
      const outcome = response.ok
        ? ((await response.json()) as Outcome)
        : { error: logs.get(id) ?? `status ${response.status}` }
      answers.set(id, outcome)
    }
    return answers
  } finally {
    await host.close()
  }
}

function manifestText(ids: readonly string[]): string {
  const tables = ids.map(
    (id) => `[[trigger.http]]
route = "/${id}"
component = "${id}"
[component.${id}]
source = "${id}.wasm"
allowed_outbound_hosts = ["http://127.0.0.1:*"]
`,
  )
  return `spin_manifest_version = 2\n[application]\nname = "libraries"\n${tables.join('')}`
}
