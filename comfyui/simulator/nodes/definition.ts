/** What a node is to the simulator: its description in `object_info`, and what it does. */
import type { Picture } from '../drawing/png.ts'
import type { VersionTraits } from '../version.ts'

/** A socket type such as `IMAGE` or a list of choices, and its options. */
export type InputSpec = readonly [type: string | readonly string[], options?: InputOptions]

export interface InputOptions {
  default?: unknown
  min?: number
  max?: number
  [option: string]: unknown
}

export interface NodeInputs {
  required: Record<string, InputSpec>
  optional?: Record<string, InputSpec>
  /** Filled in by the server; listed only. */
  hidden?: Record<string, string | readonly [string]>
}

/** What nodes that write files get from the server, as nodes of the newer interface list it. */
export const HIDDEN = { prompt: ['PROMPT'], extra_pnginfo: ['EXTRA_PNGINFO'] } as const

/** What lists of choices are made of. */
export interface Choices {
  models: (folder: string) => readonly string[]
  inputFiles: () => readonly string[]
  /** Whether a file is in the input folder or in one below it, which is not listed. */
  hasInputFile: (path: string) => boolean
  /** Whether choices that came after 0.3.64 are there. */
  modern: boolean
}

export interface SavedFile {
  filename: string
  subfolder: string
  type: 'output' | 'temp' | 'input'
}

export interface NodeResult {
  /** One value a slot. */
  outputs: unknown[]
  /** What `executed`, history and jobs show of this node. */
  ui?: Record<string, unknown[]>
}

/** What a running node may ask of the server. */
export interface NodeRun {
  /** Seconds a sampler takes in all. */
  renderSeconds: number
  /** Waits; throws {@link Interrupted} when the prompt was cancelled meanwhile. */
  pause(seconds: number): Promise<void>
  /** Reports progress; `preview` is shown to clients that watch. */
  progress(value: number, max: number, preview?: Picture): Promise<void>
  /** Whether the prompt asked for previews of its samplers. */
  wantsPreviews: boolean
  save(picture: Picture, prefix: string, type: 'output' | 'temp'): Promise<SavedFile>
  /** Writes a file of another kind to the output folder. */
  saveFile(bytes: Uint8Array, extension: string, prefix: string): Promise<SavedFile>
  readInput(name: string): Promise<Uint8Array | undefined>
}

export interface NodeDefinition {
  name: string
  displayName: string
  category: string
  description?: string
  /** Python module of the class. @default 'nodes' */
  module?: string
  inputs: (choices: Choices) => NodeInputs
  outputs: readonly (readonly [type: string, name: string])[]
  outputTooltips?: readonly string[]
  searchAliases?: readonly string[]
  essentials?: string
  outputNode?: boolean
  isDeprecated?: boolean
  isExperimental?: boolean
  /** Nodes of ComfyUI's newer interface say more of themselves; some of them had the older one in 0.3.64. */
  api?: 'always' | 'since 0.3.64'
  /** What 0.3.64 said instead; null: it did not have the node. */
  older?:
    | (Partial<Pick<NodeDefinition, 'category' | 'outputs' | 'outputTooltips'>> & {
        displayName?: string | null
      })
    | null
  /** Inputs the node checks itself, whatever its list of choices says; a text is what is wrong. */
  checks?: Record<string, (value: unknown, choices: Choices) => string | undefined>
  run(inputs: Record<string, unknown>, run: NodeRun): Promise<NodeResult>
}

/** The prompt was cancelled while a node ran. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
}

/** A node failed the way a Python node fails. */
export class NodeFailure extends Error {
  override readonly name = 'NodeFailure'
  /** Name of the Python exception. */
  readonly exceptionType: string
  /** The traceback's last entries, as the server would show them. */
  readonly frames: string[]
  constructor(exceptionType: string, message: string, frames: string[]) {
    super(message)
    this.exceptionType = exceptionType
    this.frames = frames
  }
}

/** A node as `GET /object_info/{class}` shows it; undefined where the version does not have it. */
export function describeNode(
  node: NodeDefinition,
  choices: Choices,
  { modernInfo }: VersionTraits,
): Record<string, unknown> | undefined {
  if (!modernInfo && node.older === null) return undefined
  const { displayName, category, outputs, outputTooltips } = {
    ...node,
    ...(!modernInfo && node.older),
  }
  const isNewer = node.api === 'always' || (modernInfo && node.api !== undefined)
  const inputs = node.inputs(choices)
  const order = Object.entries(inputs).map(([kind, group]) => [kind, Object.keys(group as object)])
  return {
    input: inputs,
    input_order: Object.fromEntries(order) as Record<string, string[]>,
    output: outputs.map(([type]) => type),
    output_is_list: outputs.map(() => false),
    output_name: outputs.map(([, name]) => name),
    name: node.name,
    display_name: displayName,
    description: node.description ?? '',
    python_module: node.module ?? 'nodes',
    category,
    output_node: node.outputNode ?? false,
    ...(outputTooltips && { output_tooltips: outputTooltips }),
    ...(node.isExperimental && { experimental: true }),
    ...(isNewer && {
      output_tooltips: outputTooltips ?? outputs.map(() => null),
      deprecated: node.isDeprecated ?? false,
      experimental: node.isExperimental ?? false,
      api_node: false,
    }),
    ...(modernInfo && {
      is_input_list: false,
      has_intermediate_output: false,
      search_aliases: node.searchAliases ?? (isNewer ? null : []),
      ...(node.essentials && { essentials_category: node.essentials }),
      ...(isNewer && {
        output_matchtypes: null,
        dev_only: false,
        price_badge: null,
        essentials_category: node.essentials ?? null,
      }),
    }),
  }
}
