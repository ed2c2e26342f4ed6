/** Refuses to serve a gateway to other machines without authentication, or without saying what tokens must be for. */
import { loadRuntimeConfig, type Manifest, Variables } from 'ftl-host'
import { CommandFailure } from '../terminal/failure.ts'

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

/** @param listen `host:port`. */
export const isLoopback = (listen: string): boolean => LOOPBACK.test(listen)

/** One of these is set where the gateway authenticates its clients. */
const METHODS = ['auth_issuers', 'api_keys', 'trust_forwarded_user']

/**
 * @returns a warning if such a gateway listens for other machines and `insecure` is set.
 * @throws {CommandFailure} if it is not set.
 * @throws {MissingVariablesError} {ManifestError} for a configuration that cannot be served anyway.
 */
export async function exposureWarning(
  manifest: Manifest,
  { listen, insecure = false, variable, runtimeConfigFile }: ExposureOptions,
): Promise<string | undefined> {
  if (isLoopback(listen)) return undefined
  const config =
    runtimeConfigFile === undefined ? undefined : await loadRuntimeConfig(runtimeConfigFile)
  const variables = new Variables(manifest, {
    overrides: variable,
    providers: config?.providers ?? [],
    env: process.env,
    folders: [process.cwd(), manifest.folder],
  })
  const gateways = [...manifest.components.values()].filter(({ variables: own }) =>
    Object.hasOwn(own, 'tool_components'),
  )
  const namesOf = (isAt: (own: Readonly<Record<string, string>>) => boolean) =>
    gateways.flatMap(({ id, variables: own }) => (isAt(own) ? id : [])).join(', ')
  const open = namesOf((own) => !isAuthenticated(own, variables))
  const vague = namesOf((own) => lacksAudience(own, variables))
  const problem = open === '' ? vagueProblem(vague, listen) : openProblem(open, listen)
  if (problem === undefined) return undefined
  const { what, remedy } = problem
  if (insecure) return `WARNING: ${what} (--insecure)`
  throw new CommandFailure(`${what}.\n${remedy}`)
}

interface Problem {
  what: string
  remedy: string
}

function openProblem(names: string, listen: string): Problem {
  return {
    what: `every client that reaches ${listen} can call every tool, because ${names} does not authenticate its clients`,
    remedy:
      'Set api_keys ("ftl key new" makes one), auth_issuers, or trust_forwarded_user behind a proxy: docs/authentication.md.\n' +
      'To serve it nevertheless, for example behind a proxy that authenticates, add --insecure.',
  }
}

function vagueProblem(names: string, listen: string): Problem | undefined {
  if (names === '') return undefined
  return {
    what: `clients that reach ${listen} choose by the header Host which server their tokens must be for, because ${names} has auth_issuers and no auth_audience`,
    remedy:
      'Set auth_audience to the address that clients use, such as https://gateway.example/mcp: docs/authentication.md.\n' +
      'To serve it nevertheless, for names in allowed_hosts only, add --insecure.',
  }
}

/** Whether a gateway accepts tokens of issuers, and nothing says what they must be for. @param own its variables */
export function lacksAudience(
  own: Readonly<Record<string, string>>,
  variables: Pick<Variables, 'resolve'>,
): boolean {
  const value = (name: string) =>
    Object.hasOwn(own, name) ? variables.resolve(own[name] ?? '').trim() : ''
  return value('auth_issuers') !== '' && value('auth_audience') === ''
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
