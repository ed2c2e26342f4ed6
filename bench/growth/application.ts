/** A gateway with any number of tools, of which one answers in any size. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadApplication } from 'ftl/application'
import { buildComponents } from 'ftl/build'
import { MANIFESTS } from '../../test/support/manifests.ts'
import { CACHE_DIR } from '../application.ts'
import { gatewayManifest } from '../manifest.ts'
import { serve, type Serving } from '../serving.ts'

/** Tools of one component: its description must fit into one answer. */
const TOOLS_EACH = 500

/** Builds the component with many tools, which `build` of the other measurements does not. */
export async function buildMany(): Promise<void> {
  const { targets } = await loadApplication(MANIFESTS.search, ['many-first'])
  await buildComponents(targets, { cacheFolder: CACHE_DIR })
}

/**
 * Starts it as `ftl up` does, in a process of its own.
 *
 * @param tools how many there are besides `sized`. @param more variables of the gateway.
 */
export async function serveMany(
  tools: number,
  more: Record<string, string> = {},
): Promise<Serving> {
  const folder = await mkdtemp(join(tmpdir(), 'ftl-growth-'))
  const manifest = join(folder, 'spin.toml')
  await writeFile(manifest, manifestOf(tools, more))
  const serving = await serve({ native: true, application: { manifest } })
  return {
    ...serving,
    async close() {
      await serving.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function manifestOf(tools: number, more: Record<string, string>): string {
  const many = Array.from({ length: Math.ceil(tools / TOOLS_EACH) }, (_, index) => ({
    name: `many-${index + 1}`,
    wasm: 'test/search/many-tools.wasm',
    variables: {
      tools: `${index * TOOLS_EACH}+${Math.min(TOOLS_EACH, tools - index * TOOLS_EACH)}`,
    },
  }))
  return gatewayManifest('ftl-growth', [{ name: 'sized', wasm: 'bench/sized.wasm' }, ...many], {
    catalog_ttl_ms: '600000',
    discovery_timeout_ms: '20000',
    ...more,
  })
}
