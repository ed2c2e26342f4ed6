/** The tools that a program can call, by component, as the gateway publishes them. */
import { ApiError, asArray, asRecord, getJson, text } from '../../net/api.ts'
import { wordsOf } from '../../net/tools.ts'
import { createStore } from '../../store.ts'
import { type Shape, shapeOf } from './shape.ts'

export interface ProgramTool {
  component: string
  /** As its component named it. */
  name: string
  description: string
  input: Shape
  /** What a call returns. @default not declared */
  output: Shape | undefined
  isReadOnly: boolean
}

export interface Declared {
  state: 'loading' | 'ready' | 'failed'
  problem: string
  /** By component, then by name. */
  components: ReadonlyMap<string, ReadonlyMap<string, ProgramTool>>
  /** The name of the tool that runs programs, for clients; absent if the gateway has none. */
  runner: string | undefined
  /** It can report the calls of a run. */
  hasTrace: boolean
}

const NONE: Declared = {
  state: 'loading',
  problem: '',
  components: new Map(),
  runner: undefined,
  hasTrace: false,
}

export const declared = createStore<Declared>(NONE)

const RUN_TOOL = 'run_code'
/** Between the component and the name of a tool that another one has, too. */
const RENAMING = '__'

export async function loadDeclared(): Promise<void> {
  try {
    const [list, chat] = await Promise.all([getJson('/tools'), getJson('/tools?format=chat')])
    declared.set(() => readDeclared(list, chat))
  } catch (error) {
    const problem = error instanceof ApiError && error.status === 401 ? '' : wordsOf(error)
    declared.set((before) => ({ ...before, state: 'failed', problem }))
  }
}

/** @param list of `GET /tools`. @param chat has the owner of each tool. */
export function readDeclared(list: unknown, chat: unknown): Declared {
  const owners = new Map<string, string>()
  for (const owner of Object.values(asRecord(asRecord(chat)['owners']))) {
    const { name, component } = asRecord(owner)
    if (typeof name === 'string' && typeof component === 'string') owners.set(name, component)
  }
  const components = new Map<string, Map<string, ProgramTool>>()
  const result: Declared = { ...NONE, state: 'ready', components }
  for (const entry of asArray(asRecord(list)['tools'])) {
    const tool = asRecord(entry)
    const known = text(tool['name']) ?? ''
    const component = owners.get(known) ?? ''
    // Without one it is the gateway's own.
    if (component === '') continue
    const prefix = component + RENAMING
    const name = known.startsWith(prefix) ? known.slice(prefix.length) : known
    const input = asRecord(tool['inputSchema'])
    if (name === RUN_TOOL && result.runner === undefined) {
      result.runner = known
      result.hasTrace = Object.hasOwn(asRecord(input['properties']), 'trace')
      continue
    }
    const tools = components.get(component) ?? new Map<string, ProgramTool>()
    components.set(component, tools)
    const output = tool['outputSchema']
    tools.set(name, {
      component,
      name,
      description: text(tool['description']) ?? '',
      input: shapeOf(input),
      output: output === undefined ? undefined : shapeOf(asRecord(output)),
      isReadOnly: asRecord(tool['annotations'])['readOnlyHint'] === true,
    })
  }
  return result
}

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/

/** `.name`, or `['my-name']`. */
export function access(name: string): string {
  return IDENTIFIER.test(name) ? `.${name}` : `[${quoted(name)}]`
}

/** The name of a property in an object literal. */
export function property(name: string): string {
  // Otherwise it would set the prototype.
  if (name === '__proto__') return "['__proto__']"
  return IDENTIFIER.test(name) ? name : quoted(name)
}

function quoted(name: string): string {
  return `'${JSON.stringify(name).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}
