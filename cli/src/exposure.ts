/** Refuses to serve a gateway without authentication to other machines. */
import { loadRuntimeConfig, type Manifest, Variables } from 'ftl-host'
import { CommandFailure } from './failure.ts'

export interface ExposureOptions {
  /** `host:port`. */
  listen: string
  /** Serve it anyway. @default false */
  insecure?: boolean
  /** Values of variables from the command line. */
  variable: Readonly<Record<string, string>>
  runtimeConfigFile?: string
}

const LOOPBACK = /^(127(\.\d+){3}|localhost|\[::1\]):\d+$/

/** One of these is set where the gateway authenticates its clients. */
const METHODS = ['auth_issuers', 'api_keys', 'trust_forwarded_user']

/**
 * @returns a warning if a gateway without authentication listens for other machines and `insecure` is set.
 * @throws {CommandFailure} if it is not set.
 * @throws {MissingVariablesError} {ManifestError} for a configuration that cannot be served anyway.
 */
export async function exposureWarning(
  manifest: Manifest,
  { listen, insecure = false, variable, runtimeConfigFile }: ExposureOptions,
): Promise<string | undefined> {
  if (LOOPBACK.test(listen)) return undefined
  const config =
    runtimeConfigFile === undefined ? undefined : await loadRuntimeConfig(runtimeConfigFile)
  const variables = new Variables(manifest, {
    overrides: variable,
    providers: config?.providers ?? [],
    env: process.env,
    folders: [process.cwd(), manifest.folder],
  })
  const open = [...manifest.components.values()].filter(
    ({ variables: own }) =>
      Object.hasOwn(own, 'tool_components') && !isAuthenticated(own, variables),
  )
  if (open.length === 0) return undefined
  const names = open.map(({ id }) => id).join(', ')
  const what = `every client that reaches ${listen} can call every tool, because ${names} does not authenticate its clients`
  if (insecure) return `WARNING: ${what} (--insecure)`
  throw new CommandFailure(
    `${what}.\n` +
      'Set api_keys ("ftl key new" makes one), auth_issuers, or trust_forwarded_user behind a proxy: docs/authentication.md.\n' +
      'To serve it nevertheless, for example behind a proxy that authenticates, add --insecure.',
  )
}

/** Whether a gateway authenticates its clients. @param own its variables */
export function isAuthenticated(
  own: Readonly<Record<string, string>>,
  variables: Pick<Variables, 'resolve'>,
): boolean {
  return METHODS.some((name) => {
    const template = Object.hasOwn(own, name) ? own[name] : undefined
    const text = template === undefined ? '' : variables.resolve(template)
    // The text of the policy follows in the same variable.
    const value = (name === 'trust_forwarded_user' ? text.replace(/;.*$/s, '') : text).trim()
    return value !== '' && value !== 'false'
  })
}
