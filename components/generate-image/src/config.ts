/**
 * Render types, styles and servers: mounted files and variables, read anew for each request, so that a changed
 * file needs no rebuild.
 *
 * @module
 */
import { parseWorkflow, type Workflow, WorkflowError } from 'ftl-comfyui/workflow'
import type { ContextPlatform } from 'ftl-sdk'
import * as z from 'zod'
import { ServiceError } from './service-error.ts'

const RENDER_TYPES_FILE = '/config/render-types.json'
const STYLES_FILE = '/config/styles.json'
const DEFAULT_SERVER = 'http://127.0.0.1:8188'

const renderTypes = z
  .array(
    z.object({
      /** What the client calls it. The first of the list is the default. */
      name: z.string().min(1),
      description: z.string().optional(),
      /** Name of a file below `/workflows`. */
      workflow: z.string().regex(/^[\w-][\w.-]*\.json$/, 'must be the name of a .json file'),
    }),
  )
  .min(1)

const styles = z.array(
  z.object({
    name: z.string().min(1),
    /** The prompt takes the place of `{prompt}`. */
    prompt: z.string().includes('{prompt}'),
    /** Added to the negative prompt. */
    negative: z.string().optional(),
  }),
)

export type RenderType = z.infer<typeof renderTypes>[number]
export type Style = z.infer<typeof styles>[number]

export interface Config {
  renderTypes: RenderType[]
  styles: Style[]
}

export interface Servers {
  /** Base URLs, the first is preferred where nothing else decides. */
  urls: string[]
  /** Sent with every request to them. */
  headers: Record<string, string>
}

/** @throws {ServiceError} when a file is missing or not as it should be. */
export async function readConfig({ files }: ContextPlatform): Promise<Config> {
  const [types, looks] = await Promise.all([
    readFile(files, RENDER_TYPES_FILE),
    readFile(files, STYLES_FILE),
  ])
  if (types === undefined) throw new ServiceError(`${RENDER_TYPES_FILE} is not there.`)
  return {
    renderTypes: check(RENDER_TYPES_FILE, renderTypes, types),
    styles: looks === undefined ? [] : check(STYLES_FILE, styles, looks),
  }
}

/** @throws {ServiceError} */
export async function readWorkflow(
  { files }: ContextPlatform,
  { name, workflow }: RenderType,
): Promise<Workflow> {
  const text = await readFile(files, `/workflows/${workflow}`)
  if (text === undefined) throw new ServiceError(`Workflow file '${workflow}' not found.`)
  try {
    return parseWorkflow(text)
  } catch (error) {
    if (!(error instanceof WorkflowError)) throw error
    throw new ServiceError(`The workflow of render type '${name}' is not usable: ${error.message}`)
  }
}

/**
 * Variable `comfyui_url` is one address or a comma list; `comfyui_auth`, when the manifest has it, is a header
 * such as `Authorization: Bearer abc`.
 */
export function readServers({ variables }: ContextPlatform): Servers {
  const urls = (variables.get('comfyui_url') ?? '').split(',').flatMap((url) => url.trim() || [])
  const [, name, value] =
    /^\s*([\w-]+)\s*:\s*(.+?)\s*$/.exec(variables.get('comfyui_auth') ?? '') ?? []
  return {
    urls: urls.length > 0 ? urls : [DEFAULT_SERVER],
    headers: name === undefined || value === undefined ? {} : { [name]: value },
  }
}

async function readFile(
  files: ContextPlatform['files'],
  path: string,
): Promise<string | undefined> {
  const bytes = await files.read(path)
  return bytes && new TextDecoder().decode(bytes)
}

function check<Schema extends z.ZodType>(
  file: string,
  schema: Schema,
  text: string,
): z.infer<Schema> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new ServiceError(`${file} is not valid JSON.`)
  }
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw new ServiceError(`${file}: ${issue?.path.join('.')}: ${issue?.message}`)
}
