/** What a component's entry module exports, and what is wrong with it. */
import type { Prompt } from '../prompts-and-resources/prompt.ts'
import type { Resource } from '../prompts-and-resources/resource.ts'
import type { Skill } from '../prompts-and-resources/skill.ts'
import type { ContextPlatform } from '../tool/context.ts'
import type { Tool } from '../tool/create-tool.ts'
import { createTools, isTool, toolSet, type ToolSet } from '../tool/create-tools.ts'

/** What a component's entry module may export. */
export interface ComponentEntry {
  tool?: Tool
  tools?: ToolSet | Tool[]
  prompt?: Prompt
  prompts?: Prompt[]
  resource?: Resource
  resources?: Resource[]
  skill?: Skill
  skills?: readonly Skill[]
  default?: FetchEntry | Tool | ToolSet
}

/** A component that answers every request itself. */
export interface FetchEntry {
  fetch: (request: Request, platform: ContextPlatform) => Response | Promise<Response>
}

/**
 * What the entry serves, unless it answers every request itself.
 *
 * @throws {TypeError} when two things have one name, or what stands under a known name is something else.
 */
export function toToolSet(entry: ComponentEntry): ToolSet | undefined {
  const { prompt, resource, skill } = entry
  const prompts = [...(entry.prompts ?? []), ...(prompt ? [prompt] : [])]
  const skills = [...(entry.skills ?? []), ...(skill ? [skill] : [])]
  const resources = [
    ...(entry.resources ?? []),
    ...(resource ? [resource] : []),
    ...skills.flatMap((each) => each.resources),
  ]
  const set = ownSet(entry)
  if (!prompts.length && !resources.length) return set
  return toolSet(set?.tools ?? [], {
    ...set,
    prompts: prompts.concat(set?.prompts ?? []),
    resources: resources.concat(set?.resources ?? []),
  })
}

function ownSet({ tool, tools, default: main }: ComponentEntry): ToolSet | undefined {
  if (isTool(tool)) return createTools([tool])
  if (tools) return Array.isArray(tools) ? createTools(tools) : tools
  // Every function has a "call".
  if (isTool(main)) return createTools([main])
  if (main && 'tools' in main) return main
  return undefined
}

/** Why an entry cannot be served, and what to write instead. */
export function nothingToServe(entry: object, name: string): TypeError {
  const exported = Object.entries(entry).map(([key, value]) => `${key} (${kindOf(value)})`)
  const misnamed = Object.entries(entry).find(([, value]) => kindOf(value) === 'a tool')
  const remedy = misnamed ? ` Write: export { ${misnamed[0]} as tool }` : ''
  return new TypeError(
    `component "${name}": its entry must export "tool" (of createTool), "tools", "prompts", "resources" or a default "fetch". ` +
      `It exports ${exported.join(', ') || 'nothing'}.${remedy}`,
  )
}

function kindOf(value: unknown): string {
  if (value instanceof Promise) return 'a promise'
  return isTool(value) ? 'a tool' : typeof value
}
