/** Asks every built component for what it publishes, each alone on a host, without the gateway. */
import { COMPONENT_HEADER } from 'ftl-contract'
import { placed } from '../members/placed-names.ts'
import { OfflineEntries } from 'ftl-gateway/policy'
import { hostComponent } from '../contract-test/host.ts'
import { reachedFrom } from '../contract-test/reached-from.ts'
import type { Application } from '../application/load-application.ts'
import { listOf } from './component-list.ts'
import { gatewayOf, variableOf, variablesOf } from './policy-source.ts'

export interface Published {
  /** Of `tool_components`. */
  components: readonly string[]
  entries: OfflineEntries
  /** Components that could not be asked, and why. */
  missing: readonly { component: string; reason: string }[]
}

type Answer = { component: string } & ({ published: unknown } | { reason: string })

/** Milliseconds for one component. */
const PATIENCE_MS = 20_000

export async function publishedBy(
  application: Application,
  variables: Readonly<Record<string, string>>,
  profile?: string,
): Promise<Published> {
  const { manifest } = application
  const template = variableOf(gatewayOf(manifest), 'tool_components') ?? ''
  const entries = listOf(variablesOf(manifest, variables).resolve(template)).map(placed)
  const components = entries.map(({ name }) => name)
  const answers: Answer[] = []
  // One after the other: each host uses all cores while it starts.
  for (const { name: component, place } of entries) {
    try {
      const published = await askComponent(component, place, application, variables, profile)
      // Throws for an answer that the gateway would not accept.
      new OfflineEntries([[component, published]])
      answers.push({ component, published })
    } catch (error) {
      answers.push({ component, reason: (error as Error).message })
    }
  }
  return {
    components,
    entries: new OfflineEntries(
      answers.flatMap((answer): [string, unknown][] =>
        'published' in answer ? [[answer.component, answer.published]] : [],
      ),
    ),
    missing: answers.filter((answer) => 'reason' in answer),
  }
}

async function askComponent(
  component: string,
  place: string,
  { manifest, cacheFolder }: Application,
  variables: Readonly<Record<string, string>>,
  profile: string | undefined,
): Promise<unknown> {
  const running = await hostComponent(place, {
    manifest: manifest.file,
    components: reachedFrom(place, manifest),
    variables,
    profile,
    cacheDir: cacheFolder,
    env: process.env,
    onLog: () => undefined,
    onError: () => undefined,
  })
  try {
    const response = await fetch(`${running.url}/`, {
      headers: place === component ? {} : { [COMPONENT_HEADER]: component },
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    if (response.status !== 200) throw new Error(`it answered with status ${response.status}`)
    return await response.json()
  } finally {
    await running.close()
  }
}
