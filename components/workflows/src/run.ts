/** What a call makes of a workflow: arguments checked, put in, and what is missing generated. */
import type { FieldMapping } from 'ftl-comfyui/client'
import { fill, injectValues, type PlannedField } from 'ftl-comfyui/workflow'
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

/** @throws {InvalidArguments} naming each argument that does not fit. */
export function prepare({ tool, text }: UsableTool, args: Record<string, unknown>): Prepared {
  const { values, problems, unknown } = fill(tool.fields, args, random)
  if (problems.length > 0) throw new InvalidArguments(problems.join('\n'))
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
