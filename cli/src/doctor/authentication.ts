/** The variables of authentication of an application: whether they can be used, and what the issuers themselves say. */
import { authProblems, type Issuer, readIssuers } from 'ftl-gateway/auth'
import { parsePolicy, PolicyError } from 'ftl-gateway/policy'
import { AllowedHosts, type Manifest } from 'ftl-host'
import { CommandFailure } from '../terminal/failure.ts'
import { type Finding, problem } from './finding.ts'
import { checkIssuer } from './issuer.ts'
import { checkUpstream } from './upstream.ts'
import { componentsWith, mayReach, type ValueSources } from './values.ts'

/** A variable that only gateways have. */
const GATEWAY = 'tool_components'

/**
 * Stops a start with a variable that would make each request fail.
 *
 * @throws {CommandFailure}
 */
export async function requireUsableAuthentication(
  manifest: Manifest,
  sources: ValueSources,
): Promise<void> {
  const gateways = await componentsWith(GATEWAY, manifest, sources)
  const [first] = gateways.flatMap(({ value }) => authProblems({ get: value }))
  if (first) throw new CommandFailure(`${first.message} docs/authentication.md`)
  for (const { value } of gateways) requireUsablePolicy(value('policy').trim())
}

function requireUsablePolicy(text: string): void {
  try {
    if (text !== '') parsePolicy(text)
  } catch (error) {
    if (!(error instanceof PolicyError)) throw error
    throw new CommandFailure(
      `The variable "policy" is not valid: ${error.message}. "ftl policy check" says more: docs/authorization.md`,
    )
  }
}

/** Asks each issuer for its metadata and keys, as the gateway will. */
export async function checkAuthentication(
  manifest: Manifest,
  sources: ValueSources,
): Promise<Finding[]> {
  const found = (await componentsWith(GATEWAY, manifest, sources)).map(async (gateway) => {
    const { component, value, resolve } = gateway
    const problems = authProblems({ get: value })
    if (problems.length > 0) {
      return problems.map(({ message }) =>
        problem(`component ${component.id}`, message, 'correct it: docs/authentication.md'),
      )
    }
    const allowed = new AllowedHosts(() => component.allowedOutboundHosts.map(resolve))
    const checks = readIssuers(value('auth_issuers')).map(async (issuer) => [
      ...reachable(issuer, allowed),
      ...(await checkIssuer(issuer, value('auth_audience'), hasPage(manifest))),
    ])
    return (await Promise.all(checks)).flat()
  })
  return [...(await Promise.all(found)).flat(), ...(await checkUpstream(manifest, sources))]
}

/** The gateway could not get the keys, and every request would be a 503. */
function reachable({ issuer, jwksUri, keys }: Issuer, allowed: AllowedHosts): Finding[] {
  if (keys) return []
  const { origin } = new URL(jwksUri ?? issuer)
  return !mayReach(allowed, origin)
    ? [
        problem(
          'auth_host',
          `the gateway may not request the keys of ${issuer}`,
          `set auth_host=${origin}, or add it to allowed_outbound_hosts of the gateway`,
        ),
      ]
    : []
}

const hasPage = ({ components }: Manifest) =>
  [...components.values()].some(({ variables }) => Object.hasOwn(variables, 'auth_client_id'))
