/** A machine in memory for one component under test. */
import type { ContextPlatform } from '../tool/context.ts'
import { testClock, type TestClock } from './clock.ts'
import { type Fetch, type FetchHandlers, fetchFrom } from './fetch.ts'
import { type InitialValues, testKeyValue, type TestKeyValue, toBytes } from './key-value.ts'

/** What stands in for the host: variables, files, servers. */
export interface TestPlatformOptions {
  variables?: Readonly<Record<string, string>>
  /** Path to content, as mounted: `{ '/config/styles.json': '{}' }`. */
  files?: Readonly<Record<string, string | Uint8Array>>
  /** What the store `default` holds at the beginning. */
  kv?: InitialValues
  /** Further stores by their labels; any label that is not here is refused, as by `spin.toml`. */
  stores?: Readonly<Record<string, InitialValues>>
  /** Answers by address, or a function in place of `fetch`. @default nothing can be reached */
  fetch?: FetchHandlers | Fetch
  /** Where the clock stands at the beginning. @default 2026-01-01T00:00:00Z */
  now?: number | string | Date
}

export interface TestPlatform extends ContextPlatform {
  clock: TestClock
  /** The store `default`. */
  kv: TestKeyValue
  /** A further store by its label. */
  store(label: string): TestKeyValue
  /** Every request that was sent, in order; bodies are readable. */
  requests: Request[]
  /** Settles when everything given to `waitUntil` has settled; rejects with the first error of it. */
  settled(): Promise<void>
}

/** @param internal answers for the other components of the test's application. */
export function testPlatform(
  { variables = {}, files = {}, kv, stores = {}, fetch, now }: TestPlatformOptions = {},
  internal?: (request: Request) => Promise<Response> | undefined,
): TestPlatform {
  const clock = testClock(now)
  const opened = new Map(
    Object.entries({ default: kv ?? {}, ...stores }).map(([label, values]) => [
      label,
      testKeyValue(values),
    ]),
  )
  const contents = new Map(Object.entries(files).map(([path, file]) => [path, toBytes(file)]))
  const answer = fetchFrom(fetch, internal)
  const background: Promise<unknown>[] = []
  const requests: Request[] = []
  let ids = 0
  const store = (label: string) => {
    const found = opened.get(label)
    if (found) return found
    // As the host words it.
    throw Object.assign(
      new TypeError(
        `the test has no key-value store "${label}": give { stores: { '${label}': {} } }, and ` +
          `key_value_stores = ["${label}"] to the component in spin.toml`,
      ),
      { tag: 'access-denied' },
    )
  }
  return {
    clock,
    requests,
    kv: store('default'),
    store,
    openKeyValue: async (label) => store(label),
    variables: { get: (name) => (Object.hasOwn(variables, name) ? variables[name] : undefined) },
    files: {
      read: async (path) => contents.get(path)?.slice(),
      list: async (path) => namesIn([...contents.keys()], path),
      stamp: async (path) => contents.get(path)?.join(),
    },
    now: () => clock.now(),
    randomUUID: () => `00000000-0000-4000-8000-${String(++ids).padStart(12, '0')}`,
    fetch: async (input, init) => {
      const request = new Request(input, init)
      requests.push(request.clone())
      return answer(request)
    },
    waitUntil: (work) => {
      background.push(work)
      // Reported by `settled`, and not as an unhandled rejection before.
      work.catch(() => undefined)
    },
    settled: async () => {
      while (background.length > 0) await Promise.all(background.splice(0))
    },
  }
}

function namesIn(paths: string[], folder: string): string[] {
  const prefix = folder.endsWith('/') ? folder : `${folder}/`
  const names = paths
    .filter((path) => path.startsWith(prefix))
    .map((path) => path.slice(prefix.length).split('/')[0] ?? '')
  return [...new Set(names)].sort()
}
