/** The tools a model may use. */
import { isObject, isString } from 'ftl-contract'
import { discard, readText } from 'ftl-http'
import type { ToolFunction } from '../model/messages.ts'
import type { ChatRequest } from '../request/chat-request.ts'
import type { Gateway } from './gateway.ts'

const LIST_LIMIT = 8 * 1024 * 1024

export interface ToolList {
  /** Tool definitions that are sent to the model. */
  functions: ToolFunction[]
  /** Tool names, by the names of their functions. */
  names: ReadonlyMap<string, string>
  /** Names of the tools that the client has excluded. */
  excluded: ReadonlySet<string>
}

type Choice = Pick<ChatRequest, 'blockedServers' | 'enabledTools'>

/**
 * Lists the gateway's tools that the client has not excluded. If they are too many for a model, the list has the tools that
 * find and call the others.
 *
 * @returns `undefined` if the gateway does not return a valid list.
 */
export async function listTools(gateway: Gateway, choice: Choice): Promise<ToolList | undefined> {
  const response = await gateway.get('/tools?format=chat')
  if (!response.ok) {
    discard(response)
    return undefined
  }
  const list: unknown = JSON.parse(await readText(response, { limit: LIST_LIMIT }))
  if (!isObject(list) || !Array.isArray(list.tools) || !isObject(list.owners)) return undefined
  const names = new Map<string, string>()
  const excluded = new Set<string>()
  for (const [name, owner] of Object.entries(list.owners)) {
    if (!isObject(owner) || !isString(owner.name) || !isString(owner.component)) continue
    if (isUsed(choice, owner.component, owner.name)) names.set(name, owner.name)
    else excluded.add(owner.name)
  }
  const isAny = Object.keys(list.owners).some((name) => names.has(name) && !isGateways(list, name))
  const functions = (list.tools as ToolFunction[]).filter(
    (tool) => isAny && names.has(tool.function.name),
  )
  return { functions, names, excluded }
}

/** Whether it is a tool of the gateway itself, which only leads to others. */
function isGateways({ owners }: Record<string, unknown>, name: string): boolean {
  const owner = isObject(owners) ? owners[name] : undefined
  return isObject(owner) && owner.component === ''
}

function isUsed(
  { blockedServers, enabledTools }: Choice,
  component: string,
  tool: string,
): boolean {
  // Compare exact names: "image" must not block "generate-image".
  return !blockedServers.has(component) && (enabledTools.get(component)?.has(tool) ?? true)
}
