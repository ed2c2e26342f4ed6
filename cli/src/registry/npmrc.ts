/** The registry of a package, and the credentials for it, as npm has them in `.npmrc`. */
import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { CommandFailure } from '../terminal/failure.ts'

const DEFAULT_REGISTRY = 'https://registry.npmjs.org/'

export interface NpmRegistry {
  /** Ends with `/`. */
  url: string
  authorization: string | undefined
}

/** The project's file wins over the user's, and the environment over both. */
export function npmRegistry(
  name: string,
  folder: string,
  env: NodeJS.ProcessEnv = process.env,
): NpmRegistry {
  const user =
    env['npm_config_userconfig'] ?? env['NPM_CONFIG_USERCONFIG'] ?? join(homedir(), '.npmrc')
  const settings = new Map([...read(user, env), ...read(join(folder, '.npmrc'), env)])
  const [, scope] = /^(@[^/]+)\//.exec(name) ?? []
  const named = scope === undefined ? undefined : settings.get(`${scope}:registry`)
  const general =
    env['npm_config_registry'] ?? env['NPM_CONFIG_REGISTRY'] ?? settings.get('registry')
  const text = named ?? general ?? DEFAULT_REGISTRY
  if (!URL.canParse(text)) throw new CommandFailure('.npmrc: registry must be a URL')
  const url = text.endsWith('/') ? text : `${text}/`
  return { url, authorization: credentialsFor(new URL(url), settings) }
}

/** npm writes credentials for a host and path, and those of the longest path count. */
function credentialsFor(
  { host, pathname }: URL,
  settings: ReadonlyMap<string, string>,
): string | undefined {
  for (let path = pathname; ; path = path.replace(/[^/]*\/$/, '')) {
    const token = settings.get(`//${host}${path}:_authToken`)
    if (token) return `Bearer ${token}`
    const basic = settings.get(`//${host}${path}:_auth`)
    if (basic) return `Basic ${basic}`
    if (path === '/' || path === '') return undefined
  }
}

function read(file: string, env: NodeJS.ProcessEnv): [string, string][] {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    return []
  }
  return text.split(/\r?\n/).flatMap((line): [string, string][] => {
    const [, key, value] = /^\s*([^;#=\s][^=]*?)\s*=\s*(.*?)\s*$/.exec(line) ?? []
    if (key === undefined || value === undefined) return []
    const bare = value.replace(/^"(.*)"$/, '$1')
    return [[key, bare.replace(/\$\{(\w+)\}/g, (_, name: string) => env[name] ?? '')]]
  })
}
