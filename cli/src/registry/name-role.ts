/** Names of components with a meaning. `ftl` and the gateway treat a component by its name. */
import type { Manifest } from 'ftl-host'
import { CommandFailure } from '../terminal/failure.ts'

/** What `ftl` and the gateway do with a component of this name. */
const ROLES: ReadonlyMap<string, string> = new Map([
  ['mcp-gateway', 'is the gateway, which sees every call and every token'],
  ['code', 'runs the programs of run_code with the rights of their callers'],
  ['chat', 'is the chat, which has the key of the model and calls tools for its users'],
  ['web', 'is the web page, in which users sign in'],
  ['remote', 'holds the credentials of other MCP servers'],
  ...['generate-image', 'workflows', 'comfyui'].map(
    (id) =>
      [id, 'is one of the image tools, which call each other and read files of users'] as const,
  ),
  // Tools of the gateway, and the group of them in lists.
  ['gateway', 'stands for the gateway in lists of tools'],
  ['get-job', 'would be the tool get_job, which the gateway has'],
  ['cancel-job', 'would be the tool cancel_job, which the gateway has'],
  // The host name http://self is the application itself.
  ['self', 'stands for the application itself'],
])

/** Variables that make a component something else to the host. */
const ROLE_VARIABLES: ReadonlyMap<string, string> = new Map([
  ['tool_components', 'makes a component the gateway'],
  ['own_store', 'tells a component which store is its own'],
])

/** Variables of components whose values name components. */
const LISTS = ['code_component', 'saved_programs', 'image_components', 'policy', 'always_visible']

/** @throws {CommandFailure} */
export function refuseRole(id: string, variables: readonly string[]): void {
  const role = ROLES.get(id)
  if (role !== undefined)
    throw new CommandFailure(
      `"${id}" cannot be the name of an added component, because a component of this name ${role}: choose another name with --name`,
    )
  const name = variables.find((each) => ROLE_VARIABLES.has(each))
  if (name !== undefined)
    throw new CommandFailure(
      `the package wants the variable "${name}", which ${ROLE_VARIABLES.get(name)}: ftl add cannot give it`,
    )
}

/**
 * The places where the application refers to a component that it does not have, as texts that continue "it". A component
 * that gets the name is then called there, or has the rights that a rule gives to the name.
 */
export function waitingFor({ components, variables }: Manifest, id: string): string[] {
  if (components.has(id)) return []
  const word = new RegExp(`(?<![a-z0-9-])${id}(?![a-z0-9-])`)
  return [...components.values()].flatMap((component) => {
    const calls = component.allowedOutboundHosts.some((host) =>
      new RegExp(`://${id}\\.spin\\.internal(?![\\w.-])`).test(host),
    )
    const named = LISTS.filter((list) => {
      const template = Object.hasOwn(component.variables, list) ? component.variables[list] : ''
      return word.test(resolved(template ?? '', variables))
    })
    return [
      ...(calls ? [`will be called by ${component.id}, whose allowed_outbound_hosts name it`] : []),
      ...named.map((list) => `is named already in the variable ${list} of ${component.id}`),
    ]
  })
}

/** With the defaults of the application's variables, and the values of the environment. */
function resolved(template: string, variables: Manifest['variables']): string {
  return template.replaceAll(
    /\{\{\s*([a-z0-9_]+)\s*\}\}/g,
    (_, name: string) =>
      process.env[`SPIN_VARIABLE_${name.toUpperCase()}`] ?? variables.get(name)?.default ?? '',
  )
}

/** @throws {CommandFailure} when a name that is waited for was chosen by the package, and not by the user. */
export function refuseWaitedFor(id: string, waiting: readonly string[], isNamed: boolean): void {
  if (waiting.length === 0 || isNamed) return
  throw new CommandFailure(
    `"${id}" ${waiting.join('; it ')}. Nothing was changed. If the package may have that name, add --name ${id}. Otherwise choose ` +
      'another name with --name.',
  )
}
