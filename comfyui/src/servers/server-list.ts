/** The ComfyUI servers: `servers.json`, or the variable `comfyui_url` where that names none. */
import type { ContextPlatform } from 'ftl-sdk'
import { authHeader, configuredUrls, type ServerAccess } from '../job/connect.ts'
import { DEFAULT_MAX_QUEUE } from '../job/submit.ts'
import type { Problem } from './config-problem.ts'
import { readList } from './read-list.ts'
import { type ServerEntry, SERVERS_FILE } from './server-entry.ts'

const DEFAULT_SERVER = 'http://127.0.0.1:8188'

/** The URL has no slash at the end. */
export interface Server extends ServerAccess {
  name: string
  maxQueue: number
}

export interface Servers {
  list: Server[]
  /** Base URLs, the first is preferred where nothing else decides. */
  urls: string[]
  /** Servers left out, and why. */
  problems: Problem[]
}

type Variables = ContextPlatform['variables']

/**
 * The servers of the configuration file, else those of the variables.
 *
 * @param folder where the file is mounted.
 */
export async function loadServers(
  { files, variables }: Pick<ContextPlatform, 'files' | 'variables'>,
  folder = 'config',
): Promise<Servers> {
  const file = `${folder}/servers.json`
  const bytes = await files.read(`/${file}`)
  const { entries, problems } = bytes
    ? readList(file, SERVERS_FILE, new TextDecoder().decode(bytes))
    : { entries: [], problems: [] }
  if (entries.length === 0 && problems.length === 0) return readServers({ variables })
  const list: Server[] = []
  for (const { entry, path } of entries) {
    if (!entry.enabled) continue
    const headers = authHeaders(entry, variables)
    if (headers) list.push({ ...withoutSlash(entry), headers })
    else {
      const message = `variable "${entry.auth?.variable}" is empty or not there; declare it for the component in spin.toml`
      problems.push({ file, path: [...path, 'auth', 'variable'], message })
    }
  }
  return { list, urls: list.map(({ url }) => url), problems }
}

/** Variable `comfyui_url` is one address or a comma list. */
function readServers({ variables }: { variables: Variables }): Servers {
  const named = configuredUrls(variables)
  const headers = authHeader(variables)
  const urls = named.length > 0 ? named : [DEFAULT_SERVER]
  const list = urls.map((url) => ({ name: url, url, headers, maxQueue: DEFAULT_MAX_QUEUE }))
  const message = addressProblem(variables.get('comfyui_url') ?? '')
  const problems = message === undefined ? [] : [{ file: 'comfyui_url', path: [], message }]
  return { list, urls, problems }
}

/** What a request would only tell by not reaching the server: `allowed_outbound_hosts` takes scheme, host and port. */
function addressProblem(urls: string): string | undefined {
  for (const url of urls.split(',').flatMap((each) => each.trim() || [])) {
    const [, user, path = ''] = /^https?:\/\/([^/]*@)?[^/]*(.*)$/i.exec(url) ?? []
    if (!/^https?:\/\//i.test(url)) return 'must begin with http:// or https://'
    if (user) return 'must not have a user or password; set comfyui_auth instead'
    if (path !== '' && path !== '/') {
      return 'has a path, which allowed_outbound_hosts does not take; set comfyui_path to it instead'
    }
  }
  return undefined
}

/** `undefined` when the secret is not there: without it every request would be refused. */
function authHeaders(
  { auth }: ServerEntry,
  variables: Variables,
): Record<string, string> | undefined {
  if (!auth) return {}
  const secret = variables.get(auth.variable)?.trim()
  if (!secret) return undefined
  const scheme = auth.scheme ?? (auth.header.toLowerCase() === 'authorization' ? 'Bearer' : '')
  return { [auth.header]: scheme === '' ? secret : `${scheme} ${secret}` }
}

function withoutSlash({ name, url, maxQueue }: ServerEntry): Omit<Server, 'headers'> {
  return { name, url: url.replace(/\/+$/, ''), maxQueue }
}
