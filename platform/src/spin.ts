/**
 * The platform on Spin, from its host interfaces. Only for code inside a component.
 *
 * @module
 */
import * as variables from 'fermyon:spin/variables@2.0.0'
import type { Files, Platform } from './platform.ts'
import { readFile, listFolder, stampOf } from './spin-files.ts'
import { openStore } from './spin-key-value.ts'

/** The part of a fetch event that is needed: work that may outlive the response. */
export interface WaitUntil {
  waitUntil(work: Promise<unknown>): void
}

/**
 * One per request; nothing in it is asked of the host before it is used.
 *
 * @param onHostRead called before a variable is read or a store is opened.
 */
export function spinPlatform(event: WaitUntil, onHostRead?: () => void): Platform {
  return platformWith(event, onHostRead, {
    read: async (path) => readFile(path),
    list: async (path) => listFolder(path),
    stamp: stampOf,
  })
}

/** The same for a component that has no mounts, and need not carry what reads them. */
export function spinPlatformWithoutFiles(event: WaitUntil, onHostRead?: () => void): Platform {
  return platformWith(event, onHostRead, {
    read: async () => undefined,
    list: async () => [],
    stamp: async () => undefined,
  })
}

function platformWith(
  event: WaitUntil,
  onHostRead: (() => void) | undefined,
  files: Files,
): Platform {
  return {
    async openKeyValue(label) {
      onHostRead?.()
      return openStore(label, readVariable)
    },
    variables: {
      get(name) {
        onHostRead?.()
        return readVariable(name)
      },
    },
    files,
    now: () => Date.now(),
    randomUUID: () => crypto.randomUUID(),
    fetch: (input, init) => fetch(input, init),
    waitUntil: (work) => event.waitUntil(work),
  }
}

type ValueOf = (name: string) => string | undefined

/**
 * Our engine answers `undefined` for a variable that the component does not have. Most have a default and are not set,
 * and an error for each would take a request longer than its access checks.
 *
 * @default the host's function, with another engine
 */
const valueOf =
  (globalThis as { [key: symbol]: ValueOf | undefined })[Symbol.for('ftl.variable')] ??
  ((name: string) => variables.get(name))

/** @throws {Error} when the value exists but cannot be read: code must not go on as if the variable were not set. */
function readVariable(name: string): string | undefined {
  try {
    return valueOf(name)
  } catch (error) {
    const { payload } = error as { payload?: { tag?: string } }
    if (payload?.tag === 'provider' || payload?.tag === 'other') {
      throw new Error(`The variable "${name}" cannot be read from its provider.`)
    }
    // The manifest gives the component no such variable; a required one was checked when the app started.
    return undefined
  }
}
