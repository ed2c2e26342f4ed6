/** Every script that `ftl build --target` makes, and what the user has to know of them. */
import { relative } from 'node:path'
import type { ScriptTarget } from '../build/script-bundle.ts'
import { CommandFailure } from '../terminal/failure.ts'
import { fileName } from '../members/file-name.ts'
import { chooseSingle, withTools } from '../members/single.ts'
import { loadApplication } from '../application/load-application.ts'
import { type BuiltScript, buildScript } from './build-script.ts'
import { checkRoutes, FREE_WORKER_LIMIT } from './check-target.ts'

export interface ScriptsOptions {
  from: string
  ids: readonly string[]
  target: ScriptTarget
  /** The gateway and its tools together, instead of each component by itself. */
  single: boolean
}

/** @throws {CommandFailure} or {BuildError} naming what cannot be built. */
export async function buildScripts(options: ScriptsOptions): Promise<BuiltScript[]> {
  const { from, ids, target, single } = options
  const { manifest } = await loadApplication(from, ids)
  if (single) {
    checkRoutes(manifest, target)
    const { gateway, components, tools, routes } = chooseSingle(manifest, ids)
    const { application, component } = withTools(manifest, gateway, gateway.variables, tools)
    const own = { tool_components: component['tool_components'] ?? '' }
    const changed = { ...manifest, variables: application }
    const name = fileName(manifest)
    return [
      await buildScript({ manifest: changed, target, name, components, routes, variables: own }),
    ]
  }
  const components = [...manifest.components.values()].filter(({ id }) => ids.includes(id))
  if (components.length === 0) {
    throw new CommandFailure(
      `--target ${target}: name the components to build, or add --single for the gateway with its tools`,
    )
  }
  const built: BuiltScript[] = []
  for (const component of components) {
    const { id } = component
    if (Object.hasOwn(component.variables, 'tool_components')) {
      throw new CommandFailure(
        `--target ${target}: ${id} is a gateway, which calls other components: add --single to build it with its tools`,
      )
    }
    built.push(
      await buildScript({
        manifest,
        target,
        name: id,
        components: [component],
        routes: () => ['/...'],
      }),
    )
  }
  return built
}

/** Lines for the user: where it is, how to run it, and what differs from Spin. */
export function scriptNotes(built: BuiltScript, target: ScriptTarget): string[] {
  const { folder, bytes, compressed = 0, stores, toSet, hasGateway, name } = built
  const shown = relative(process.cwd(), folder) || '.'
  const size = `${Math.round(bytes / 1024)} KB`
  const same = [
    'allowed_outbound_hosts is checked by the script, not by a sandbox: use only code that you trust.',
    ...(hasGateway
      ? []
      : [
          'It serves the component contract, without the authentication of a gateway: keep it private, or put one in front.',
        ]),
  ]
  if (target === 'node') {
    return [
      `${name}: ${shown}/server.mjs, ${size}. Run it with Node 20 or newer:`,
      `  PORT=3000 node ${shown}/server.mjs`,
      ...same,
      ...(stores.length > 0 ? ['Stores are kept in ./state (STATE_DIR), for one process.'] : []),
      ...(toSet.length > 0
        ? [
            `Secrets and required variables are set with ${toSet.map((each) => `SPIN_VARIABLE_${each.toUpperCase()}`).join(', ')}`,
          ]
        : []),
    ]
  }
  return [
    `${name}: ${shown}/worker.js, ${size}. Deploy it with wrangler:`,
    `  npx wrangler deploy --config ${shown}/wrangler.json`,
    ...(compressed > FREE_WORKER_LIMIT
      ? [
          `It has ${Math.round(compressed / 1000)} KB compressed: more than 3000 KB need a paid plan.`,
        ]
      : []),
    ...same,
    ...(stores.length > 0
      ? [
          `Replace the ids of ${stores.join(', ')} in wrangler.json. KV of Workers returns old values for up to 60 s, and compares none:`,
          'a job can look unfinished for that long.',
        ]
      : []),
    ...(toSet.length > 0
      ? [
          `Secrets and required variables are set with "npx wrangler secret put NAME": ${toSet.join(', ')}`,
        ]
      : []),
  ]
}
