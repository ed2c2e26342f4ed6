/** What a call makes of a workflow: arguments checked, put in, and what is missing generated. */
import type { FieldMapping } from 'ftl-comfyui/client'
import {
  fill,
  injectValues,
  isFile,
  type PlannedField,
  type WorkflowTool,
} from 'ftl-comfyui/workflow'
import { InvalidArguments } from 'ftl-sdk'
import type { UsableTool } from './workflow-repository.ts'

export interface Prepared {
  tool: string
  /** JSON of the nodes, ready to be sent; all but the mapped values is as the file has it. */
  workflow: string
  /** What was put in, by field. */
  params: Record<string, unknown>
  /** The seed, where the tool has one. */
  seed?: number
  /** One line each, for the caller. */
  warnings: string[]
  /** Where the fields went, to name them in an error of ComfyUI. */
  places: FieldMapping[]
  /** Whether only the text of the workflow is exact. */
  imprecise: boolean
}

/** A call whose arguments are valid; its files are not read yet. */
export interface Draft {
  /** The fields of files that the caller gave, with their arguments. */
  files: { field: PlannedField; source: string }[]
  /** The argument {@link INLINE_ARGUMENT}, if the caller gave it. */
  inline?: boolean
  /**
   * Puts the values into the workflow.
   *
   * @param names by field of a file: the name on the ComfyUI server that takes the place of the argument. A mask has none:
   *   its image has.
   */
  finish(names: ReadonlyMap<string, string>): Prepared
}

/** An argument of every workflow tool that runs, unless the workflow has a parameter of this name. */
export const INLINE_ARGUMENT = 'inline_images'

export function takesInline({ fields }: Pick<WorkflowTool, 'fields'>): boolean {
  return fields.every(({ name }) => name !== INLINE_ARGUMENT)
}

/**
 * @param runs whether the workflow is run, and not only returned.
 * @throws {InvalidArguments} naming each argument that is invalid.
 */
export function prepare(usable: UsableTool, args: Record<string, unknown>, runs: boolean): Draft {
  const { fields } = usable.tool
  const asked = runs && takesInline(usable.tool) ? args[INLINE_ARGUMENT] : undefined
  const filled = fill(fields, args, random)
  if (asked !== undefined && typeof asked !== 'boolean') {
    filled.problems.push(`${INLINE_ARGUMENT}: must be true or false`)
  }
  if (filled.problems.length > 0) throw new InvalidArguments(filled.problems.join('\n'))
  const given = fields.filter((field) => isFile(field) && Object.hasOwn(args, field.name))
  return {
    ...(typeof asked === 'boolean' && { inline: asked }),
    files: given.map((field) => ({ field, source: String(args[field.name]) })),
    finish(names) {
      const values = new Map(filled.values)
      for (const [name, file] of names) values.set(name, file)
      const isKnown = asked !== undefined
      const unknown = filled.unknown.filter((name) => !(isKnown && name === INLINE_ARGUMENT))
      return finish(usable, values, unknown)
    },
  }
}

function finish(
  { tool, text }: UsableTool,
  values: ReadonlyMap<string, unknown>,
  unknown: readonly string[],
): Prepared {
  const seed = tool.fields.filter(isSeed).map(({ name }) => values.get(name))
  const [used] = seed.filter((value) => typeof value === 'number')
  return {
    tool: tool.name,
    workflow: injectValues(tool, text, values),
    params: Object.fromEntries(values),
    ...(used !== undefined && { seed: used }),
    warnings: unknown.map((name) => `"${name}" is not a parameter of this tool and was left out.`),
    places: tool.fields.flatMap(({ name, targets }) =>
      targets.map(({ nodeId, inputName }) => ({ field: name, nodeId, inputName })),
    ),
    imprecise: tool.imprecise,
  }
}

function isSeed({ name, generator }: PlannedField): boolean {
  return generator?.type === 'seed' || /^(?:noise_)?seed$/.test(name)
}

/** As `Math.random`, but of the host: what an engine makes follows from the state it was built with. */
function random(): number {
  const [high = 0, low = 0] = crypto.getRandomValues(new Uint32Array(2))
  return ((high >>> 5) * 2 ** 26 + (low >>> 6)) / 2 ** 53
}
