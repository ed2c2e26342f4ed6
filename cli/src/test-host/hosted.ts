/** A built component in the world of a test: its own host, stores, clock and ids. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, posix } from 'node:path'
import { openStores, type SimulatedWorld, simulatedWorld, startHost } from 'ftl-host'
import { pause } from 'ftl-contract'
import { CommandFailure } from '../terminal/failure.ts'
import { stackLines } from '../output/stack-lines.ts'
import type { Stores, World } from './messages.ts'

export interface Hosted {
  url: string
  set(now: number, stores: Record<string, Record<string, string | null>>): Promise<void>
  state(waitMs: number): Promise<{ stores: Stores; drawn: number; running: number }>
  close(): Promise<void>
}

export type OnLine = (stream: 'stdout' | 'stderr', line: string) => void

/** Milliseconds between two looks at whether a component still works. */
const LOOK_MS = 5

/** @throws {CommandFailure} for what no component can have. */
export async function hostBuilt(
  wasm: string,
  world: World,
  cacheDir: string,
  onLine: OnLine,
): Promise<Hosted> {
  const { name, variables, files, stores, proxy } = world
  const folder = await mkdtemp(join(tmpdir(), 'ftl-test-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    const mounts = await writeFiles(join(folder, 'files'), files)
    const manifest = join(folder, 'spin.toml')
    const runtimeConfigFile = join(folder, 'runtime.toml')
    const labels = Object.keys(stores)
    const file = join(folder, 'stores.db')
    await writeFile(manifest, manifestFor(wasm, world, mounts))
    await writeFile(runtimeConfigFile, runtimeConfigFor(labels, file))
    const places = labels.map((label) => [label, { type: 'spin', file, durable: false }] as const)
    const opened = openStores(Object.fromEntries(places))
    const simulated = simulatedWorld()
    simulated.drawn = world.drawn
    const entries = entriesOf(name, opened)
    await entries.write(stores)
    simulated.setTime(world.now)
    const rewrite = stackLines(() => wasm)
    const host = await startHost({
      manifest,
      runtimeConfigFile,
      cacheDir,
      variables,
      env: {},
      listen: '127.0.0.1:0',
      stateDir: folder,
      workers: 1,
      drainMs: 0,
      simulation: { proxy, world: simulated.shared },
      onLog: ({ stream, line }) => onLine(stream, rewrite(name, line)),
      onError: ({ message }) => onLine('stderr', rewrite(name, message)),
    })
    return {
      url: host.url,
      async set(now, changed) {
        simulated.setTime(now)
        await entries.write(changed)
      },
      async state(waitMs) {
        const until = performance.now() + waitMs
        while (host.running > 0 && performance.now() < until) await pause(LOOK_MS)
        return stateOf(simulated, await entries.read(labels), host.running)
      },
      async close() {
        await host.close()
        opened.close()
        await remove()
      },
    }
  } catch (error) {
    await remove()
    throw error
  }
}

const stateOf = ({ drawn }: SimulatedWorld, stores: Stores, running: number) => ({
  stores,
  drawn,
  running,
})

function entriesOf(component: string, opened: ReturnType<typeof openStores>) {
  const open = (label: string) => opened.open({ label, component })
  return {
    async write(stores: Record<string, Record<string, string | null>>): Promise<void> {
      for (const [label, entries] of Object.entries(stores)) {
        const store = open(label)
        for (const [key, value] of Object.entries(entries)) {
          if (value === null) await store.delete(key)
          else await store.set(key, Buffer.from(value, 'base64'))
        }
      }
    },
    async read(labels: readonly string[]): Promise<Stores> {
      const stores: Stores = {}
      for (const label of labels) {
        const store = open(label)
        const entries: Record<string, string> = Object.create(null) as Record<string, string>
        for (const key of await store.keys()) {
          const value = await store.get(key)
          if (value) entries[key] = Buffer.from(value).toString('base64')
        }
        stores[label] = entries
      }
      return stores
    },
  }
}

/** @returns the folders at the root, each of which is mounted. */
async function writeFiles(root: string, files: Record<string, string>): Promise<string[]> {
  const mounts = new Set<string>()
  for (const [path, content] of Object.entries(files)) {
    const [, top, ...rest] = posix.normalize(path).split('/')
    if (!path.startsWith('/') || !top || rest.length === 0) {
      throw new CommandFailure(
        `files: "${path}" cannot be mounted: give an absolute path of a file in a folder, such as "/config/${posix.basename(path)}"`,
      )
    }
    mounts.add(top)
    const file = join(root, top, ...rest)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, Buffer.from(content, 'base64'))
  }
  return [...mounts]
}

function runtimeConfigFor(labels: readonly string[], file: string): string {
  return labels
    .map((label) => `[key_value_store.${text(label)}]\ntype = "spin"\npath = ${text(file)}\n`)
    .join('\n')
}

function manifestFor(wasm: string, { name, variables, stores }: World, mounts: string[]): string {
  const names = Object.keys(variables)
  const wrong = names.find((each) => !/^[a-z][a-z0-9_]*$/.test(each))
  if (wrong !== undefined) {
    throw new CommandFailure(
      `variables: "${wrong}" cannot be a variable of a component: use lower-case letters, digits and "_"`,
    )
  }
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) {
    throw new CommandFailure(
      `name: "${name}" cannot be a component: use lower-case letters and digits, with "-" between`,
    )
  }
  return `spin_manifest_version = 2
[application]
name = "test"
[variables]
${names.map((each) => `${each} = { default = "" }`).join('\n')}
[[trigger.http]]
route = "/..."
component = ${text(name)}
[component.${name}]
source = ${text(wasm)}
key_value_stores = [${Object.keys(stores).map(text).join(', ')}]
files = [${mounts.map((top) => `{ source = ${text(`files/${top}`)}, destination = ${text(`/${top}`)} }`).join(', ')}]
[component.${name}.variables]
${names.map((each) => `${each} = ${text(`{{ ${each} }}`)}`).join('\n')}
`
}

const text = (value: string) => JSON.stringify(value)
