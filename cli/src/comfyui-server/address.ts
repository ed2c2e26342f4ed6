/** The address of a ComfyUI server as it is typed: with a path of a proxy, with a user and password, or with a mistake. */
import { authHeader } from 'ftl-comfyui/job'
import { CommandFailure } from '../terminal/failure.ts'
import { visible } from '../terminal/visible-text.ts'

export interface ComfyuiAddress {
  /** Scheme, host and port: what `allowed_outbound_hosts` can name. */
  origin: string
  /** `/comfyui` of `http://host/comfyui`; empty: none. */
  path: string
  /** The header that user and password make: `Authorization: Basic …`. */
  auth?: string
}

/** What to type with this address: `COMFYUI_URL=… ftl start`. */
export type Typed = (url: string) => string

export interface AddressProblem {
  message: string
  remedy: string
}

const TIMEOUT_MS = 3_000

/** @throws {CommandFailure} with what is wrong and what to type. */
export function readComfyuiAddress(text: string, typed: Typed): ComfyuiAddress {
  const fail = (why: string, url: string): never => {
    throw new CommandFailure(
      `The address of ComfyUI, "${hidden(text)}", ${why}. Type: ${typed(hidden(url))}`,
    )
  }
  const trimmed = text.trim()
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(trimmed)?.[1]?.toLowerCase()
  if (scheme === undefined) return fail('has no scheme', `http://${trimmed}`)
  const rest = trimmed.slice(scheme.length + 3)
  if (scheme !== 'http' && scheme !== 'https') {
    return fail('must begin with http:// or https://', `http://${rest}`)
  }
  if (!URL.canParse(trimmed)) return fail('is not a URL', 'http://HOST:8188')
  const { origin, pathname, username, password } = new URL(trimmed)
  // The address of the API or of a page in the browser: the components add `/api` themselves.
  const path = pathname.replace(/\/+$/, '').replace(/\/api$/, '')
  const pair = `${decoded(username)}:${decoded(password)}`
  const auth = `Authorization: Basic ${Buffer.from(pair, 'utf8').toString('base64')}`
  return { origin, path, ...(pair !== ':' && { auth }) }
}

/**
 * A path, and a user and password, are variables of their own, because `allowed_outbound_hosts` takes the host only.
 *
 * @param declared variables of the application.
 * @throws {CommandFailure} if it lacks one that the address needs.
 */
export function addressVariables(
  { path, auth }: ComfyuiAddress,
  declared: Pick<ReadonlyMap<string, unknown>, 'has'>,
): Record<string, string> {
  const variables = {
    ...(path !== '' && { comfyui_path: path }),
    ...(auth !== undefined && { comfyui_auth: auth }),
  }
  const missing = Object.keys(variables).filter((name) => !declared.has(name))
  if (missing.length === 0) return variables
  const lines = (text: (name: string) => string) =>
    missing.map((name) => `  ${text(name)}`).join('\n')
  throw new CommandFailure(
    `The address of ComfyUI needs ${missing.join(' and ')}, which spin.toml does not have. Add to [variables]\n` +
      `${lines((name) => `${name} = { default = ""${name === 'comfyui_auth' ? ', secret = true' : ''} }`)}\n` +
      `and to the variables of each component with comfyui_url\n` +
      lines((name) => `${name} = "{{ ${name} }}"`),
  )
}

/** Whether ComfyUI answers there; `undefined` if it does. */
export async function comfyuiProblem(
  { origin, path, auth }: ComfyuiAddress,
  typed: Typed,
): Promise<AddressProblem | undefined> {
  const credentials = authHeaders(auth)
  let response: Response
  try {
    response = await fetch(`${origin}${path}/api/system_stats`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: credentials,
    })
  } catch (error) {
    return {
      message: reasonOf(error, new URL(origin)),
      remedy: `start ComfyUI, or name its address: ${typed('http://HOST:8188')}`,
    }
  }
  const { status, headers } = response
  const text = await response.text().catch(() => '')
  const withUser = `${origin.replace('//', '//USER:PASSWORD@')}${path}`
  if (status === 401 || status === 403) {
    return Object.keys(credentials).length > 0
      ? {
          message: `refuses the user, password or token (status ${status})`,
          remedy: 'correct them in the address, or in the variable comfyui_auth',
        }
      : {
          message: `needs a user and password, or a token (status ${status})`,
          remedy: `${typed(withUser)}, or set SPIN_VARIABLE_COMFYUI_AUTH="Bearer TOKEN"`,
        }
  }
  if (status >= 300 && status < 400) {
    return {
      message: `redirects to ${visible(hidden(headers.get('location') ?? 'another address'))}`,
      remedy: `name that address if it is the one of ComfyUI; if it is a login, set SPIN_VARIABLE_COMFYUI_AUTH`,
    }
  }
  if (status === 200 && /"comfyui_version"|"system"/.test(text)) return undefined
  if (status >= 502 && status <= 504) {
    return {
      message: `a proxy answers that ComfyUI is down (status ${status})`,
      remedy: 'start ComfyUI',
    }
  }
  return {
    message: `is not the address of ComfyUI (status ${status})`,
    remedy: `check the port, and the path if a proxy has one: ${typed(`${origin}/comfyui`)}`,
  }
}

/** The header of a value of the variable `comfyui_auth`. */
export function authHeaders(auth: string | undefined): Record<string, string> {
  return authHeader({ get: () => auth })
}

function reasonOf(error: unknown, { host, hostname }: URL): string {
  const { name, cause } = error as Error
  const { code = '' } = (cause ?? {}) as { code?: string }
  if (name === 'TimeoutError') return `does not answer within ${TIMEOUT_MS / 1000} s`
  if (code === 'ECONNREFUSED') return `nothing listens at ${host}`
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `the host name "${hostname}" is not known`
  return `could not be reached${code && ` (${code})`}`
}

/** Without user and password. */
export function hidden(url: string): string {
  return visible(
    url
      .trim()
      .replace(/^([a-z][a-z0-9+.-]*:\/\/)?[^/?#]*@/i, '$1')
      .replace(/[?#].*$/, ''),
  )
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
