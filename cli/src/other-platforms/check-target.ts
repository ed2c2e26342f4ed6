/** What a component may have that a platform other than Spin cannot give it. */
import type { ScriptTarget } from '../build/script-bundle.ts'
import { CommandFailure } from '../failure.ts'
import type { JoinedComponent } from '../members/join-components.ts'

const TITLES: Readonly<Record<ScriptTarget, string>> = {
  workers: 'Cloudflare Workers',
  node: 'Node',
}

/** Bytes of files that become part of a Worker. */
export const WORKER_FILES_LIMIT = 1024 * 1024

/** @throws {CommandFailure} naming what cannot be there. */
export function checkTarget(
  name: string,
  { hosts, environment }: JoinedComponent,
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
  if (target === 'workers' && Object.keys(environment).length > 0) {
    problems.push('environment: a Worker has no environment variables. Use variables')
  }
  if (problems.length === 0) return
  throw new CommandFailure(`--target ${target}: ${name}: ${problems.join('\n')}`)
}
