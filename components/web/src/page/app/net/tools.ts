/** The tools there are, and how their components are doing. */
import { needsSignIn, session } from '../sign-in/session.ts'
import { createStore } from '../store.ts'
import { ApiError, asArray, asRecord, getJson, text } from './api.ts'

/** JSON Schema as the form reads it; whatever else it says is the gateway's affair. */
export type Schema = Record<string, unknown>

export interface Tool {
  name: string
  title: string
  description: string
  inputSchema: Schema
  outputSchema?: Schema
  /** What it says of its own behaviour. */
  annotations: Record<string, unknown>
  /** Of the page that shows its results: an MCP App. */
  app?: string
  /** Whether apps may call it. @default true */
  isForApps?: false
  /** Files that its component's tools take may be sent to it by themselves. */
  takesUploads?: true
  /** What its component may reach, if the gateway says it. */
  reach?: Record<string, unknown>
}

export interface Component {
  name: string
  status: string
  problems: string[]
  /** How many. */
  tools: number
}

interface Catalog {
  tools: Tool[]
  /** While it was never read. */
  loading: boolean
  problem: string
}

export const catalog = createStore<Catalog>({ tools: [], loading: true, problem: '' })
export const components = createStore<{ list: Component[]; problem: string }>({
  list: [],
  problem: '',
})

export async function loadTools(): Promise<void> {
  catalog.set((known) => ({ ...known, loading: known.tools.length === 0 }))
  try {
    const tools = asArray(asRecord(await getJson('/tools'))['tools']).flatMap(readTool)
    catalog.set(() => ({ tools, loading: false, problem: '' }))
  } catch (error) {
    catalog.set((known) => ({ ...known, loading: false, problem: problemOf(error) }))
  }
}

export async function loadComponents(): Promise<void> {
  try {
    const list = asArray(asRecord(await getJson('/health/components'))['components'])
    components.set(() => ({ list: list.flatMap(readComponent), problem: '' }))
  } catch (error) {
    components.set((known) => ({ ...known, problem: problemOf(error) }))
  }
}

/** Nothing where the page asks the user to sign in, or says that the gateway cannot be reached. */
function problemOf(error: unknown): string {
  const isUnreachable = error instanceof ApiError && error.code === 'unreachable'
  return isUnreachable || needsSignIn(session.get()) ? '' : wordsOf(error)
}

export function wordsOf(error: unknown): string {
  return error instanceof ApiError ? error.message : 'Something went wrong. Try again.'
}

function readTool(value: unknown): Tool[] {
  const { name, title, description, inputSchema, outputSchema, annotations, _meta } =
    asRecord(value)
  if (typeof name !== 'string') return []
  const meta = asRecord(_meta)
  const reach = meta['ftl/reach']
  const { resourceUri = meta['ui/resourceUri'], visibility } = asRecord(meta['ui'])
  return [
    {
      name,
      title: text(title) ?? name.replaceAll('_', ' '),
      description: text(description) ?? '',
      inputSchema: asRecord(inputSchema),
      annotations: asRecord(annotations),
      ...(Array.isArray(visibility) &&
        !visibility.includes('app') && { isForApps: false as const }),
      ...(typeof resourceUri === 'string' &&
        resourceUri.startsWith('ui://') && { app: resourceUri }),
      ...(meta['ftl/uploads'] === true && { takesUploads: true as const }),
      ...(reach !== undefined && { reach: asRecord(reach) }),
      ...(outputSchema !== undefined && { outputSchema: asRecord(outputSchema) }),
    },
  ]
}

function readComponent(value: unknown): Component[] {
  const { component, status, problems, tools, reason } = asRecord(value)
  if (typeof component !== 'string') return []
  const said = [reason, ...asArray(problems)].filter((problem) => typeof problem === 'string')
  return [
    {
      name: component,
      status: text(status) ?? 'unknown',
      problems: said,
      tools: typeof tools === 'number' ? tools : 0,
    },
  ]
}
