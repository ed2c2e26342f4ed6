/** Whether a server can run a workflow: measured, not configured, and remembered for some minutes. */
import type { ComfyClient } from 'ftl-comfyui/client'
import type { Workflow } from 'ftl-comfyui/workflow'
import type { ToolContext } from 'ftl-sdk'
import type { Targets } from './workflow/targets.ts'
import { readVerdict, type Verdict, verdictKey, writeVerdict } from './server-memory.ts'

/** What decides: the rest of a workflow changes with every job. */
const MODEL_FILE = /\.(?:safetensors|sft|ckpt|pt|pth|bin|gguf|onnx)$/i

type Memory = Pick<ToolContext, 'platform'>

/**
 * @param targets where the arguments went: a caller's text must not become part of what is remembered.
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
  const { missingNodes, missingModels } = await client.compatibility(workflow)
  const [node] = missingNodes
  const [model] = missingModels
  const verdict: Verdict =
    node !== undefined
      ? lacking('missing_node', `the node "${node}"`)
      : model
        ? lacking('missing_model', `the model file "${model.file.split(/[\\/]/).at(-1)}"`)
        : { fits: true }
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

function lacking(kind: NonNullable<Verdict['kind']>, what: string): Verdict {
  return { fits: false, kind, reason: `The ComfyUI server does not have ${what}.` }
}

/** Node classes and model files, in an order of their own: copies of a node change nothing. */
function needsOf(
  workflow: Workflow,
  { prompt = [], negative_prompt = [] }: Targets['fields'],
): string[] {
  const texts = new Set(
    [...prompt, ...negative_prompt].map(({ node, input }) => `${node} ${input}`),
  )
  const needs = Object.entries(workflow).flatMap(([id, { class_type, inputs }]) => [
    class_type,
    ...Object.entries(inputs).flatMap(([input, value]) =>
      typeof value === 'string' && MODEL_FILE.test(value) && !texts.has(`${id} ${input}`)
        ? [`${class_type}.${input}=${value}`]
        : [],
    ),
  ])
  return [...new Set(needs)].sort()
}
