/** Whether the render types run on a ComfyUI server, and what to write where one does not. */
import {
  ComfyError,
  createComfyClient,
  describeMissingModel,
  describeMissingNode,
  shownName,
  toNodeClass,
} from 'ftl-comfyui/client'
import { chooseModel, familyOf, type ModelPreference } from 'ftl-comfyui/models'
import {
  authHeaders,
  comfyuiProblem,
  hidden,
  readComfyuiAddress,
} from '../comfyui-server/address.ts'
import { CommandFailure } from '../terminal/failure.ts'
import { visible } from '../terminal/visible-text.ts'
import { type Finding, ok, problem, warning } from './finding.ts'
import type { ApplicationRenderType, RenderTypes } from './render-types.ts'

const TIMEOUT_MS = 15_000
/** Longer names are not proposed. */
const MAX_NAME = 255
/** Names that are examined for a proposal: a server may send any number. */
const MAX_EXAMINED = 10_000

type Client = ReturnType<typeof createComfyClient>

/** @param url may have a user and a password, which no finding contains. */
export async function checkComfyui(
  url: string,
  renderTypes: RenderTypes | undefined,
): Promise<Finding[]> {
  const about = 'ComfyUI'
  const shown = hidden(url)
  const typed = (address: string) => `ftl doctor --comfyui ${address}`
  try {
    const address = readComfyuiAddress(url, typed)
    const { origin, path, auth = process.env['SPIN_VARIABLE_COMFYUI_AUTH'] } = address
    const wrong = await comfyuiProblem({ ...address, ...(auth && { auth }) }, typed)
    if (wrong) return [problem(about, `${shown}: ${wrong.message}`, wrong.remedy)]
    const client = createComfyClient({
      baseUrl: origin + path,
      headers: authHeaders(auth),
      fetch,
      timeoutMs: TIMEOUT_MS,
    })
    const version = visible(shownName(await client.version()))
    const findings = [ok(about, `${shown} answers, version ${version}`)]
    if (!renderTypes || renderTypes.types.length === 0) {
      const message = 'the application has no render type of generate_image that can be read'
      return [...findings, warning('render types', message, 'see docs/comfyui.md')]
    }
    for (const type of renderTypes.types) {
      findings.push(await checkRenderType(type, renderTypes.path, client))
    }
    return findings
  } catch (error) {
    if (error instanceof CommandFailure) {
      const [message = '', command = ''] = error.message.split(' Type: ')
      return [problem(about, message, command)]
    }
    if (!(error instanceof ComfyError)) throw error
    const remedy = `start ComfyUI, or name its address: ${typed('http://127.0.0.1:8188')}`
    return [problem(about, `${shown}: ${visible(error.message)}`, remedy)]
  }
}

async function checkRenderType(
  type: ApplicationRenderType,
  path: string,
  client: Client,
): Promise<Finding> {
  const about = `render type "${visible(type.name)}"`
  const { loader, workflow, models } = type
  const available = loader ? await filesOf(loader, client) : []
  const chosen =
    loader && !available.includes(loader.wanted)
      ? chooseModel(loader.wanted, available, models)
      : undefined
  const { missingNodes, missingModels, mismatches } = await client.compatibility(workflow)
  const [node] = missingNodes
  if (node !== undefined) {
    const remedy = 'install the custom nodes that have it, or update ComfyUI'
    return problem(about, describeMissingNode(node), remedy)
  }
  const missing = missingModels.find(({ nodeId }) => nodeId !== loader?.node)
  if (missing) {
    const remedy = `put the file into the models folder of ComfyUI, or name another one in ${type.file}`
    return problem(about, describeMissingModel(missing.file, missing.available), remedy)
  }
  const [mismatch] = mismatches
  if (mismatch !== undefined) {
    const remedy = `open ${type.file} in ComfyUI, mend the node, and export the workflow again (File → Export (API))`
    return warning(about, visible(mismatch), remedy)
  }
  if (!loader || missingModels.length === 0) {
    const model = loader ? `, with the model "${shownName(loader.wanted)}"` : ''
    return ok(about, `works as it is${model}`)
  }
  if (chosen !== undefined) {
    const reason = `the server does not have "${shownName(loader.wanted)}"`
    return ok(about, `works as it is, with the model "${shownName(chosen)}": ${reason}`)
  }
  const message = describeMissingModel(loader.wanted, available)
  return problem(about, message, propose(type, loader.wanted, available, path))
}

async function filesOf(
  { nodeType, input }: NonNullable<ApplicationRenderType['loader']>,
  client: Client,
): Promise<unknown[]> {
  const infos = await client.objectInfo([nodeType])
  const { inputs } = toNodeClass(Object.hasOwn(infos, nodeType) ? infos[nodeType] : undefined)
  return (Object.hasOwn(inputs, input) ? inputs[input]?.choices : undefined) ?? []
}

/** What to write, and where. An entry for a workflow of the application leads to a model that the server has. */
function propose(
  { name, file }: ApplicationRenderType,
  wanted: string,
  available: readonly unknown[],
  path: string,
): string {
  const names = available.slice(0, MAX_EXAMINED).filter(isUsable)
  const paste = `replace the entry "${visible(name)}" in ${path} by`
  const own = 'export your own workflow (File → Export (API)) to the workflows folder, and add'
  const [first] = names
  if (first === undefined) return 'put a checkpoint into models/checkpoints of ComfyUI'
  for (const family of ['sd15', 'sd2'] as const) {
    // These run in the workflow of SDXL, because a checkpoint brings its own text encoder and VAE.
    if (familyOf(wanted) !== 'sdxl' || chooseModel(wanted, names, { family }) === undefined)
      continue
    const about =
      'These models run in this workflow, but were trained on smaller images. For good images, use your own workflow.'
    return `${paste}\n${snippet(name, file, { family })}\n${about}`
  }
  const unknown = names.find((each) => familyOf(each) === undefined)
  if (unknown !== undefined) {
    const family = familyOf(wanted) ?? 'the same family'
    const about = `This works if "${shownName(unknown)}" is a model of ${family}: its name does not say so.`
    return `${paste}\n${snippet(name, file, { prefer: [unknown] })}\n${about}`
  }
  return `${own} this to ${path}\n${snippet(nameFor(first), 'my-workflow.json')}`
}

function isUsable(name: unknown): name is string {
  return (
    typeof name === 'string' && name.length <= MAX_NAME && visible(name) === name && name !== ''
  )
}

function nameFor(model: string): string {
  const family = familyOf(model)
  return family === undefined || family === 'other' ? 'My workflow' : family
}

function snippet(name: string, workflow: string, models?: ModelPreference): string {
  return JSON.stringify({ name, workflow, models }, undefined, 2)
}
