/** The variables of authentication of an application: whether they can be used, and what the issuers themselves say. */
import { authProblems, type Issuer, readIssuers } from 'ftl-gateway/auth'
import { parsePolicy, PolicyError } from 'ftl-gateway/policy'
import {
  AllowedHosts,
  type ComponentManifest,
  defaultPort,
  loadRuntimeConfig,
  type Manifest,
  MissingVariablesError,
  Variables,
} from 'ftl-host'
import { CommandFailure } from '../terminal/failure.ts'
import { type Finding, problem } from './finding.ts'
import { checkIssuer } from './issuer.ts'

/** The variables of one gateway, with their values. */
type Values = (name: string) => string

interface Gateway {
  component: ComponentManifest
  value: Values
  resolve: (template: string) => string
}

/** Where values come from. */
export interface ValueSources {
  /** From the command line. */
  variable: Readonly<Record<string, string>>
  runtimeConfigFile?: string | undefined
}

/** @returns none while required variables have no value: others report that. */
async function gatewaysOf(
  manifest: Manifest,
  { variable: overrides, runtimeConfigFile: file }: ValueSources,
): Promise<Gateway[]> {
  const folders = [process.cwd(), manifest.folder]
  const { providers = [] } = file === undefined ? {} : await loadRuntimeConfig(file)
  let variables: Variables
  try {
    variables = new Variables(manifest, { overrides, providers, env: process.env, folders })
  } catch (error) {
    if (error instanceof MissingVariablesError) return []
    throw error
  }
  const resolve = (template: string) => variables.resolve(template)
  return [...manifest.components.values()]
    .filter(({ variables: own }) => Object.hasOwn(own, 'tool_components'))
    .map((component) => {
      const { variables: own } = component
      const value: Values = (name) => (Object.hasOwn(own, name) ? resolve(own[name] ?? '') : '')
      return { component, value, resolve }
    })
}

/**
 * Stops a start with a variable that would make each request fail.
 *
 * @throws {CommandFailure}
 */
export async function requireUsableAuthentication(
  manifest: Manifest,
  sources: ValueSources,
): Promise<void> {
  const gateways = await gatewaysOf(manifest, sources)
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
  const found = (await gatewaysOf(manifest, sources)).map(async (gateway) => {
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
  return (await Promise.all(found)).flat()
}

/** The gateway could not get the keys, and every request would be a 503. */
function reachable({ issuer, jwksUri, keys }: Issuer, allowed: AllowedHosts): Finding[] {
  if (keys) return []
  const { protocol, hostname, port, origin } = new URL(jwksUri ?? issuer)
  const scheme = protocol.slice(0, -1)
  const host = hostname.replace(/^\[|\]$/g, '')
  const destination = { scheme, host, port: port === '' ? defaultPort(scheme) : Number(port) }
  return allowed.reach(destination) === undefined
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
