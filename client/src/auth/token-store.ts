import { createHash } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { isObject } from '../is-object.ts'
import type { RegisteredClient } from './client-identity.ts'
import { withFileLock } from './file-lock.ts'
import {
  checkPrivateFolder,
  preparePrivateFolder,
  readPrivateFile,
  writePrivateFile,
} from './private-files.ts'
import type { Tokens } from './token-requests.ts'

/** A sign-in at one server. Its tokens and its client belong to one issuer, and are never sent to another one. */
export interface SignIn {
  version: 1
  /** Address of the server; tokens are sent to it only. */
  server: string
  /** What the tokens are issued for. */
  resource: string
  issuer: string
  grant: 'authorization_code' | 'client_credentials'
  client: RegisteredClient
  tokens: Tokens
  /** In milliseconds since 1970. */
  signedInAt: number
}

const SUFFIX = '.json'

/** Sign-ins as files of mode 0600 in a folder of mode 0700. */
export class TokenStore {
  readonly folder: string

  /** @param folder @default `FTL_TOKEN_STORE`, else `ftl/tokens` in `XDG_CONFIG_HOME` or `~/.config` */
  constructor(folder = defaultFolder(process.env)) {
    this.folder = folder
  }

  /** The sign-in at this server. @throws {AuthenticationError} when others could read or change the store. */
  async find(server: URL): Promise<SignIn | undefined> {
    if (!(await checkPrivateFolder(this.folder))) return undefined
    const found = parse(await readPrivateFile(join(this.folder, nameOf(server))))
    return found?.server === server.href ? found : undefined
  }

  /** All sign-ins, in the order of their servers. */
  async all(): Promise<SignIn[]> {
    if (!(await checkPrivateFolder(this.folder))) return []
    const names = (await readdir(this.folder)).filter((name) => /^[0-9a-f]{64}\.json$/.test(name))
    const read = names.map(async (name) => parse(await readPrivateFile(join(this.folder, name))))
    const found = (await Promise.all(read)).filter((each) => each !== undefined)
    return found.sort((a, b) => (a.server < b.server ? -1 : 1))
  }

  async save(signIn: SignIn): Promise<void> {
    await preparePrivateFolder(this.folder)
    await writePrivateFile(this.folder, nameOf(new URL(signIn.server)), JSON.stringify(signIn))
  }

  async remove(server: URL): Promise<void> {
    if (await checkPrivateFolder(this.folder))
      await rm(join(this.folder, nameOf(server)), { force: true })
  }

  /** Runs `work` while no other process changes the sign-in at this server. */
  async locked<T>(server: URL, work: () => Promise<T>): Promise<T> {
    await preparePrivateFolder(this.folder)
    return withFileLock(join(this.folder, `${nameOf(server)}.lock`), work)
  }
}

/** A digest, because an address contains characters that file names must not have. */
function nameOf(server: URL): string {
  return createHash('sha256').update(server.href).digest('hex') + SUFFIX
}

/** `FTL_TOKEN_STORE`: folder of the tokens of `ftl login`. @default `~/.config/ftl/tokens` */
function defaultFolder(env: NodeJS.ProcessEnv): string {
  const { FTL_TOKEN_STORE: own, XDG_CONFIG_HOME: config } = env
  if (own !== undefined && own !== '') return own
  // A relative path is to be ignored: XDG Base Directory Specification.
  if (config?.startsWith('/') === true) return join(config, 'ftl', 'tokens')
  try {
    return join(homedir(), '.config', 'ftl', 'tokens')
  } catch {
    // A user without an entry in the system's list, as in some containers: nothing is stored.
    return ''
  }
}

/** A file that is not valid counts as missing: signing in writes it again. */
function parse(text: string | undefined): SignIn | undefined {
  if (text === undefined) return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (!isObject(value) || value['version'] !== 1) return undefined
  const { server, resource, issuer, client, tokens } = value
  const areTexts = [server, resource, issuer].every((each) => typeof each === 'string')
  const isClient = isObject(client) && typeof client['id'] === 'string'
  const areTokens = isObject(tokens) && typeof tokens['accessToken'] === 'string'
  return areTexts && isClient && areTokens ? (value as unknown as SignIn) : undefined
}
