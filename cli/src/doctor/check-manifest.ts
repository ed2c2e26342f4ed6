/** Checks `spin.toml`: variables without a value, missing components, components without a trigger, outbound hosts. */
import { type ComponentManifest, type Manifest, MissingVariablesError, Variables } from 'ftl-host'
import { memberNames, placed } from '../members/placed-names.ts'
import { listOf } from '../policy/component-list.ts'
import { checkDeclarations } from './gateway-variables.ts'
import { type Finding, ok, problem, warning } from './finding.ts'
import { checkPolicyOf } from './policy.ts'

/** Outbound hosts that a gateway must be allowed, to reach the components. */
const INTERNAL = /^(http|\*):\/\/\*\.spin\.internal(:80|:\*)?\/?$/

/** The gateway reads these from `call_settings`, and not as variables of its own. */
const CALL_SETTINGS = [
  'audit',
  'audit_arguments',
  'calls_per_minute',
  'jobs_per_day',
  'job_ttl_ms',
  'store_bytes',
]

/** Variables of the gateway that have another name now: the gateway reads the old one if the new one is not set. */
const RENAMED = [['code_limits', 'program_limits']] as const

/** @param overrides values from the command line; the environment and `.env` are read as well. */
export function checkSettings(
  manifest: Manifest,
  overrides: Readonly<Record<string, string>>,
): Finding[] {
  const findings: Finding[] = []
  try {
    const folders = [process.cwd(), manifest.folder]
    const variables = new Variables(manifest, { overrides, env: process.env, folders })
    findings.push(ok('variables', 'every required one has a value'))
    for (const component of manifest.components.values()) {
      const template = component.variables['tool_components']
      if (template === undefined) continue
      findings.push(...checkGateway(component, manifest, listOf(variables.resolve(template))))
      findings.push(...checkPolicyOf(component, variables))
      findings.push(...withoutEffect(component), ...renamed(component, variables))
    }
  } catch (error) {
    if (!(error instanceof MissingVariablesError)) throw error
    findings.push(...error.variables.map(missingVariable))
  }
  return [...findings, ...checkDeclarations(manifest), ...checkTriggers(manifest)]
}

/** Problems of a running application, and variables with an earlier name. Leaves out missing variables, because the host reports them itself. */
export function problemsAtStart(
  manifest: Manifest,
  overrides: Readonly<Record<string, string>>,
): Finding[] {
  return checkSettings(manifest, overrides).filter(
    ({ level, about }) =>
      (level === 'problem' && !about.startsWith('variable ')) || about.startsWith(EARLIER_NAME),
  )
}

function missingVariable(name: string): Finding {
  const remedy = `set SPIN_VARIABLE_${name.toUpperCase()}, put that into .env, or start with --variable ${name}=…`
  return problem(`variable ${name}`, 'is required and has no value', remedy)
}

function checkGateway(
  gateway: ComponentManifest,
  manifest: Manifest,
  entries: readonly string[],
): Finding[] {
  const { id, allowedOutboundHosts } = gateway
  const inside = memberNames(gateway)
  const named = entries.filter((entry) => !inside.includes(entry)).map(placed)
  const findings: Finding[] = []
  if (named.length === 0 && inside.length > 0) {
    findings.push(ok(`component ${id}`, 'has its tools in its own file'))
  } else if (allowedOutboundHosts.some((host) => INTERNAL.test(host))) {
    findings.push(ok(`component ${id}`, 'may call the other components'))
  } else {
    findings.push(
      problem(
        `component ${id}`,
        'may not call the other components',
        `add "http://*.spin.internal" to allowed_outbound_hosts of [component.${id}]`,
      ),
    )
  }
  for (const each of named) findings.push(...checkNamed(each, id, manifest))
  const places = named.map(({ place }) => place)
  for (const tool of unlisted(id, manifest, places)) {
    const message =
      'has a private route only and is not in tool_components: its tools are not listed'
    const remedy = `add "${tool}" to tool_components, unless only other components are to call it`
    findings.push(warning(`component ${tool}`, message, remedy))
  }
  return findings
}

function checkNamed(
  { name, place }: ReturnType<typeof placed>,
  gateway: string,
  { components, triggers }: Manifest,
): Finding[] {
  const component = components.get(place)
  if (!component) {
    const message = `names "${place}", and there is no such component`
    const known = [...components.keys()].filter((each) => each !== gateway).join(', ')
    return [problem('tool_components', message, `name some of: ${known}`)]
  }
  const members = memberNames(component)
  if (members.length > 0 && !members.includes(name)) {
    const remedy = `write ${members.map((member) => `${member}@${place}`).join(', ')}`
    return [problem('tool_components', `names no member of "${place}"`, remedy)]
  }
  const isTriggered = triggers.some(
    ({ target }) => 'component' in target && target.component === place,
  )
  if (isTriggered) return []
  const message = `names "${place}", which nothing can call: it has no trigger`
  const remedy = `add [[trigger.http]] with route = { private = true } and component = "${place}"`
  return [problem('tool_components', message, remedy)]
}

const EARLIER_NAME = 'earlier name'

function renamed({ id, variables }: ComponentManifest, known: Variables): Finding[] {
  return RENAMED.filter(([old]) => known.resolve(variables[old] ?? '').trim() !== '').map(
    ([old, name]) =>
      warning(
        `${EARLIER_NAME} ${old}`,
        `the variable ${old} of ${id} is called ${name} now, and still works`,
        `set ${name} instead`,
      ),
  )
}

/** An operator who sets a limit as a variable of the gateway would have no limit. */
function withoutEffect({ id, variables }: ComponentManifest): Finding[] {
  return CALL_SETTINGS.filter((name) => Object.hasOwn(variables, name)).map((name) => {
    const message = `the variable ${name} of ${id} has no effect: the gateway reads it in call_settings`
    const value = `${name}=${variables[name]}`
    const remedy = Object.hasOwn(variables, 'call_settings')
      ? `add "${value}" to call_settings of [component.${id}.variables] instead, after a semicolon`
      : `set call_settings = "${value}" in [component.${id}.variables] instead`
    return problem(name, message, remedy)
  })
}

/** Components that have only private routes and are not listed in the gateway. */
function unlisted(
  gateway: string,
  { components, triggers }: Pick<Manifest, 'components' | 'triggers'>,
  named: readonly string[],
): string[] {
  const routes = (id: string) =>
    triggers.filter(({ target }) => 'component' in target && target.component === id)
  return [...components.keys()].filter((id) => {
    const own = routes(id)
    const isPrivate = own.length > 0 && own.every(({ route }) => route === undefined)
    return id !== gateway && isPrivate && !named.includes(id)
  })
}

function checkTriggers({ triggers, components }: Manifest): Finding[] {
  const triggered = new Set(
    triggers.flatMap(({ target }) => ('component' in target ? [target.component] : [])),
  )
  const idle = [...components.keys()].filter((id) => !triggered.has(id))
  return idle.map((id) =>
    warning(
      `component ${id}`,
      'has no trigger, so nothing can reach it',
      `add [[trigger.http]] with route = { private = true } and component = "${id}"`,
    ),
  )
}
