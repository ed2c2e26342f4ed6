import { fileURLToPath } from 'node:url'
import { startHost } from 'ftl-host'
import { DRAIN_MS } from '../support/drain.ts'
import { MANIFESTS } from '../support/manifests.ts'

export interface ConformanceApplication {
  /** Origin that says `localhost`: the suite tries foreign hosts against none but a local one. */
  url: string
  close(): Promise<void>
}

/**
 * The gateway with its fixtures on a free port; they must have been built.
 *
 * @param external origin of an application that runs already, for example on a real Spin. It is left running.
 */
export async function startConformanceApplication(
  external?: string,
): Promise<ConformanceApplication> {
  if (external !== undefined) return { url: localUrl(external), close: () => Promise.resolve() }
  const host = await startHost({
    drainMs: DRAIN_MS,
    manifest: MANIFESTS.conformance,
    listen: '127.0.0.1:0',
    stateDir: '',
    cacheDir: fileURLToPath(new URL('../../.ftl/cache', import.meta.url)),
    env: {},
  })
  return { url: localUrl(host.url), close: () => host.close() }
}

function localUrl(url: string): string {
  const { protocol, hostname, port } = new URL(url)
  const name = /^(127\.0\.0\.1|\[::1\])$/.test(hostname) ? 'localhost' : hostname
  return `${protocol}//${name}${port && `:${port}`}`
}
