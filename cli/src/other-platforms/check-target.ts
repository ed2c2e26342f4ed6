/** What a component may have that a platform other than Spin cannot give it. */
import type { Manifest } from 'ftl-host'
import type { ScriptTarget } from '../build/script-bundle.ts'
import { CommandFailure } from '../terminal/failure.ts'
import type { JoinedComponent } from '../members/join-components.ts'

const TITLES: Readonly<Record<ScriptTarget, string>> = {
  workers: 'Cloudflare Workers',
  node: 'Node',
}

/** Bytes of files that become part of a Worker. */
export const WORKER_FILES_LIMIT = 1024 * 1024

/** Bytes of a Worker that Cloudflare takes, compressed. @see https://developers.cloudflare.com/workers/platform/limits/ */
export const WORKER_LIMIT = 10_000_000
/** The same without a paid plan. */
export const FREE_WORKER_LIMIT = 3_000_000

/** The binding of a key-value store on Workers: a name of JavaScript. */
export const bindingOf = (label: string) =>
  `KV_${label.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}`

/** @throws {CommandFailure} naming what cannot be there. */
export function checkTarget(
  name: string,
  { hosts, environment, stores }: JoinedComponent,
  target: ScriptTarget,
): void {
  const title = TITLES[target]
  const problems: string[] = []
  for (const host of hosts) {
    if (/\/\d+(:|$)/.test(host.replace('://', ''))) {
      problems.push(
        `allowed_outbound_hosts has the network ${host}, which is not checked on ${title}: list the addresses`,
      )
    }
    if (/^[^:]+:\/\/self\b/.test(host)) {
      problems.push(
        `allowed_outbound_hosts has ${host}: there is no address of the application itself on ${title}`,
      )
    }
    if (target === 'node' && /^[^:]+:\/\/\*(:|$|\/)/.test(host)) {
      problems.push(
        `allowed_outbound_hosts has ${host}: on Node this would allow this machine and its network. Name the hosts`,
      )
    }
  }
  if (Object.keys(environment).length > 0) {
    problems.push(
      target === 'workers'
        ? 'environment: a Worker has no environment variables. Use variables'
        : 'environment: the server on Node has the environment of its process. Use variables',
    )
  }
  const taken = new Map<string, string>()
  for (const label of target === 'workers' ? stores : []) {
    const binding = bindingOf(label)
    const other = taken.get(binding)
    if (other !== undefined) {
      problems.push(
        `key_value_stores: "${other}" and "${label}" would both be ${binding}: rename one of them`,
      )
    }
    taken.set(binding, label)
  }
  if (problems.length === 0) return
  throw new CommandFailure(`--target ${target}: ${name}: ${problems.join('\n')}`)
}

/** @throws {CommandFailure} naming a route that no component serves. */
export function checkRoutes({ triggers }: Pick<Manifest, 'triggers'>, target: ScriptTarget): void {
  const fixed = triggers.find(({ target: to }) => !('component' in to))
  if (!fixed) return
  throw new CommandFailure(
    `--target ${target}: the route ${fixed.route ?? fixed.id} has a static_response, which only Spin serves: let a component answer it`,
  )
}
