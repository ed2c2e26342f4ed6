/**
 * The tools of the gateway that find, describe and call the tools that are not in its list. What the user has excluded is
 * excluded there too.
 */
import { isObject, isString } from 'ftl-contract'
import type { ToolEnd } from './tool-end.ts'
import type { ToolList } from './tool-list.ts'

const FINDING = new Set(['search_tools', 'describe_tools'])
/** And its older name. */
const CALL = new Set(['use_tool', 'call_tool'])

/** The tool that a call is about: that which `use_tool` calls. */
export function calledTool(name: string, args: Record<string, unknown> | undefined): string {
  return CALL.has(name) && isString(args?.name) ? args.name : name
}

/** Whether the user permits the call. */
export function mayCall(tools: ToolList, name: string, args: Record<string, unknown>): boolean {
  return !CALL.has(name) || !isString(args.name) || isPermitted(tools, args.name)
}

/** The result without the tools that the user has excluded. */
export function permittedResult(tools: ToolList, name: string, end: ToolEnd): ToolEnd {
  const { structuredContent } = end
  if (!FINDING.has(name) || tools.excluded.size === 0 || !isObject(structuredContent)) return end
  const found = Array.isArray(structuredContent.tools) ? structuredContent.tools : []
  const permitted = found.filter(
    (tool) => isObject(tool) && isString(tool.name) && isPermitted(tools, tool.name),
  )
  if (permitted.length === found.length) return end
  const text = permitted.length > 0 ? JSON.stringify(permitted) : 'No tool matches.'
  return { ...end, content: [{ type: 'text', text }], structuredContent: { tools: permitted } }
}

function isPermitted({ excluded }: ToolList, name: string): boolean {
  return !excluded.has(name)
}
