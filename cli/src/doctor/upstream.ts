/** Whether users can sign in at the server that the component `auth` sends them to. */
import { AllowedHosts, type Manifest } from 'ftl-host'
import { entriesIn, permitProblem } from '../auth-server/permitted.ts'
import { reachUpstream } from '../auth-server/upstream.ts'
import { type Finding, ok, problem } from './finding.ts'
import { componentsWith, mayReach, type ValueSources } from './values.ts'

const VARIABLE = 'auth_upstream'
const PAGE = 'docs/auth-server.md#users-of-another-server'

/** Asks the provider for its metadata, as the component will. */
export async function checkUpstream(manifest: Manifest, sources: ValueSources): Promise<Finding[]> {
  const components = await componentsWith(VARIABLE, manifest, sources)
  const used = components.filter(({ value }) => value(VARIABLE) !== '')
  const found = used.map(async ({ component, value, resolve }) => {
    const upstream = value(VARIABLE)
    const about = `component ${component.id}`
    const missing = ['auth_upstream_users', 'auth_upstream_client_id']
      .filter((name) => value(name).trim() === '')
      .map((name) =>
        problem(about, `${name} has no value, so no user can sign in`, `set it: ${PAGE}`),
      )
    const reached = await reachUpstream(upstream)
    if (typeof reached === 'string')
      return [
        ...missing,
        problem(about, `${upstream} cannot be used: ${reached}`, 'check auth_upstream'),
      ]
    const unusable = permitProblem(upstream, entriesIn(value('auth_upstream_users').trim()))
    if (unusable !== undefined)
      missing.push(problem(about, `auth_upstream_users: ${unusable}`, `correct it: ${PAGE}`))
    const allowed = new AllowedHosts(() => component.allowedOutboundHosts.map(resolve))
    const closed = reached.hosts
      .filter((host) => !mayReach(allowed, host))
      .map((host) =>
        problem(
          about,
          `it may not request ${host}, so sign-ins with ${upstream} fail`,
          `add "${host}" to allowed_outbound_hosts of [component.${component.id}]`,
        ),
      )
    const findings = [...missing, ...closed]
    if (findings.length > 0) return findings
    const address = `${value('auth_server_url')}/auth/callback`
    return [ok(about, `users of ${upstream} sign in; the redirect address there is ${address}`)]
  })
  return (await Promise.all(found)).flat()
}
