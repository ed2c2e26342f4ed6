/** The render types of an application, with the workflow and the model file that each one names. */
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { MODEL_FAMILIES, MODEL_LOADERS, type ModelPreference } from 'ftl-comfyui/models'
import { parseWorkflow, type Workflow, WorkflowError } from 'ftl-comfyui/workflow'
import type { Manifest } from 'ftl-host'

export interface ApplicationRenderType {
  name: string
  /** File name in the folder of workflows. */
  file: string
  workflow: Workflow
  models: ModelPreference
  /** Where the workflow names its model; absent: nowhere, or in several places. */
  loader?: { node: string; nodeType: string; input: string; wanted: string }
}

export interface RenderTypes {
  /** Path of `render-types.json`. */
  path: string
  /** Those of `generate_image` that can be read; the first one is its default. */
  types: ApplicationRenderType[]
}

/** @returns `undefined` when no component has render types. */
export async function readRenderTypes({
  components,
  folder,
}: Manifest): Promise<RenderTypes | undefined> {
  for (const { files } of components.values()) {
    const mounted = (destination: string) => {
      for (const mount of files) {
        if ('source' in mount && mount.destination === destination) {
          return resolve(folder, mount.source)
        }
      }
      return undefined
    }
    const [config, workflows] = [mounted('/config'), mounted('/workflows')]
    if (config === undefined || workflows === undefined) continue
    const path = join(config, 'render-types.json')
    const text = await readFile(path, 'utf8').catch(() => undefined)
    if (text === undefined) continue
    const read = entriesOf(text).map((entry) => readType(entry, workflows))
    const types = (await Promise.all(read)).filter((type) => type !== undefined)
    return { path, types }
  }
  return undefined
}

interface Entry {
  name?: unknown
  tool?: unknown
  workflow?: unknown
  models?: unknown
}

/** Leaves out what is not valid, because the linter of the component reports it. */
function toPreference(value: unknown): ModelPreference {
  const { family, prefer } = (value ?? {}) as { family?: unknown; prefer?: unknown }
  const known = MODEL_FAMILIES.find((each) => each === family)
  const names = Array.isArray(prefer) ? prefer.filter((name) => typeof name === 'string') : []
  return { family: known, prefer: names }
}

function entriesOf(text: string): Entry[] {
  try {
    const value = JSON.parse(text) as Entry[] | { renderTypes?: Entry[] }
    const list: unknown = Array.isArray(value) ? value : value.renderTypes
    return Array.isArray(list)
      ? list.filter((each): each is Entry => typeof each === 'object' && each !== null)
      : []
  } catch {
    return []
  }
}

/** `undefined` for what the component's own linter reports. */
async function readType(
  { name, tool = 'generate_image', workflow: file, models }: Entry,
  folder: string,
): Promise<ApplicationRenderType | undefined> {
  if (tool !== 'generate_image' || typeof name !== 'string' || typeof file !== 'string') return
  try {
    const workflow = parseWorkflow(await readFile(join(folder, file), 'utf8'))
    const loaders = Object.entries(workflow).flatMap(([node, { class_type, inputs }]) => {
      const input = MODEL_LOADERS.get(class_type)
      const wanted = input === undefined ? undefined : inputs[input]
      return input !== undefined && typeof wanted === 'string'
        ? [{ node, nodeType: class_type, input, wanted }]
        : []
    })
    const [loader] = loaders
    const preference = toPreference(models)
    return {
      name,
      file,
      workflow,
      models: preference,
      ...(loader && loaders.length === 1 && { loader }),
    }
  } catch (error) {
    if (error instanceof WorkflowError || (error as { code?: string }).code !== undefined) return
    throw error
  }
}
