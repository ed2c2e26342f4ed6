/** Whether the servers can run the render types at all: looked up for `/health/components`, and stored for a minute. */
import { classesOf, ComfyError, compare, type NodeClass, toNodeClass } from 'ftl-comfyui/client'
import { connectTo } from 'ftl-comfyui/job'
import { formatProblem, loadServers, type Server } from 'ftl-comfyui/servers'
import type { Workflow } from 'ftl-comfyui/workflow'
import { getJson, setJson } from 'ftl-platform'
import { type ContextPlatform, ToolError } from 'ftl-sdk'
import { toVerdict } from './compatibility.ts'
import { readConfig, type RenderType, readWorkflow } from './config.ts'
import { digest } from './server-memory.ts'
import { filesOf, fitModel } from './submit-with-model.ts'

const KEPT_MS = 60_000
/** Of a look-up that did not finish. */
const KEPT_UNKNOWN_MS = 10_000
/** Short, because a list of tools waits for it. */
const LIMIT_MS = 1_000
/** Render types that are checked; each one may cost requests for its node classes. */
const MAX_CHECKED = 8

interface Stored {
  at: number
  /** `null`: not known. */
  problems: string[] | null
}

/**
 * A line for each render type that no server can run, with the reason. Nothing is reported while a server does not answer
 * in time, because it may be one that can.
 */
export async function readProblems(platform: ContextPlatform): Promise<string[]> {
  const { list, urls, problems: settings } = await loadServers(platform)
  // What is wrong with a file is the operator's business only: it may say which servers and secrets there are.
  const ofAddress = settings.filter(({ file }) => file === 'comfyui_url').map(formatProblem)
  return [...ofAddress, ...(await readProblemsOf(list, urls, platform))]
}

async function readProblemsOf(
  list: readonly Server[],
  urls: readonly string[],
  platform: ContextPlatform,
): Promise<string[]> {
  const store = await platform.openKeyValue('default')
  const key = `comfy:ready:${await digest(urls.join())}`
  const stored = await getJson<Stored>(store, key)
  const keptMs = stored?.problems ? KEPT_MS : KEPT_UNKNOWN_MS
  if (stored && platform.now() - stored.at < keptMs) return stored.problems ?? []
  const problems = await withinLimit(findProblems(platform, list))
  await setJson(store, key, { at: platform.now(), problems: problems ?? null })
  for (const problem of problems ?? []) console.warn(problem)
  return problems ?? []
}

interface Checked {
  name: string
  models?: RenderType['models']
  workflow: Workflow
}

async function findProblems(
  platform: ContextPlatform,
  servers: readonly Server[],
): Promise<string[] | undefined> {
  // A configuration that cannot be read fails the description, which says so.
  const { renderTypes } = await readConfig(platform).catch(otherwise(ToolError, noTypes))
  const read = await Promise.all(
    renderTypes.slice(0, MAX_CHECKED).map((type) => readChecked(type, platform)),
  )
  const checked = read.filter((each) => each !== undefined)
  const classes = [...new Set(checked.flatMap(({ workflow }) => classesOf(workflow)))]
  const answers = await Promise.all(
    servers.map((server) =>
      readClasses(server, classes, platform).catch(otherwise(ComfyError, undefined)),
    ),
  )
  const known = answers.filter((answer) => answer !== undefined)
  if (known.length < answers.length) return undefined
  return checked.flatMap(({ name, models, workflow }) => {
    const verdicts = known.map((answer) => {
      const { workflow: fitting } = fitModel(workflow, filesOf(workflow, answer), models) ?? {}
      return toVerdict(compare(fitting ?? workflow, answer))
    })
    const [first] = verdicts
    const isProblem = first && verdicts.every(({ fits }) => !fits)
    return isProblem ? [`render type "${name}": ${first.reason}`] : []
  })
}

const noTypes: { renderTypes: RenderType[] } = { renderTypes: [] }

/** @returns `undefined` for a workflow that cannot be used: the description reports it. */
async function readChecked(
  renderType: RenderType,
  platform: ContextPlatform,
): Promise<Checked | undefined> {
  const usable = readWorkflow(platform, renderType)
  const read = await usable.catch(otherwise(ToolError, undefined))
  return read && { ...renderType, workflow: read.workflow }
}

async function readClasses(
  server: Server,
  classes: readonly string[],
  platform: ContextPlatform,
): Promise<Record<string, NodeClass>> {
  const client = connectTo(server, { platform, deadline: LIMIT_MS * 2 }, LIMIT_MS)
  const infos = Object.entries(await client.objectInfo(classes))
  return Object.fromEntries(infos.map(([name, info]) => [name, toNodeClass(info)]))
}

function otherwise<Value>(kind: new (...args: never[]) => Error, value: Value) {
  return (error: unknown): Value => {
    if (error instanceof kind) return value
    throw error
  }
}

async function withinLimit<Value>(work: Promise<Value>): Promise<Value | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const limit = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), LIMIT_MS)
  })
  return Promise.race([work, limit]).finally(() => clearTimeout(timer))
}
