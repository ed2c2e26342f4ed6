/** The application these tests use: the fixtures of the conformance suite, and fixtures that misbehave. */
import { dirname, join } from 'node:path'
import { type Host, PLATFORM_NAMES, startHost } from 'ftl-host'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { EXTERNAL_URL } from '../../support/application.ts'
import { MANIFESTS } from '../../support/manifests.ts'
import { ask } from './client.ts'

/** Set by a test that runs these tests within the limits of a platform. */
export const PLATFORM_VARIABLE = 'FTL_TEST_PLATFORM'

/** Path of another manifest of the same tools, set by a test that runs these tests with it. */
export const MANIFEST_VARIABLE = 'FTL_TEST_MANIFEST'

const TEST_PLATFORM = PLATFORM_NAMES.find((name) => name === process.env[PLATFORM_VARIABLE])

/**
 * Starts it before the tests of a file or group. An external application is used when it is this one and the tests set
 * no variables; otherwise the tests are skipped.
 */
export function useApplication(variables?: Record<string, string>): { readonly url: string } {
  let host: Host | undefined
  let usable = true
  beforeAll(async () => {
    if (EXTERNAL_URL !== undefined) {
      usable = variables === undefined && (await isOurs(EXTERNAL_URL))
      return
    }
    host = await startHost({
      manifest: process.env[MANIFEST_VARIABLE] || MANIFESTS.mcp,
      listen: '127.0.0.1:0',
      stateDir: '',
      cacheDir: join(dirname(MANIFESTS.application), '.ftl', 'cache'),
      env: {},
      variables,
      platform: TEST_PLATFORM,
    })
  })
  beforeEach((context) => context.skip(!usable, 'this application has other tools'))
  afterAll(() => host?.close())
  return {
    get url() {
      const url = EXTERNAL_URL ?? host?.url
      if (url === undefined) throw new Error('the application is not started yet')
      return url
    },
  }
}

async function isOurs(url: string): Promise<boolean> {
  const { result } = await ask(url, 'tools/list')
  const tools = (result['tools'] ?? []) as { name: string }[]
  return tools.some(({ name }) => name === 'asks_to_come_again')
}
