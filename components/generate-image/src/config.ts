/** Render types and styles: mounted files, read again for each request, so that a changed file needs no rebuild. */
import { formatProblem, type Problem, readList } from 'ftl-comfyui/servers'
import { parseWorkflow, type Workflow, WorkflowError } from 'ftl-comfyui/workflow'
import { type ContextPlatform, ToolError } from 'ftl-sdk'
import { CONFIG_FILES, type Field, type RenderType, type Style } from './config-schema.ts'
import { type ModelArgument, modelInputs } from './workflow/model-inputs.ts'
import { findTargets, type Targets, usesTransparency } from './workflow/targets.ts'

export type { RenderType, Style } from './config-schema.ts'

export interface Config {
  /** Render types of all tools; the first of each tool is its default. */
  renderTypes: RenderType[]
  styles: Style[]
  /** Why entries were left out. */
  problems: Problem[]
}

/** A configuration whose workflows have been checked too. */
export interface CheckedConfig extends Config {
  /** The arguments that the workflow of each render type accepts. */
  fields: ReadonlyMap<string, ReadonlySet<Field>>
  /** Of all render types together: the arguments that choose a model and can be used. */
  modelArguments: ReadonlySet<ModelArgument>
}

/**
 * Reads what a call needs. It does not read workflows: only the one that is used is read, later.
 *
 * @throws {ToolError} when there is no render type at all.
 */
export async function readConfig({ files }: ContextPlatform): Promise<Config> {
  const [typesText, stylesText] = await Promise.all([
    readFile(files, 'config/render-types.json'),
    readFile(files, 'config/styles.json'),
  ])
  if (typesText === undefined) throw new ToolError('/config/render-types.json is not there.')
  const types = readList('config/render-types.json', CONFIG_FILES['render-types.json'], typesText)
  const styles =
    stylesText === undefined
      ? undefined
      : readList('config/styles.json', CONFIG_FILES['styles.json'], stylesText)
  const problems = [...types.problems, ...(styles?.problems ?? [])]
  if (types.entries.length === 0) throw new ToolError(`/${firstOf(problems)}`)
  return {
    renderTypes: types.entries.map(({ entry }) => entry),
    styles: styles?.entries.map(({ entry }) => entry) ?? [],
    problems,
  }
}

/**
 * Reads the configuration and leaves out render types whose workflow cannot be used.
 *
 * @throws {ToolError} when none is left.
 */
export async function readCheckedConfig(platform: ContextPlatform): Promise<CheckedConfig> {
  const config = await readConfig(platform)
  const fields = new Map<string, ReadonlySet<Field>>()
  const modelArguments = new Set<ModelArgument>()
  const problems = [...config.problems]
  for (const renderType of config.renderTypes) {
    try {
      const { targets, workflow } = await readWorkflow(platform, renderType)
      if (renderType.tool === 'generate_image') {
        for (const name of Object.keys(modelInputs(workflow)))
          modelArguments.add(name as ModelArgument)
      }
      const taken = new Set(Object.keys(targets) as Field[])
      if (usesTransparency(workflow, targets)) taken.add('mask')
      fields.set(renderType.name, taken)
    } catch (error) {
      if (!(error instanceof ToolError)) throw error
      problems.push({ file: 'config/render-types.json', path: [], message: error.message })
    }
  }
  const renderTypes = config.renderTypes.filter(({ name }) => fields.has(name))
  if (renderTypes.length === 0) throw new ToolError(firstOf(problems))
  return { ...config, renderTypes, problems, fields, modelArguments }
}

export interface UsableWorkflow {
  workflow: Workflow
  /** The node inputs that each field sets. */
  targets: Targets['fields']
  /** Nodes whose files are the result; empty = all nodes that write files. */
  outputs: string[]
}

/** @throws {ToolError} with the problem of the file or of the render type's mappings. */
export async function readWorkflow(
  { files }: ContextPlatform,
  renderType: RenderType,
): Promise<UsableWorkflow> {
  const bytes = await files.read(`/workflows/${renderType.workflow}`)
  if (bytes === undefined) {
    throw new ToolError(`Workflow file '${renderType.workflow}' not found.`)
  }
  const unusable = (why: string) =>
    new ToolError(`The workflow of render type '${renderType.name}' is not usable: ${why}`)
  let workflow: Workflow
  try {
    workflow = parseWorkflow(new TextDecoder().decode(bytes))
  } catch (error) {
    throw error instanceof WorkflowError ? unusable(error.message) : error
  }
  const { fields, outputs, problems } = findTargets(workflow, renderType)
  const [problem] = problems
  if (problem) throw unusable(problem.message)
  return { workflow, targets: fields, outputs }
}

async function readFile(
  files: ContextPlatform['files'],
  path: string,
): Promise<string | undefined> {
  const bytes = await files.read(`/${path}`)
  return bytes && new TextDecoder().decode(bytes)
}

function firstOf([problem]: Problem[]): string {
  return problem ? formatProblem(problem) : 'config/render-types.json names no render type'
}
