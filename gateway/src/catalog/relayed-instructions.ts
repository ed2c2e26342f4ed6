/**
 * What servers behind a component say about the use of their tools, beside what the application says about its own.
 *
 * Threat: it reaches models before any tool is called. So it comes only from servers whose operator has permitted it, the
 * component marks whose words they are, and a caller gets none of a component of which the policy hides a tool.
 */
import { isString, type Offer } from 'ftl-contract'
import { SERVER_INSTRUCTIONS } from '../server-info.ts'
import type { Catalog, Relays } from './catalog.ts'
import { withoutHidden } from './hidden-characters.ts'

/** Characters: as many as the application's own may have. */
const MOST = 16_384

export function relaysOf({ instructions }: Offer): Relays {
  return isString(instructions)
    ? { instructions: withoutHidden(instructions.slice(0, MOST)) }
    : true
}

/** The member `instructions` for a client that sees this catalog. An empty object without any. */
export function instructionsFor({ tools, whole }: Catalog): { instructions?: string } {
  const said = new Map<string, string>()
  for (const { component, relays = true } of tools) {
    if (relays !== true) said.set(component, relays.instructions)
  }
  if (said.size === 0) return SERVER_INSTRUCTIONS
  const isHidden = (component: string) =>
    whole?.tools.some((tool) => tool.component === component && !tools.includes(tool))
  const { instructions } = SERVER_INSTRUCTIONS
  const texts = [...said].flatMap(([component, text]) => (isHidden(component) ? [] : [text]))
  const all = [...(instructions === undefined ? [] : [instructions]), ...texts]
  return all.length > 0 ? { instructions: all.join('\n\n') } : {}
}
