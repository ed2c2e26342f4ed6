/** Tools that an operator has to turn on: they affect every user of the servers. */
import type { ToolContext } from 'ftl-sdk'

/** The variable that turns on a tool. */
const SWITCHES: ReadonlyMap<string, string> = new Map([
  ['free_memory', 'comfyui_free_memory'],
  ['run_workflow', 'comfyui_run_workflow'],
])

type Context = Pick<ToolContext, 'platform'>

/** Whether a variable is `true`; everything else, also a typing error, leaves the tool off. */
export function isOn(variable: string, { platform }: Context): boolean {
  return platform.variables.get(variable)?.trim() === 'true'
}

/** Whether clients see a tool. */
export function isOffered(tool: string, context: Context): boolean {
  const variable = SWITCHES.get(tool)
  return variable === undefined || isOn(variable, context)
}
