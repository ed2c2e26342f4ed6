/** Where the policy comes from: a file, or the variable of the gateway as the host would resolve it. */
import { readFile } from 'node:fs/promises'
import { type ComponentManifest, type Manifest, Variables } from 'ftl-host'
import { parsePolicy, type Policy, PolicyError } from 'ftl-gateway/policy'
import { CommandFailure } from '../terminal/failure.ts'

export interface PolicySource {
  /** For messages: the name of the file, or of the variable. */
  name: string
  policy: Policy
}

/**
 * @param file without it, the variable `policy` of the gateway.
 * @throws {CommandFailure} if there is no policy, or if it is not valid.
 */
export async function readPolicy(
  manifest: Manifest,
  file: string | undefined,
  overrides: Readonly<Record<string, string>>,
): Promise<PolicySource> {
  if (file !== undefined) return parsed(file, await textOf(file))
  const gateway = gatewayOf(manifest)
  const template = variableOf(gateway, 'policy')
  if (template === undefined) {
    throw new CommandFailure(
      `[component.${gateway.id}.variables] has no policy, so the gateway has none: add policy = "{{ policy }}", and ` +
        'policy = { default = "" } to [variables]',
    )
  }
  const text = variablesOf(manifest, overrides).resolve(template).trim()
  if (text !== '') return parsed('the variable policy', text)
  throw new CommandFailure(
    'there is no policy: name a file, set SPIN_VARIABLE_POLICY, or add --variable policy=@policy.json. ' +
      'Where authentication is configured, nothing is permitted without one',
  )
}

/** The component that has the tools of others. @throws {CommandFailure} */
export function gatewayOf({ components, file }: Manifest): ComponentManifest {
  const gateway = [...components.values()].find(
    (component) => variableOf(component, 'tool_components') !== undefined,
  )
  if (gateway) return gateway
  throw new CommandFailure(`${file} has no gateway: no component has the variable tool_components`)
}

/** The template of a variable. */
export function variableOf({ variables }: ComponentManifest, name: string): string | undefined {
  return Object.hasOwn(variables, name) ? variables[name] : undefined
}

export function variablesOf(
  manifest: Manifest,
  overrides: Readonly<Record<string, string>>,
): Variables {
  const folders = [process.cwd(), manifest.folder]
  // What is asked for is the policy: a secret that only a tool needs may be missing here.
  return new Variables(manifest, { overrides, env: process.env, folders, partial: true })
}

async function textOf(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch (error) {
    throw new CommandFailure(`${file} cannot be read: ${(error as Error).message}`)
  }
}

function parsed(name: string, text: string): PolicySource {
  try {
    const policy = parsePolicy(text)
    if (policy) return { name, policy }
  } catch (error) {
    if (!(error instanceof PolicyError)) throw error
    const { message, path } = error
    const inside = path === '' ? message.replace(/^it /, '') : message
    throw new CommandFailure(`${name}${path === '' ? ' ' : ': '}${inside}${syntaxOf(text)}`)
  }
  throw new CommandFailure(`${name} is empty`)
}

/** Where the text stops to be JSON. */
function syntaxOf(text: string): string {
  if (!/^\s*[{[]/.test(text)) return ''
  try {
    JSON.parse(text)
    return ''
  } catch (error) {
    return `\n${(error as Error).message}`
  }
}
