/** What a search for tools can be asked for, in a call of `search_tools`, in `GET /tools` and by a program. */
import type { Hint } from '../catalog/annotation-hints.ts'

export const DETAILS = ['brief', 'detailed', 'full'] as const

export type Detail = (typeof DETAILS)[number]

/** Results of a search. */
export const MOST_RESULTS = 50
export const USUAL_RESULTS = 10
/** Characters of a query: a longer one is a text and not what a tool should do. */
export const LONGEST_QUERY = 1_000

export interface Wanted {
  /** @default '', all tools in the order of the list */
  query?: string
  /** @default 'brief' */
  detail?: Detail
  component?: string
  annotations?: Partial<Record<Hint, boolean>>
  /** @default 10 */
  limit?: number
}

/** A tool as a search returns it: the name and component, and what the detail asks for. */
export interface FoundTool {
  name: string
  component: string
  description?: string
}

export interface Found {
  tools: FoundTool[]
  /** How many tools match, of which `tools` are the first. */
  matches: number
  /** TypeScript declarations of all found tools. @default only with the detail `detailed` */
  declarations?: string
}
