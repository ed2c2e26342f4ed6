import type { ComponentManifest } from './manifest.ts'

/** Names the tool components; only a gateway has it. */
const GATEWAY_VARIABLE = 'tool_components'

/** Whether `component` is a gateway: all calls of tools go through it, and it names the user to them. */
export function isGateway({ variables }: Pick<ComponentManifest, 'variables'>): boolean {
  return Object.hasOwn(variables, GATEWAY_VARIABLE)
}
