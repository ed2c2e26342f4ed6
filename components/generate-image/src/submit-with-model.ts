/** Submits a workflow, with another model of the same family if no server has the one that the workflow names. */
import { ComfyError, findChoice, type NodeClass, shownName, toNodeClass } from 'ftl-comfyui/client'
import type { PromptState } from 'ftl-comfyui/job'
import { chooseModel, type ModelPreference } from 'ftl-comfyui/models'
import { connect, type Servers } from 'ftl-comfyui/servers'
import type { Workflow } from 'ftl-comfyui/workflow'
import { type ToolContext, ToolError } from 'ftl-sdk'
import { type SubmitOptions, submitToOne } from './submit-to-one.ts'
import { modelInputs, withModels } from './workflow/model-inputs.ts'

/** Milliseconds for the list of one server. */
const LIST_LIMIT_MS = 3_000

export interface ModelOptions extends SubmitOptions {
  /** `false`: the caller chose the model, and gets no other one. */
  preference: ModelPreference | false
}

type Job = Parameters<typeof submitToOne>[1]
type Sent = Pick<PromptState, 'server' | 'promptId' | 'uncertain'>

/**
 * @param before called before the job is sent to a server, with the model that is used instead of the workflow's.
 * @throws {ToolError} as `submitToOne` does.
 */
export async function submitWithModel(
  workflow: Workflow,
  job: Job,
  servers: Servers,
  context: ToolContext,
  before: (server: string, instead?: string) => Promise<void>,
  { preference, ...options }: ModelOptions,
): Promise<Sent & { instead?: string }> {
  try {
    return await submitToOne(workflow, job, servers, context, (url) => before(url), options)
  } catch (error) {
    const kind = kindOf(error)
    if (kind !== 'missing_model' && kind !== 'missing_node') throw error
    const fitting =
      kind === 'missing_model' && preference !== false
        ? fitModel(workflow, await readFiles(workflow, servers, context), preference)
        : undefined
    // The operator can mend this, and may not see the client's messages.
    const used = fitting ? ` "${shownName(fitting.model)}" is used instead.` : ''
    console.warn(`${(error as Error).message}${used}`)
    if (!fitting) throw error
    const { model: instead } = fitting
    // A server that refused a prompt has not taken it, so another one with the same id runs once.
    const submit = (url: string) => before(url, instead)
    const sent = await submitToOne(fitting.workflow, job, servers, context, submit, options)
    return { ...sent, instead }
  }
}

/** The model file that a workflow names; `undefined` when it has none, or several. */
export function modelOf(workflow: Workflow): string | undefined {
  const [target] = modelInputs(workflow).model ?? []
  const name = target && workflow[target.node]?.inputs[target.input]
  return typeof name === 'string' ? name : undefined
}

/** @returns `undefined` if the server has the workflow's model, or has no other model that certainly fits. */
export function fitModel(
  workflow: Workflow,
  available: readonly unknown[],
  preference: ModelPreference = {},
): { workflow: Workflow; model: string } | undefined {
  const wanted = modelOf(workflow)
  if (wanted === undefined || available.includes(findChoice(available, wanted))) return undefined
  const model = chooseModel(wanted, available, preference)
  if (model === undefined) return undefined
  return { workflow: withModels(workflow, modelInputs(workflow), { model }), model }
}

/** What the loader of the workflow can load, on a server with these node classes. */
export function filesOf(
  workflow: Workflow,
  classes: Readonly<Record<string, NodeClass>>,
): readonly unknown[] {
  const [target] = modelInputs(workflow).model ?? []
  const nodeType = (target && workflow[target.node]?.class_type) ?? ''
  const known = Object.hasOwn(classes, nodeType) ? classes[nodeType] : undefined
  return known?.inputs[target?.input ?? '']?.choices ?? []
}

/** The same on all servers together. */
async function readFiles(
  workflow: Workflow,
  servers: Servers,
  context: ToolContext,
): Promise<unknown[]> {
  const [target] = modelInputs(workflow).model ?? []
  const nodeType = target && workflow[target.node]?.class_type
  if (nodeType === undefined) return []
  const lists = await Promise.all(
    servers.list.map(async ({ url }) => {
      try {
        const infos = await connect(url, servers, context, LIST_LIMIT_MS).objectInfo([nodeType])
        return filesOf(workflow, { [nodeType]: toNodeClass(infos[nodeType]) })
      } catch (error) {
        if (!(error instanceof ComfyError)) throw error
        return []
      }
    }),
  )
  return lists.flat()
}

function kindOf(error: unknown): unknown {
  return error instanceof ToolError && (error.data as { kind?: unknown } | undefined)?.kind
}
