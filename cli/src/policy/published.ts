/** Asks every built component for what it publishes, each alone on a host, without the gateway. */
import { OfflineEntries } from 'ftl-gateway/policy'
import { hostComponent } from '../contract-test/host.ts'
import type { Application } from '../targets.ts'
import { listOf } from './component-list.ts'
import { gatewayOf, variableOf, variablesOf } from './policy-source.ts'

export interface Published {
  /** Of `tool_components`. */
  components: readonly string[]
  entries: OfflineEntries
  /** Components that could not be asked, and why. */
  missing: readonly { component: string; reason: string }[]
}

/** Milliseconds for one component. */
const PATIENCE_MS = 20_000

export async function publishedBy(
  { manifest, cacheFolder }: Application,
  variables: Readonly<Record<string, string>>,
  profile?: string,
): Promise<Published> {
  const template = variableOf(gatewayOf(manifest), 'tool_components') ?? ''
  const components = listOf(variablesOf(manifest, variables).resolve(template))
  const published: [component: string, answer: unknown][] = []
  const missing: Published['missing'][number][] = []
  for (const component of components) {
    try {
      const running = await hostComponent(component, {
        manifest: manifest.file,
        components: [component],
        variables,
        profile,
        cacheDir: cacheFolder,
        onLog: () => undefined,
        onError: () => undefined,
      })
      try {
        const signal = AbortSignal.timeout(PATIENCE_MS)
        const response = await fetch(`${running.url}/`, { signal })
        const answer: unknown = await response.json()
        if (response.status !== 200) throw new Error(`it answered with status ${response.status}`)
        // Throws for an answer that the gateway would not accept.
        new OfflineEntries([[component, answer]])
        published.push([component, answer])
      } finally {
        await running.close()
      }
    } catch (error) {
      missing.push({ component, reason: (error as Error).message })
    }
  }
  return { components, entries: new OfflineEntries(published), missing }
}
