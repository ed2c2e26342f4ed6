/**
 * The outline of a large catalog: what a list needs that is too long for a model, without the descriptions of all tools.
 *
 * It is in the entry that names the parts of the catalog, so a list reads one entry, as it does for a small catalog: to parse
 * 2,000 tools would take longer than all else that a list does.
 */
import { isObject } from 'ftl-contract'
import type { Catalog, CatalogTool } from './catalog.ts'
import { reportsMeta } from './report.ts'
import { codeToolOf } from './program-tool.ts'
import type { Settings } from '../settings.ts'
import { visibleTools } from './visible-tools.ts'

export interface Outline {
  /** Of the catalog: the index that was made from it has the same. */
  digest: string
  /** Approximate tokens of the full list. */
  tokens: number
  /** Whether any component starts jobs. */
  jobs: boolean
  /** Tools that every list has. */
  visible: CatalogTool[]
  /** The tool that runs programs. @default the application has no such tool */
  code?: CatalogTool
  /** Reports of components with problems. @default no component has problems */
  reports?: object
  /** `list_settings` and `tool_components` that it was made with. */
  settings: string
  /** All tools, if a list of them stays within the budget. @default they are read from the catalog */
  full?: readonly CatalogTool[]
  /** The tools of the index that the caller may see (`permitted-places.ts`). @default all */
  permitted?: string
  /** The components that have an address of their own for the caller. @default all */
  enters?: readonly string[]
}

/** Characters of a stored catalog that is worth an outline: a shorter one is parsed in 3 ms. */
export const LARGE = 200_000

export function makeOutline(
  catalog: Catalog,
  { listSettings, codeComponent }: Pick<Settings, 'listSettings' | 'codeComponent'>,
  rest: Pick<Outline, 'digest' | 'tokens' | 'settings'>,
): Outline {
  const reports = reportsMeta(catalog)
  const code = codeToolOf(catalog, codeComponent)
  return {
    ...rest,
    jobs: catalog.jobs,
    visible: visibleTools(catalog.tools, listSettings),
    ...(code && { code }),
    ...(reports && { reports }),
  }
}

export function isOutline(value: unknown): value is Outline {
  return isObject(value) && 'visible' in value && 'digest' in value
}

/** Whether the component has an address of its own for the caller. */
export function mayEnter(catalog: Catalog | Outline, component: string): boolean {
  return isOutline(catalog)
    ? (catalog.enters?.includes(component) ?? true)
    : (catalog.has?.(component) ?? true)
}
