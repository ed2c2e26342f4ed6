/** A component of our engine that evaluates scripts, for suites that run inside the engine. Each run has a fresh instance. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildComponents } from 'ftl/build'
import { startHost } from 'ftl-host'

const REPOSITORY = join(import.meta.dirname, '../..')
const CACHE = join(REPOSITORY, '.ftl/cache')
/** Some files of a suite compute for long, on a machine that does other work too. */
const COMPUTE_LIMIT_MS = 60_000

export interface Served {
  /**
   * Evaluates the scripts in the global scope, one after another.
   *
   * @returns what the last one's promise resolves to.
   * @throws {Error} with what the instance has printed, if it does not answer.
   */
  evaluate(scripts: readonly string[]): Promise<unknown>
  close(): Promise<void>
}

export async function serveEvaluator(): Promise<Served> {
  await mkdir(join(REPOSITORY, 'dist'), { recursive: true })
  const folder = await mkdtemp(join(REPOSITORY, 'dist/suite-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    const entry = join(import.meta.dirname, 'component/main.js')
    const output = join(folder, 'suite.wasm')
    const target = { id: 'suite', entry, output, computeLimitMs: COMPUTE_LIMIT_MS }
    await buildComponents([target], { cacheFolder: CACHE })
    const manifest = join(folder, 'spin.toml')
    await writeFile(manifest, MANIFEST)
    let lines: string[] = []
    const host = await startHost({
      manifest,
      listen: '127.0.0.1:0',
      stateDir: '',
      cacheDir: CACHE,
      env: {},
      drainMs: 100,
      maxBlockingMs: COMPUTE_LIMIT_MS,
      onLog: ({ line }) => lines.push(line),
      onError: ({ message }) => lines.push(message),
    })
    const evaluate = async (scripts: readonly string[]) => {
      lines = []
      const response = await fetch(host.url, { method: 'POST', body: JSON.stringify(scripts) })
      if (response.ok) return (await response.json()) as unknown
      throw new Error(`status ${response.status}\n${lines.join('\n').slice(-2000)}`)
    }
    const close = async () => {
      await host.close()
      await remove()
    }
    return { evaluate, close }
  } catch (error) {
    await remove()
    throw error
  }
}

const MANIFEST = `spin_manifest_version = 2
[application]
name = "suite"
[[trigger.http]]
route = "/..."
component = "suite"
[component.suite]
source = "suite.wasm"
allowed_outbound_hosts = ["http://127.0.0.1:*"]
`
