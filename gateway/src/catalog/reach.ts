/** What a tool may reach, by the manifest and not by what its component says. */
import type { ToolDescription } from 'ftl-contract'
import type { Parse } from 'ftl-http'
import { jsonObject } from '../setting-values.ts'

/** Key in the `_meta` of a tool. */
const KEY = 'ftl/reach'

/** By component: the lists `hosts`, `components`, `stores`, `files`, `variables` and `environment`. */
export type ToolReach = Readonly<Record<string, unknown>>

/** @default {}: the platform does not say */
export const toolReach: Parse<ToolReach> = (text, refuse) => (text ? jsonObject(text, refuse) : {})

/** The tool with what its component may reach. The component itself cannot say it: the key is reserved. */
export function withReach(
  tool: ToolDescription,
  component: string,
  reach: ToolReach,
): ToolDescription {
  if (!Object.hasOwn(reach, component)) return tool
  return { ...tool, _meta: { ...tool._meta, [KEY]: reach[component] } }
}
