/** Sealed entries of the key-value store, at most one of a kind for each user of a server. */
import { sha256 } from 'ftl-http'
import type { ContextKeyValue, ContextPlatform } from 'ftl-sdk'
import type { Sealer } from './seal.ts'

/** Whose entry it is. */
export interface Owner {
  principal: string
  server: string
  /** Of the server: what is for one address is not used for another. */
  url: string
}

/**
 * `flow`: a sign-in in a browser. `pending`: tokens that the user has not confirmed yet. `grant`: tokens in use.
 * `exchanged`: a token that can be had again at any time, so users share places for it.
 */
export type Kind = 'flow' | 'pending' | 'grant' | 'exchanged'

export interface Found<T> {
  value: T
  /** As it is stored, for {@link Entries.replace}. */
  bytes: Uint8Array
}

export interface Entries {
  get<T>(kind: Kind, owner: Owner): Promise<Found<T> | undefined>
  put(kind: Kind, owner: Owner, value: unknown): Promise<void>
  /** Writes if the entry is still the one that was read. @returns `undefined` where the store cannot compare. */
  replace(
    kind: Kind,
    owner: Owner,
    before: Uint8Array,
    value: unknown,
  ): Promise<boolean | undefined>
  remove(kind: Kind, owner: Owner): Promise<void>
  /** Of the component as a client of the server, for all users. */
  registration<T>(server: string, purpose: readonly string[]): Promise<T | undefined>
  keepRegistration(server: string, purpose: readonly string[], value: unknown): Promise<void>
}

const VERSION = 1
/** Digits of a shared place, in hexadecimal: 4096 for each server, however many users there are. */
const SLOT_DIGITS = 3

export function openEntries(platform: ContextPlatform, component: string, sealer: Sealer): Entries {
  const prefix = `remote:${component}:consent${VERSION}`
  let opened: Promise<ContextKeyValue> | undefined
  const store = () => (opened ??= platform.openKeyValue('default'))
  const keyOf = async (kind: Kind, { server, principal }: Owner) => {
    const user = await sha256(principal)
    return `${prefix}:${kind}:${server}:${kind === 'exchanged' ? user.slice(0, SLOT_DIGITS) : user}`
  }
  const purposeOf = (kind: Kind, { server, url, principal }: Owner) => [
    kind,
    server,
    url,
    principal,
  ]
  const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
  const registrationKey = (server: string) => `${prefix}:client:${server}`

  return {
    async get<T>(kind: Kind, owner: Owner) {
      const bytes = await (await store()).get(await keyOf(kind, owner))
      if (!bytes || bytes.length === 0) return undefined
      const value = await sealer.open(purposeOf(kind, owner), textOf(bytes))
      return value === undefined ? undefined : { value: value as T, bytes }
    },
    async put(kind, owner, value) {
      const sealed = await sealer.seal(purposeOf(kind, owner), value)
      await (await store()).set(await keyOf(kind, owner), sealed)
    },
    async replace(kind, owner, before, value) {
      const sealed = await sealer.seal(purposeOf(kind, owner), value)
      return (await store()).setIf?.(await keyOf(kind, owner), before, sealed)
    },
    async remove(kind, owner) {
      await (await store()).delete(await keyOf(kind, owner))
    },
    async registration<T>(server: string, purpose: readonly string[]) {
      const bytes = await (await store()).get(registrationKey(server))
      const value = bytes && (await sealer.open(['client', ...purpose], textOf(bytes)))
      return value as T | undefined
    },
    async keepRegistration(server, purpose, value) {
      const sealed = await sealer.seal(['client', ...purpose], value)
      await (await store()).set(registrationKey(server), sealed)
    },
  }
}
