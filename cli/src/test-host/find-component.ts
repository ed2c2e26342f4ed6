/** Builds the component that a test is about. */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import { buildComponents, type BuildEvent, type BuildTarget } from '../build/index.ts'
import { CommandFailure } from '../terminal/failure.ts'
import { type Application, loadApplication } from '../application/load-application.ts'
import type { Wanted } from './messages.ts'

export interface FoundComponent {
  /** Absolute path of the `.wasm`. */
  wasm: string
  component: string
  cacheFolder: string
}

/** Names of the tools that a built component publishes. */
export type ToolsOf = (found: FoundComponent) => Promise<readonly string[]>

/** @throws {CommandFailure} {@link BuildError} */
export async function findComponent(
  wanted: Wanted,
  onEvent: (event: BuildEvent) => void,
  toolsOf: ToolsOf,
): Promise<FoundComponent> {
  if (wanted.entry !== undefined) return buildEntry(wanted.entry, onEvent)
  const application = await loadApplication(manifestAbove(wanted.folder), [], { withMissing: true })
  const { targets } = application
  const make = (target: BuildTarget) => build(target, application.cacheFolder, onEvent)
  if (wanted.component !== undefined) {
    const target = targets.find(({ id }) => id === wanted.component)
    if (target) return make(target)
    throw new CommandFailure(
      `built({ component: '${wanted.component}' }): spin.toml has no such component with an entry that ftl builds; it has ${idsOf(targets)}`,
    )
  }
  return match(wanted.tools, application, make, toolsOf)
}

async function match(
  tools: readonly string[],
  { targets, manifest }: Application,
  make: (target: BuildTarget) => Promise<FoundComponent>,
  toolsOf: ToolsOf,
): Promise<FoundComponent> {
  const publishesAll = async (found: FoundComponent) => {
    const published = await toolsOf(found)
    return tools.length > 0 && tools.every((tool) => published.includes(tool))
  }
  const named = targets.find(({ id }) => tools.some((tool) => tool.replaceAll('_', '-') === id))
  if (named) {
    const found = await make(named)
    if (await publishesAll(found)) return found
  }
  const found: FoundComponent[] = []
  for (const target of targets) {
    const isGateway = manifest.components.get(target.id)?.variables['tool_components'] !== undefined
    if (target === named || isGateway) continue
    const built = await make(target).catch(() => undefined)
    if (built && (await publishesAll(built))) found.push(built)
  }
  const [first, second] = found
  const what = tools.map((tool) => `"${tool}"`).join(', ')
  if (first && second) {
    const ids = found.map(({ component }) => component).join(' and ')
    throw new CommandFailure(
      `${what} is a tool of the components ${ids}: say which, as in built({ component: '${first.component}' })`,
    )
  }
  if (first) return first
  throw new CommandFailure(
    `no component of ${manifest.file} publishes ${what || 'the same'}; there are ${idsOf(targets)}. Add the component ` +
      "to spin.toml, name it (built({ component: 'NAME' })), or give its module: built({ entry: new URL('./main.ts', import.meta.url) })",
  )
}

const idsOf = (targets: readonly BuildTarget[]) => targets.map(({ id }) => id).join(', ') || 'none'

function manifestAbove(folder: string): string {
  const file = join(folder, 'spin.toml')
  if (existsSync(file)) return file
  const above = dirname(folder)
  if (above !== folder) return manifestAbove(above)
  throw new CommandFailure(
    "there is no spin.toml in this folder or above it: run the test in the application's folder, or give the module to " +
      "build: built({ entry: new URL('./main.ts', import.meta.url) })",
  )
}

async function buildEntry(
  entry: string,
  onEvent: (event: BuildEvent) => void,
): Promise<FoundComponent> {
  if (!existsSync(entry)) throw new CommandFailure(`built({ entry }): there is no ${entry}`)
  const id = basename(entry, extname(entry))
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
  const target = { id: /^[a-z]/.test(id) ? id : `m-${id}`, entry, output: '' }
  return build(target, join(packageAbove(dirname(entry)), '.ftl', 'cache'), onEvent)
}

/** The nearest folder with a `package.json`. */
function packageAbove(folder: string, from = folder): string {
  if (existsSync(join(folder, 'package.json'))) return folder
  const above = dirname(folder)
  return above === folder ? from : packageAbove(above, from)
}

/** Not into `dist`: a test must not change what is served or deployed. */
async function build(
  target: BuildTarget,
  cacheFolder: string,
  onEvent: (event: BuildEvent) => void,
): Promise<FoundComponent> {
  const name = createHash('sha256').update(target.entry).digest('hex').slice(0, 12)
  const wasm = join(cacheFolder, 'tests', `${target.id}-${name}.wasm`)
  // The test answers its requests, so it can send some whatever the manifest allows.
  await buildComponents([{ ...target, output: wasm, withheld: [] }], { cacheFolder, onEvent })
  return { wasm, component: target.id, cacheFolder }
}
