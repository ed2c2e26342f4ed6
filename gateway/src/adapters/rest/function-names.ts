/** From the names of functions that OpenAI takes back to those of tools. */
import { functionName } from 'ftl-contract'
import type { ToolRepository } from '../../catalog/catalog.ts'
import { freshCatalog } from '../../catalog/lookup.ts'
import type { Scope } from '../../scope.ts'

const MADE = /_[0-9a-f]{8}$/

/** The tool's own name. A name that was made here is looked for; any other is taken as it is. */
export async function ownName(
  tools: ToolRepository,
  scope: Scope,
  called: string,
): Promise<string> {
  if (!MADE.test(called)) return called
  // What is known may be old, as for every call.
  for (const read of [() => tools.known(scope), () => freshCatalog(tools, scope)]) {
    const { tools: entries } = await read()
    const entry = entries.find(({ name }) => functionName(name) === called)
    if (entry) return entry.name
  }
  return called
}
