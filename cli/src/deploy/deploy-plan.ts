/** `ftl deploy plan`: what a platform takes, what does not fit, and what to do about it. */
import { type Manifest, MissingVariablesError, Variables } from 'ftl-host'
import { CURRENT_VARIABLES } from '../declarations/undeclared.ts'
import { type Finding, ok, problem, unsuitable, warning } from '../doctor/finding.ts'
import { isAuthenticated, lacksAudience } from '../serve/exposure.ts'
import type { DeployedComponent } from './deployed-component.ts'
import { readDeployed } from './deployed-component.ts'
import type { DeployTarget } from './deploy-target.ts'

export interface DeployPlan {
  components: readonly DeployedComponent[]
  /** Bytes of all components that are built. */
  bytes: number
  findings: readonly Finding[]
  /** Variables that have no value, and those with the value of this machine, which has to be another one there. */
  toSet: readonly string[]
}

/** Bytes of the JavaScript engine, which each component made by `ftl build` has: docs/engine.md. */
const ENGINE_BYTES = 1_980_000

/** Time the gateway has left to answer before the platform ends the request. */
const MARGIN_MS = 2000

const LOOPBACK = /^(\w+|\*):\/\/(127(\.\d+){3}|localhost|\[::1\])(:|\/|$)/

const WAITS: Readonly<Record<string, string>> = {
  call_timeout_ms: '30000',
  wait_limit_ms: '50000',
  stream_limit_ms: '540000',
}

/**
 * @param values of variables, as at the target.
 * @param folders whose `.env` the target is started with, as `ftl up` reads them.
 */
export async function planDeployment(
  manifest: Manifest,
  target: DeployTarget,
  values: Readonly<Record<string, string>>,
  folders: readonly string[] = [],
): Promise<DeployPlan> {
  const fromFiles = target.readsEnvFile ? folders : []
  const unset = withoutValue(manifest, values, fromFiles)
  // A value that is not known yet must not end the plan.
  const overrides = { ...Object.fromEntries(unset.map((name) => [name, ''])), ...values }
  const variables = new Variables(manifest, { overrides, env: {}, folders: fromFiles })
  const resolve = (template: string) => variables.resolve(template)
  const components = await readDeployed(manifest, resolve)
  const gateways = [...manifest.components.values()].filter(({ variables: own }) =>
    Object.hasOwn(own, 'tool_components'),
  )
  if (target.isBridge) {
    const findings = gateways.map(({ id, variables: own }) => checkBridge(id, own, resolve))
    return { components, bytes: sum(components), findings, toSet: [] }
  }
  const local = (target.isPublic ? [...manifest.variables.keys()] : []).filter((name) =>
    LOOPBACK.test(variables.values([name])[name] ?? ''),
  )
  const addresses = local.map((name) => variables.values([name])[name] ?? '')
  const findings = [
    ...checkBuilt(components),
    checkSize(components, target),
    ...checkStores(components, target),
    ...components.flatMap((component) => checkHosts(component, target, addresses)),
    ...gateways.flatMap(({ id, variables: own }) => [
      ...checkTimes(id, own, { resolve, target }),
      ...checkSecrets(id, own, { variables, target }),
    ]),
    ...local.map((name) =>
      warning(
        `variable ${name}`,
        'names this machine, which the platform does not reach',
        `give the address there: --variable ${name}=…`,
      ),
    ),
  ]
  const bytes = sum(components)
  const declared = findings.map((finding) => declaring(finding, manifest))
  return { components, bytes, findings: declared, toSet: [...unset, ...local] }
}

/** Names of required variables that have no value. */
function withoutValue(
  manifest: Manifest,
  overrides: Readonly<Record<string, string>>,
  folders: readonly string[],
): readonly string[] {
  try {
    new Variables(manifest, { overrides, env: {}, folders })
    return []
  } catch (error) {
    if (error instanceof MissingVariablesError) return error.variables
    throw error
  }
}

/** A value can only be given for a variable that the application declares. */
function declaring(finding: Finding, { variables }: Manifest): Finding {
  const [, name = ''] = /^variable (\w+)$/.exec(finding.about) ?? []
  if (!CURRENT_VARIABLES.includes(name) || variables.has(name)) return finding
  return { ...finding, remedy: `ftl doctor --fix declares it; then ${finding.remedy}` }
}

/** The bridge takes no part of the application; the gateway has to name its address to clients. */
function checkBridge(
  id: string,
  own: Readonly<Record<string, string>>,
  resolve: (template: string) => string,
): Finding {
  // Without the variable, clients are sent to none.
  const address = resolve(own['bridge_url'] ?? 'off')
  if (/^(https|wss):/.test(address)) return ok('variable bridge_url', `is ${address} for ${id}`)
  const sent =
    address === 'off'
      ? `${id} sends no client to it`
      : `${id} sends clients to a bridge on its own machine`
  const message = `does not name the address of the Worker, so ${sent}`
  const remedy = 'deploy the gateway with --variable bridge_url=https://…'
  return warning('variable bridge_url', message, remedy)
}

const sum = (components: readonly DeployedComponent[]) =>
  components.reduce((total, { bytes = 0 }) => total + bytes, 0)

function checkBuilt(components: readonly DeployedComponent[]): Finding[] {
  return components.flatMap(({ id, bytes, missing }) => {
    const about = `component ${id}`
    if (bytes === undefined) return [problem(about, 'is not built', `ftl build ${id}`)]
    if (missing.length === 0) return []
    const remedy = 'build it for the world of wit/world.wit; docs/other-languages.md says how'
    return [problem(about, `imports ${missing.join(', ')}, which platforms do not offer`, remedy)]
  })
}

function checkSize(
  components: readonly DeployedComponent[],
  { applicationBytes = Infinity, title }: DeployTarget,
): Finding {
  const bytes = sum(components)
  const about = 'size'
  if (applicationBytes === Infinity) return ok(about, `${mib(bytes)} in all`)
  if (bytes <= applicationBytes) {
    return ok(about, `${mib(bytes)} in all; ${title} accepts ${mib(applicationBytes)}`)
  }
  const message = `${mib(bytes)} in all, and ${title} accepts ${mib(applicationBytes)}`
  return problem(about, message, groupRemedy(components, bytes - applicationBytes))
}

/** Which tools to put into one component, so that enough engines are saved. */
function groupRemedy(components: readonly DeployedComponent[], over: number): string {
  const tools = components
    .filter(({ isGateway, bytes }) => !isGateway && bytes !== undefined)
    .toSorted((a, b) => (a.bytes ?? 0) - (b.bytes ?? 0))
  const count = Math.ceil(over / ENGINE_BYTES) + 1
  const saved = mib((Math.min(count, tools.length) - 1) * ENGINE_BYTES)
  const names = tools.slice(0, count).map(({ id }) => id)
  if (names.length < 2) return 'leave components out'
  const enough = count <= tools.length ? '' : ', which is not enough: leave components out as well'
  return `put the tools of ${names.join(', ')} into one component, with ftl build --group or createTools: about ${saved} less${enough}`
}

function checkStores(components: readonly DeployedComponent[], target: DeployTarget): Finding[] {
  const { stores, title, isSpread } = target
  const findings = components.flatMap(({ id, stores: labels }) => {
    const others = labels.filter((label) => label !== 'default')
    if (others.length === 0) return []
    const names = others.map((label) => `"${label}"`).join(', ')
    return stores === undefined
      ? [
          warning(
            `component ${id}`,
            `opens the stores ${names}`,
            'define them in the runtime configuration of the platform',
          ),
        ]
      : [
          problem(
            `component ${id}`,
            `opens the stores ${names}, and ${title} has only ${stores.join(', ')}`,
            'use the store "default"',
          ),
        ]
  })
  if (!isSpread || stores !== undefined) return findings
  const message = 'instances do not share the store of a pod'
  const remedy = 'give all of them one Redis or Valkey in the runtime configuration: docs/scale.md'
  return [...findings, warning('store default', message, remedy)]
}

/** @param known values of variables that are reported by themselves. */
function checkHosts(
  { id, hosts }: DeployedComponent,
  { isPublic }: DeployTarget,
  known: readonly string[],
): Finding[] {
  if (!isPublic) return []
  const every = hosts
    .filter((host) => /^[^:]+:\/\/\*(:\*)?$/.test(host))
    .map((host) => {
      const message = `may reach every host (${host})`
      return warning(`component ${id}`, message, 'name its hosts in allowed_outbound_hosts')
    })
  const own = hosts.filter((host) => LOOPBACK.test(host) && !known.includes(host))
  if (own.length === 0) return every
  const message = `names this machine (${own.join(', ')}), which the platform does not reach`
  const remedy = 'name the addresses there in allowed_outbound_hosts'
  return [...every, warning(`component ${id}`, message, remedy)]
}

interface TimeCheck {
  resolve: (template: string) => string
  target: DeployTarget
}

function checkTimes(
  id: string,
  own: Readonly<Record<string, string>>,
  { resolve, target: { requestMs = Infinity, title } }: TimeCheck,
): Finding[] {
  const most = requestMs - MARGIN_MS
  return Object.entries(WAITS).flatMap(([name, assumed]) => {
    const template = Object.hasOwn(own, name) ? own[name] : undefined
    const inSettings = /(?:^|;)\s*call_timeout_ms=([^;]*)/.exec(resolve(own['call_settings'] ?? ''))
    const given = name === 'call_timeout_ms' ? inSettings?.[1]?.trim() : undefined
    const value = Number(given ?? (template === undefined ? assumed : resolve(template)))
    if (!(value > most)) return []
    const message = `is ${value} ms for ${id}, and ${title} ends a request after ${requestMs} ms`
    return [unsuitable(message, `${name}=${most}`)]
  })
}

interface SecretCheck {
  variables: Variables
  target: DeployTarget
}

function checkSecrets(
  id: string,
  own: Readonly<Record<string, string>>,
  { variables, target }: SecretCheck,
): Finding[] {
  const value = (name: string) =>
    Object.hasOwn(own, name) ? variables.resolve(own[name] ?? '') : ''
  const findings: Finding[] = []
  if (!isAuthenticated(own, variables)) {
    const message = 'does not authenticate its clients: each of them may call every tool'
    const remedy =
      'set api_keys ("ftl key new" makes one), auth_issuers or trust_forwarded_user: docs/authentication.md'
    findings.push(warning(`component ${id}`, message, remedy))
  }
  if (target.isPublic && lacksAudience(own, variables)) {
    const message =
      'is empty, so the gateway cannot tell a token for it from one for another server'
    findings.push(unsuitable(message, 'auth_audience=…', ', with the address that clients use'))
  }
  if (value('request_state_key') === '') {
    const message = target.isSpread
      ? 'is empty: instances cannot open what another one has sealed, and other components can change what the gateway stores'
      : 'is empty: other components can change what the gateway stores'
    const remedy = '--variable request_state_key=…, with 32 random characters'
    findings.push(warning('variable request_state_key', message, remedy))
  }
  if (target.isPublic && value('allowed_hosts') === '') {
    const message = 'is empty: requests to any name but localhost are refused'
    findings.push(unsuitable(message, 'allowed_hosts=…', ', with the name that clients use'))
  }
  return findings
}

export function mib(bytes: number): string {
  return `${(bytes / 1024 ** 2).toFixed(1)} MiB`
}
