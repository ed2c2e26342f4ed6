// Real authorization servers in front of the gateway, with the settings of docs/identity-providers.
import { randomUUID } from 'node:crypto'
import {
  Client as ClientV2,
  StreamableHTTPClientTransport as TransportV2,
  UnauthorizedError as UnauthorizedV2,
} from '@modelcontextprotocol/client'
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { AuthenticationError, Client as FtlClient } from 'ftl-client'
import type { SignIn, TokenStore } from 'ftl-client/auth'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { MemoryProvider } from '../authentication/memory-provider.ts'
import { findChromium } from '../web/browser.ts'
import { django } from './django.ts'
import { dex } from './dex.ts'
import { hydraJwt, hydraOpaque } from './hydra.ts'
import { keycloak } from './keycloak.ts'
import { oidcProvider } from './oidc-provider.ts'
import { signInOnPage } from './page.ts'
import { ADA, EVE, type Found } from './provider.ts'
import { installPythonClient, runPythonClient } from './python-client.ts'
import { startWorld, type World } from './world.ts'

/** A Java program that starts on a busy machine. */
const MINUTES = 12 * 60_000
const SUM = { name: 'calculator', arguments: { expression: '6*7' } }
const FORTY_TWO = [{ type: 'text', text: '42' }]

const chromium = findChromium()

describe.each([keycloak, dex, hydraJwt, hydraOpaque, oidcProvider, django])(
  '$name',
  { timeout: MINUTES },
  (driver) => {
    let found: Found
    let world: World
    let started: World | undefined

    beforeAll(async () => {
      found = await driver.find()
      if ('path' in found) world = started = await startWorld(driver, found.path)
    }, MINUTES)
    afterAll(async () => {
      vi.unstubAllEnvs()
      await started?.close()
    })
    beforeEach(({ skip }) => skip('missing' in found, 'missing' in found ? found.missing : ''))

    async function call(store: TokenStore, tool: string, parameters: object): Promise<unknown> {
      vi.stubEnv('FTL_TOKEN_STORE', store.folder)
      const { resource: url } = world.gateway
      const client = await FtlClient.connect({ url, auth: {} }, { watchTools: false })
      try {
        await client.initialize()
        return (await client.callTool(tool, { ...parameters })).content
      } finally {
        await client.close()
      }
    }
    const sum = (store: TokenStore) => call(store, 'calculator', { expression: '6*7' })

    /** Makes the client renew the token. */
    const expire = (store: TokenStore, done: SignIn) =>
      store.save({ ...done, tokens: { ...done.tokens, expiresAt: Date.now() } })

    it('a user signs in with ftl, calls a tool, and is known by a name and groups', async () => {
      const store = world.store()
      const login = await world.login(store)
      expect([login.code, login.output]).toEqual([0, expect.stringContaining('Signed in')])
      const url = ['--url', world.gateway.resource]
      const called = await world.run(store, ['call', 'calculator', 'expression=6*7', ...url])
      expect(called).toEqual({ code: 0, output: '42\n' })
      const who = await world.run(store, ['whoami', world.gateway.resource])
      expect(who.output).toContain(ADA)
      if (world.provider.hasGroups) expect(who.output).toContain('operators')
    })

    it('a rule for a group keeps out a user who is in none', async ({ skip }) => {
      skip(!world.provider.hasGroups, 'its tokens name no groups')
      const store = world.store()
      await world.signIn(store, EVE)
      await expect(sum(store)).rejects.toThrow()
      await world.signIn(store, ADA)
      expect(await sum(store)).toEqual(FORTY_TWO)
    })

    it('a tool that needs a further scope says so, and a sign-in for it opens the tool', async ({
      skip,
    }) => {
      skip(world.provider.furtherScope === undefined, 'its tokens have no scopes that differ')
      const store = world.store()
      await world.signIn(store)
      const say = () => call(store, 'echo', { message: 'hello' })
      const error: unknown = await say().catch((reason: unknown) => reason)
      if (!(error instanceof AuthenticationError) || !error.signIn) throw error
      expect(error.signIn.challenge.scope?.split(' ')).toContain(world.provider.furtherScope)
      await world.signIn(store, ADA, { challenge: error.signIn.challenge })
      expect(await say()).toEqual([{ type: 'text', text: 'hello' }])
      // What was allowed before is still allowed.
      expect(await sum(store)).toEqual(FORTY_TWO)
    })

    it('an expired token is renewed, and a refresh token is good for one renewal', async () => {
      const store = world.store()
      const first = await world.signIn(store)
      await expire(store, first)
      expect(await sum(store)).toEqual(FORTY_TWO)
      const [second] = await store.all()
      if (!second) throw new Error('there is no sign-in')
      expect(second.tokens.accessToken).not.toBe(first.tokens.accessToken)
      expect(second.tokens.refreshToken).not.toBe(first.tokens.refreshToken)
      const copy = world.store()
      await expire(copy, first)
      const refused: unknown = await sum(copy).catch((reason: unknown) => reason)
      if (!(refused instanceof AuthenticationError)) throw refused
      expect(refused.signIn?.server).toBe(world.gateway.resource)
      await expire(store, second)
      if (world.provider.reuse === 'ends the sign-in')
        await expect(sum(store)).rejects.toThrow(AuthenticationError)
      else expect(await sum(store)).toEqual(FORTY_TWO)
    })

    it('a user who signs out has no token that can be renewed', async () => {
      const store = world.store()
      const done = await world.signIn(store)
      const { code, output } = await world.run(store, ['logout', world.gateway.resource])
      expect([code, output]).toEqual([0, expect.stringContaining('signed out')])
      expect(await store.all()).toEqual([])
      if (!world.provider.revokes) return expect(output).toMatch(/cannot revoke/)
      const copy = world.store()
      await expire(copy, done)
      await expect(sum(copy)).rejects.toThrow(AuthenticationError)
    })

    it('a user signs in on the page, and out, in Chromium', async ({ skip }) => {
      if (!('path' in chromium)) return skip(chromium.reason)
      const { name, result } = await signInOnPage(chromium.path, world)
      expect(name).toContain(ADA)
      expect(result).toBe('42')
    })

    function memory() {
      // Hydra refuses a client without one.
      const provider = Object.assign(new MemoryProvider(), { state: () => randomUUID() })
      const { clientId, officialClientId = clientId } = world.provider
      if (officialClientId !== undefined)
        provider.saveClientInformation({ client_id: officialClientId })
      return provider
    }

    it('an official client of version 1 signs its user in', async () => {
      const authProvider = memory()
      const url = new URL(world.gateway.resource)
      const transport = () => new StreamableHTTPClientTransport(url, { authProvider })
      const client = () => new Client({ name: 'test', version: '1' })
      const first = transport()
      await expect(client().connect(first)).rejects.toThrow(UnauthorizedError)
      const back = await world.browse(ADA, authProvider.address())
      await first.finishAuth(back.searchParams.get('code') ?? '')
      const signedIn = client()
      await signedIn.connect(transport())
      expect((await signedIn.callTool(SUM)).content).toEqual(FORTY_TWO)
      await signedIn.close()
    })

    it('an official client of version 2 signs its user in', async () => {
      const authProvider = memory()
      const url = new URL(world.gateway.resource)
      const transport = () => new TransportV2(url, { authProvider })
      const client = () => new ClientV2({ name: 'test', version: '1' })
      const first = transport()
      await expect(client().connect(first)).rejects.toThrow(UnauthorizedV2)
      await first.finishAuth((await world.browse(ADA, authProvider.address())).searchParams)
      const signedIn = client()
      await signedIn.connect(transport())
      expect((await signedIn.callTool(SUM)).content).toEqual(FORTY_TWO)
      await signedIn.close()
    })

    it('the official client for Python signs its user in', async ({ skip }) => {
      const installed = await installPythonClient()
      if ('missing' in installed) return skip(installed.missing)
      const { clientId } = world.provider
      const { resource: url } = world.gateway
      const run = { bin: installed.bin, url, clientId }
      expect(await runPythonClient(run, (address) => world.browse(ADA, address))).toBe('42')
    })
  },
)
