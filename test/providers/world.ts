/** A provider, the gateway in front of which it stands, and a folder for the tokens of `ftl`. */
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type SignIn, signIn, type SignInOptions, TokenStore } from 'ftl-client/auth'
import { freePort, ftl } from '../support/command.ts'
import { MANIFESTS } from '../support/manifests.ts'
import { serveManifest } from '../support/serve-manifest.ts'
import { signInAs } from './person.ts'
import { ADA, type Driver, type Gateway, GROUP, type Provider } from './provider.ts'

export interface World {
  gateway: Gateway
  provider: Provider
  /** What the gateway has printed. */
  printed(): string
  /** An empty one. */
  store(): TokenStore
  /** The user in the browser. @returns the address of the client. */
  browse(user: string, address: URL): Promise<URL>
  /** As a program does with `ftl-client`. */
  signIn(store: TokenStore, user?: string, options?: Partial<SignInOptions>): Promise<SignIn>
  /** @returns the exit code and everything printed. */
  run(store: TokenStore, args: readonly string[]): Promise<Outcome>
  /** `ftl login`. */
  login(store: TokenStore, user?: string, args?: readonly string[]): Promise<Outcome>
  close(): Promise<void>
}

export interface Outcome {
  code: number | null
  output: string
}

/** Sums are for the group, or for all where tokens have no groups; `echo` needs the further scope, or the group. */
function policyFor({ hasGroups, furtherScope }: Provider): string {
  const members = hasGroups ? { groups: [GROUP] } : {}
  const scoped = furtherScope === undefined ? members : { scopes: [furtherScope] }
  return JSON.stringify({
    rules: [
      { name: 'sums', effect: 'allow', components: ['calculator'], ...members },
      { name: 'echo', effect: 'allow', components: ['echo'], ...scoped },
    ],
  })
}

export async function startWorld(driver: Driver, path: string): Promise<World> {
  const listen = `127.0.0.1:${await freePort()}`
  const gateway = { url: `http://${listen}`, resource: `http://${listen}/mcp` }
  const folder = await mkdtemp(join(tmpdir(), 'ftl-providers-'))
  const provider = await driver.start(path, gateway)
  const host = await serveManifest({
    manifest: MANIFESTS.providers,
    listen,
    stateDir: join(folder, 'state'),
    variables: {
      ...provider.variables,
      policy: policyFor(provider),
    },
  })

  async function browse(user: string, address: URL): Promise<URL> {
    provider.become?.(user)
    return signInAs(user, address)
  }

  async function run(store: TokenStore, args: readonly string[]): Promise<Outcome> {
    const command = ftl([...args], { env: { FTL_TOKEN_STORE: store.folder } })
    const code = await command.exited
    return { code, output: command.output() }
  }

  return {
    gateway,
    provider,
    printed: () => host.printed(),
    store: () => new TokenStore(join(folder, randomUUID())),
    browse,
    run,
    signIn: (store, user = ADA, options = {}) =>
      signIn(new URL(gateway.resource), {
        store,
        ...(provider.clientId !== undefined && { client: { id: provider.clientId } }),
        ...(provider.scope !== undefined && { scope: provider.scope }),
        onAddress: (address) => void browse(user, address).then(fetch),
        ...options,
      }),
    async login(store, user = ADA, args = []) {
      const { clientId, scope } = provider
      const command = ftl(
        [
          ...['login', gateway.resource, '--no-browser'],
          ...(clientId === undefined ? [] : ['--client-id', clientId]),
          ...(scope === undefined ? [] : ['--scope', scope]),
          ...args,
        ],
        { env: { FTL_TOKEN_STORE: store.folder } },
      )
      const isAddress = /http\S+code_challenge\S+/
      await command.printed(isAddress)
      const [address = ''] = isAddress.exec(command.output()) ?? []
      await fetch(await browse(user, new URL(address)))
      const code = await command.exited
      return { code, output: command.output() }
    },
    async close() {
      await host.close()
      await provider.close()
      await rm(folder, { recursive: true })
    },
  }
}
