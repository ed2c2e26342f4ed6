/** The application these tests use: the fixtures of the conformance suite, and fixtures that misbehave. */
import { dirname, join } from 'node:path'
import { startHost } from 'ftl-host'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { EXTERNAL_URL } from '../../support/application.ts'
import { MANIFESTS } from '../../support/manifests.ts'
import { ask } from './client.ts'

/** An application that serves. */
export interface Served {
  url: string
  close(): Promise<unknown>
}

/** Starts the application with these variables. */
export type Start = (variables: Readonly<Record<string, string>>) => Promise<Served>

type HostOptions = Pick<Parameters<typeof startHost>[0], 'manifest' | 'platform'>

/** Starts it on the embedded host. */
export const onHost =
  ({ manifest, platform }: HostOptions): Start =>
  (variables) =>
    startHost({
      manifest,
      listen: '127.0.0.1:0',
      stateDir: '',
      cacheDir: join(dirname(MANIFESTS.application), '.ftl', 'cache'),
      env: {},
      variables,
      platform,
    })

let start = onHost({ manifest: MANIFESTS.mcp })

/** The application `mcp` has the component of the repository’s own application as its gateway. */
const SERVER_NAME = 'ftl-mcp-gateway'

let serverName: string = SERVER_NAME

/**
 * Lets the tests that are loaded after this use an application that is started in another way.
 *
 * @param name what its gateway calls itself
 */
export function startWith(other: Start, name = SERVER_NAME): void {
  start = other
  serverName = name
}

/**
 * Starts it before the tests of a file or group. An external application is used when it is this one and the tests set
 * no variables; otherwise the tests are skipped.
 */
export function useApplication(variables?: Record<string, string>): {
  readonly url: string
  /** What its gateway calls itself. */
  readonly name: string
} {
  let served: Served | undefined
  let usable = true
  beforeAll(async () => {
    if (EXTERNAL_URL !== undefined) {
      usable = variables === undefined && (await isOurs(EXTERNAL_URL))
      return
    }
    served = await start(variables ?? {})
  })
  beforeEach((context) => context.skip(!usable, 'this application has other tools'))
  afterAll(() => served?.close())
  return {
    get url() {
      const url = EXTERNAL_URL ?? served?.url
      if (url === undefined) throw new Error('the application is not started yet')
      return url
    },
    get name() {
      return serverName
    },
  }
}

async function isOurs(url: string): Promise<boolean> {
  const { result } = await ask(url, 'tools/list')
  const tools = (result['tools'] ?? []) as { name: string }[]
  return tools.some(({ name }) => name === 'asks_to_come_again')
}
