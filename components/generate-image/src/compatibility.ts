/** Whether a server can run a workflow: measured, not configured, and remembered for some minutes. */
import {
  type ComfyClient,
  ComfyError,
  type Compatibility,
  describeMissingModel,
  describeMissingNode,
  toNodeClass,
} from 'ftl-comfyui/client'
import { isLink, type Workflow } from 'ftl-comfyui/workflow'
import type { ToolContext } from 'ftl-sdk'
import type { Targets } from './workflow/targets.ts'
import { readVerdict, type Verdict, verdictKey, writeVerdict } from './server-memory.ts'

/** What decides: the rest of a workflow changes with every job. */
const CHOSEN = /^(?:sampler_name|scheduler)$/
const MODEL_FILE = /\.(?:safetensors|sft|ckpt|pt|pth|bin|gguf|onnx)$/i

type Memory = Pick<ToolContext, 'platform'>

/**
 * @param targets the inputs that got the arguments. They are not remembered, because they contain a caller's text.
 * @throws {ComfyError} when the server does not answer.
 */
export async function compatibility(
  server: string,
  client: Pick<ComfyClient, 'compatibility'>,
  workflow: Workflow,
  targets: Targets['fields'],
  memory: Memory,
): Promise<Verdict> {
  const key = await verdictKey(server, needsOf(workflow, targets))
  const known = await readVerdict(key, memory)
  if (known) return known
  const verdict = toVerdict(await client.compatibility(workflow))
  await writeVerdict(key, verdict, memory)
  return verdict
}

/** Keeps what a server said when it refused a workflow, so that the next job does not ask it again. */
export async function rememberRefusal(
  server: string,
  workflow: Workflow,
  targets: Targets['fields'],
  verdict: Verdict,
  memory: Memory,
): Promise<void> {
  await writeVerdict(await verdictKey(server, needsOf(workflow, targets)), verdict, memory)
}

/** The first thing that is missing, or does not fit. */
export function toVerdict({ missingNodes, missingModels, mismatches }: Compatibility): Verdict {
  const [node] = missingNodes
  const [model] = missingModels
  const [mismatch] = mismatches
  if (node !== undefined) {
    return { fits: false, kind: 'missing_node', reason: describeMissingNode(node) }
  }
  if (!model && mismatch !== undefined) return { fits: false, kind: 'mismatch', reason: mismatch }
  if (!model) return { fits: true }
  const reason = describeMissingModel(model.file, model.available)
  return { fits: false, kind: 'missing_model', reason }
}

/** Completes the refusal of a server that did not send its files: it leaves out lists of more than 20 names. */
export async function withAvailable(
  error: ComfyError,
  client: Pick<ComfyClient, 'objectInfo'>,
): Promise<ComfyError> {
  const { kind, details } = error
  const { nodeType, inputName, received, available } = details
  if (kind !== 'missing_model' || available || nodeType === undefined || !inputName) return error
  try {
    const infos = await client.objectInfo([nodeType])
    const { inputs } = toNodeClass(Object.hasOwn(infos, nodeType) ? infos[nodeType] : undefined)
    const choices = Object.hasOwn(inputs, inputName) ? inputs[inputName]?.choices : undefined
    return new ComfyError(kind, describeMissingModel(String(received), choices), details)
  } catch (failure) {
    if (!(failure instanceof ComfyError)) throw failure
    return error
  }
}

/**
 * Node classes, model files, and the types of links and values, in an order of their own. Copies of a node change nothing,
 * and neither does what a caller writes: each job would be a new entry.
 */
function needsOf(
  workflow: Workflow,
  { prompt = [], negative_prompt = [] }: Targets['fields'],
): string[] {
  const typeOf = (id: string) => workflow[id]?.class_type ?? ''
  const texts = new Set(
    [...prompt, ...negative_prompt].map(({ node, input }) => `${typeOf(node)} ${input}`),
  )
  const needOf = (name: string, value: unknown, isText: boolean): string => {
    if (isLink(value)) return `<${typeOf(value[0])}:${value[1]}`
    const isNamed = typeof value === 'string' && (MODEL_FILE.test(value) || CHOSEN.test(name))
    return isNamed && !isText ? `=${value}` : `:${typeof value}`
  }
  const needs = Object.values(workflow).flatMap(({ class_type, inputs }) => [
    class_type,
    ...Object.entries(inputs).map(
      ([name, value]) =>
        `${class_type}.${name}${needOf(name, value, texts.has(`${class_type} ${name}`))}`,
    ),
  ])
  return [...new Set(needs)].sort()
}
