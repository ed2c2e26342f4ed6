import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type ComfyVersion, startSimulator } from 'ftl-comfyui/simulator'
import { EXTERNAL_URL } from '../support/application.ts'
import { MANIFESTS } from '../support/manifests.ts'
import { serveManifest, type ServeOptions } from '../support/serve-manifest.ts'

/** The application with a folder of tools of its own, which a test may change while it runs. */
export interface WorkflowApplication {
  url: string
  /** Has `config` and `workflows`. */
  folder: string
  /** Writes `config/x.json` or `workflows/x.json`; text and bytes as they are, anything else as JSON. */
  put(path: string, content: unknown): Promise<void>
  remove(path: string): Promise<void>
  close(): Promise<void>
}

export interface WorkflowOptions {
  /** @default no ComfyUI: tools answer with the workflow */
  comfyui?: { version: ComfyVersion } | { url: string }
  /** More variables of the application. */
  variables?: Record<string, string>
  /** More options of the host. */
  host?: ServeOptions['host']
}

/** These tests change files of the application, so they need one of their own. */
export const CANNOT_RUN = EXTERNAL_URL !== undefined

const REPOSITORY = dirname(MANIFESTS.application)

export async function startWorkflows({
  comfyui,
  variables = {},
  host: more,
}: WorkflowOptions = {}): Promise<WorkflowApplication> {
  const folder = await mkdtemp(join(tmpdir(), 'ftl-workflows-'))
  // Spin mounts no folder outside of the one that has the manifest.
  for (const part of ['config', 'workflows']) {
    const [from, other] = ['components/workflows', 'components/generate-image']
    await cp(join(REPOSITORY, from, part), join(folder, part), { recursive: true })
    await cp(join(REPOSITORY, other, part), join(folder, other, part), { recursive: true })
  }
  // The application's own manifest, with another folder mounted.
  const manifest = (await readFile(MANIFESTS.application, 'utf8'))
    .replaceAll('source = "components/workflows/', 'source = "')
    .replaceAll('source = "dist/', `source = "${REPOSITORY}/dist/`)
  await writeFile(join(folder, 'spin.toml'), manifest)
  const simulator =
    comfyui && 'version' in comfyui
      ? await startSimulator({ port: 0, renderSeconds: 0, version: comfyui.version })
      : undefined
  const own = comfyui && 'url' in comfyui ? comfyui.url : ''
  const host = await serveManifest({
    manifest: join(folder, 'spin.toml'),
    stateDir: join(folder, 'state'),
    ...(more === undefined ? {} : { host: more }),
    variables: {
      comfyui_url: simulator?.url ?? own,
      tool_components: 'workflows',
      // Every list asks, so that a test need not wait.
      catalog_ttl_ms: '0',
      ...variables,
    },
  })
  return {
    url: host.url,
    folder,
    put(path, content) {
      const raw = typeof content === 'string' || content instanceof Uint8Array
      return writeFile(join(folder, path), raw ? content : JSON.stringify(content))
    },
    remove: (path) => rm(join(folder, path)),
    async close() {
      await host.close()
      await simulator?.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
