/** The beginning of a tool's description: what a model needs to choose a tool from a list of results. */
import type { ToolDescription } from 'ftl-contract'

/** Characters of it. */
const LONGEST = 160

/** The first sentence in one line, or as much of it as there is room for. */
export function summaryOf({
  description,
  title,
  name,
}: Pick<ToolDescription, 'description' | 'title' | 'name'>): string {
  const text = (description ?? title ?? name)
    .slice(0, 4 * LONGEST)
    .replace(/\s+/g, ' ')
    .trim()
  const [sentence = text] = /^.*?[.!?。](?= |$)/.exec(text) ?? []
  // "E.g." is not a sentence.
  const first = sentence.length < 20 ? text : sentence
  if (first.length <= LONGEST) return first.toWellFormed()
  return `${first
    .slice(0, LONGEST - 1)
    .toWellFormed()
    .trimEnd()}…`
}
