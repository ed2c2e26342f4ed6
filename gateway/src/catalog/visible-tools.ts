/** The tools that every list has, also one that is too long for a model. */
import { listedEntry } from './listed-entry.ts'
import type { CatalogTool } from './catalog.ts'
import { matchesAny } from '../name-patterns.ts'
import { type ListSettings, tokensOf } from './list-settings.ts'

/** Key in the `_meta` of a tool: `true` if it should be in every list. */
const ALWAYS_VISIBLE_KEY = 'ftl/alwaysVisible'

/**
 * In the order of the list. The ones that the operator names come first, then those that components mark, as long as all
 * of them stay within the budget: a component cannot fill the context of a model.
 */
export function visibleTools(
  tools: readonly CatalogTool[],
  { alwaysVisible, budgetTokens }: ListSettings,
): CatalogTool[] {
  const isNamed = ({ name, component }: CatalogTool) =>
    alwaysVisible.length > 0 &&
    (matchesAny(alwaysVisible, name) || matchesAny(alwaysVisible, `${component}/${name}`))
  const isMarked = ({ description }: CatalogTool) =>
    description._meta?.[ALWAYS_VISIBLE_KEY] === true
  const named = tools.filter(isNamed)
  const chosen = new Set<CatalogTool>()
  let characters = 0
  for (const tool of [...named, ...tools.filter(isMarked)]) {
    if (chosen.has(tool)) continue
    characters += JSON.stringify(listedEntry(tool)).length
    if (tokensOf(characters) > budgetTokens) break
    chosen.add(tool)
  }
  return tools.filter((tool) => chosen.has(tool))
}

/** Whether the full list has more tokens than the budget. Stops as soon as it is known. */
export function isBeyond(tools: readonly CatalogTool[], budgetTokens: number): boolean {
  return tokensUpTo(tools, budgetTokens) > budgetTokens
}

/** The tokens of the list, or of its beginning with more than the budget. */
export function tokensUpTo(tools: readonly CatalogTool[], budgetTokens: number): number {
  let characters = 0
  for (const tool of tools) {
    characters += JSON.stringify(listedEntry(tool)).length
    if (tokensOf(characters) > budgetTokens) break
  }
  return tokensOf(characters)
}
