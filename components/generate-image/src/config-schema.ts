/**
 * The form of the mounted configuration files, for the component, the linter and the JSON Schema files beside them.
 *
 * Each file is `{ "$schema": …, "renderTypes": [...] }` and so on; the bare list of earlier versions is read too.
 */
import { MODEL_FAMILIES } from 'ftl-comfyui/models'
import { SERVERS_FILE } from 'ftl-comfyui/servers'
import * as z from 'zod'

/** What a render type may set in its workflow: arguments of the tools, and what follows from them. */
const FIELDS = [
  'prompt',
  'negative_prompt',
  'seed',
  'width',
  'height',
  'image',
  'mask',
  'scale',
  'upscale_model',
] as const

export type Field = (typeof FIELDS)[number]

/** One of `node`, `title` and `class_type` says which node; more than one must agree. */
const place = {
  node: z.string().min(1).optional().describe('Id of the node in the workflow file'),
  title: z.string().min(1).optional().describe('Title of the node; several may have the same one'),
  class_type: z
    .string()
    .min(1)
    .optional()
    .describe('Class of the node; refused when several nodes have it'),
}

const target = z.strictObject({
  ...place,
  input: z.string().min(1).describe('Name of the input that is set'),
})

const outputPlace = z.strictObject(place)

export type MappingTarget = z.infer<typeof target>
export type OutputPlace = z.infer<typeof outputPlace>

const targets = z.array(target).min(1).optional()

const mappings = z.strictObject({
  ...(Object.fromEntries(FIELDS.map((field) => [field, targets])) as Record<Field, typeof targets>),
  output: z.array(outputPlace).min(1).optional().describe('Nodes whose images are the result'),
})

export const renderType = z.strictObject({
  name: z
    .string()
    .min(1)
    .max(64)
    .describe('What the client calls it; the first of a tool is its default'),
  description: z.string().optional().describe('Helps the model to choose'),
  tool: z
    .enum(['generate_image', 'upscale_image'])
    .default('generate_image')
    .describe('The tool that offers it'),
  workflow: z
    .string()
    .regex(/^[\w-][\w.-]*\.json$/, 'must be the name of a .json file')
    .describe('File in the workflows folder, exported with File → Export (API)'),
  mappings: mappings
    .optional()
    .describe('Where arguments go; a field that is not named here goes by the titles MCP_…'),
  models: z
    .strictObject({
      family: z
        .enum(MODEL_FAMILIES)
        .optional()
        .describe(
          'Models that fit the workflow; by default the family of the model file that it names',
        ),
      prefer: z
        .array(z.string().min(1).max(255))
        .max(20)
        .optional()
        .describe('Model files to use first, the best first; * stands for any characters'),
    })
    .optional()
    .describe('Which models may be used if the server does not have the one of the workflow'),
  upscale_model: z
    .strictObject({
      file: z.string().min(1).describe('File name of the model on the ComfyUI server'),
      scale: z.number().min(1).max(16).describe('How many times larger the model makes an image'),
    })
    .optional()
    .describe('For a workflow with an upscale model'),
})

const style = z.strictObject({
  name: z.string().min(1).max(64).describe('What the client calls it'),
  prompt: z.string().includes('{prompt}').describe('The prompt takes the place of {prompt}'),
  negative: z.string().optional().describe('Added to the negative prompt'),
})

export type RenderType = z.infer<typeof renderType>
export type Style = z.infer<typeof style>

/** The files, the key of their list, and what is in it. */
export const CONFIG_FILES = {
  'render-types.json': { key: 'renderTypes', entry: renderType },
  'styles.json': { key: 'styles', entry: style },
  'servers.json': SERVERS_FILE,
} as const

export type ConfigFile = keyof typeof CONFIG_FILES
