/**
 * What every list needs to know, in one variable: `list_settings`. Reading a variable costs half a millisecond on Spin, so a
 * list reads one and not four.
 */
import type { Parse } from 'ftl-http'
import { count, namedValues, oneOf } from '../setting-values.ts'

/** `auto`: the full list, as long as it stays within the budget. */
export type ToolsMode = 'auto' | 'on' | 'off'

export interface ListSettings {
  /** `tools_mode`: whether a list has the tools that search for others instead of all tools. @default 'auto' */
  toolsMode: ToolsMode
  /**
   * `list_budget_tokens`: tokens of the longest list that a model is given in full; see {@link tokensOf}.
   *
   * @default 8000
   */
  budgetTokens: number
  /**
   * `always_visible`: names of tools, or `component/name`, that every list has, separated by spaces; `*` matches any text.
   *
   * @default those that a component marks
   */
  alwaysVisible: readonly string[]
  /** `list_page_size`: entries of one page of a list. @default 1000 */
  pageSize: number
  /**
   * `list_changes`: `on` notifies clients that listen of changed lists, as under `ftl dev`. Each of them holds an instance.
   *
   * @default 'off'
   */
  changes: 'on' | 'off'
  /** As it was read. */
  text: string
}

const NAMES = [
  'tools_mode',
  'list_budget_tokens',
  'always_visible',
  'list_page_size',
  'list_changes',
]
const EXAMPLE = 'tools_mode=auto; list_budget_tokens=8000'

/** Names and values: `tools_mode=on; list_budget_tokens=8000`. An empty value is the default. */
export const listSettings: Parse<ListSettings> = (text, refuse) => {
  const { read } = namedValues(text, NAMES, EXAMPLE, refuse)
  return {
    toolsMode: read('tools_mode', oneOf<ToolsMode>('auto', 'on', 'off')),
    budgetTokens: read('list_budget_tokens', count(8_000)),
    alwaysVisible: read('always_visible', (names) => names.split(/\s+/).filter(Boolean)),
    pageSize: read('list_page_size', count(1_000)),
    changes: read('list_changes', oneOf<'on' | 'off'>('off', 'on')),
    text,
  }
}

/** Characters of JSON in one token: see docs/many-tools.md for how far it is from what tokenizers count. */
const CHARACTERS_PER_TOKEN = 4

/** The approximate number of tokens of a list. */
export function tokensOf(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN)
}
