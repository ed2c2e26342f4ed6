import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { MANIFESTS } from '../support/manifests.ts'

const IMAGES = 'components/generate-image'
const WORKFLOW = 'sdxl-txt2img.json'
const SIDE = 64

export interface TinyApplication {
  manifest: string
  /** Lets any number of jobs wait at a ComfyUI; else the tool refuses those beyond a few dozen. */
  allowLongQueue: (comfyuiUrl: string) => Promise<void>
  remove: () => Promise<void>
}

export interface TinyApplication {
  manifest: string
  /** Lets any number of jobs wait at a ComfyUI; else the tool refuses those beyond a few dozen. */
  allowLongQueue: (comfyuiUrl: string) => Promise<void>
  remove: () => Promise<void>
}

/** The application with pictures so small that drawing them costs nothing, whatever size is asked for. */
export async function tinyApplication(): Promise<TinyApplication> {
  const repository = dirname(MANIFESTS.application)
  const folder = await mkdtemp(join(tmpdir(), 'ftl-tiny-'))
  const text = await readFile(MANIFESTS.application, 'utf8')
  const manifest = join(folder, 'spin.toml')
  await writeFile(
    manifest,
    text
      // The sources are not in this folder, and the components are already built.
      .replaceAll(/^\[component\.[\w-]+\.tool\.ftl\]\n(?!\[)(?:.+\n)*/gm, '')
      .replaceAll('"dist/', `"${repository}/dist/`)
      .replaceAll(`"${IMAGES}/`, `"${folder}/`)
      .replaceAll('source = "components/', `source = "${repository}/components/`),
  )
  await cp(join(repository, IMAGES, 'config'), join(folder, 'config'), { recursive: true })
  await cp(join(repository, IMAGES, 'workflows'), join(folder, 'workflows'), { recursive: true })
  const file = join(folder, 'workflows', WORKFLOW)
  const workflow = JSON.parse(await readFile(file, 'utf8')) as Record<
    string,
    { class_type: string; inputs: Record<string, unknown>; _meta?: unknown }
  >
  for (const node of Object.values(workflow)) {
    if (node.class_type !== 'EmptyLatentImage') continue
    node.inputs = { ...node.inputs, width: SIDE, height: SIDE }
    // Without the title, the tool does not set the size of the node.
    delete node._meta
  }
  await writeFile(file, JSON.stringify(workflow))
  return {
    manifest,
    // The folder is mounted, so this is in force at once.
    allowLongQueue: (url) =>
      writeFile(
        join(folder, 'config', 'servers.json'),
        JSON.stringify({ servers: [{ name: 'only', url, maxQueue: 10_000 }] }),
      ),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
