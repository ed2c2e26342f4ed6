import { buildComponents } from '../../cli/src/build/index.ts'
import { loadApplication } from '../../cli/src/application/targets.ts'
import { buildReporter } from '../../cli/src/terminal/ui.ts'
import { MANIFESTS } from '../support/manifests.ts'

/** Builds the gateway and the fixtures, where they have changed. */
export async function buildConformanceApplication(): Promise<void> {
  const gateway = await loadApplication(MANIFESTS.application, ['mcp-gateway'])
  const fixtures = await loadApplication(MANIFESTS.conformance)
  await buildComponents([...gateway.targets, ...fixtures.targets], {
    cacheFolder: gateway.cacheFolder,
    onEvent: buildReporter({ quietWhenCached: true }),
  })
}
