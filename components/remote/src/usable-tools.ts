/** Selects the tools of a server's list that can be published. */
import { isObject } from 'ftl-contract'
import type { ToolDescription } from 'ftl-sdk'

/** Fields that the gateway checks; others belong to revisions and extensions that are not supported here. */
const FIELDS = [
  ...['name', 'title', 'description', 'inputSchema', 'outputSchema'],
  ...['annotations', 'icons', '_meta'],
]

export interface UsableTools {
  tools: ToolDescription[]
  problems: string[]
}

/** @param limit bytes of these tools as JSON: all servers share the one list that the gateway accepts. */
export function usableTools(list: readonly unknown[], limit: number): UsableTools {
  const tools: ToolDescription[] = []
  const problems: string[] = []
  let size = 0
  let tooMany = 0
  let repeated = 0
  const names = new Set<string>()
  for (const [index, entry] of list.entries()) {
    if (!isObject(entry) || typeof entry['name'] !== 'string' || !isObject(entry['inputSchema'])) {
      problems.push(`entry ${index + 1} of its list is not a tool`)
      continue
    }
    if (names.has(entry['name'])) {
      repeated++
      continue
    }
    names.add(entry['name'])
    const { execution } = entry
    if (isObject(execution) && execution['taskSupport'] === 'required') {
      const name = entry['name'].slice(0, 64)
      problems.push(
        `its tool "${name}" is a task of 2025-11-25, which this gateway does not support`,
      )
      continue
    }
    const tool = Object.fromEntries(
      FIELDS.filter((field) => entry[field] !== undefined).map((field) => [field, entry[field]]),
    )
    const bytes = new TextEncoder().encode(JSON.stringify(tool)).length
    if (size + bytes > limit) tooMany++
    else {
      size += bytes
      tools.push(tool as unknown as ToolDescription)
    }
  }
  if (repeated > 0) problems.push(`${repeated} of its tools have the name of another one of it`)
  if (tooMany > 0) {
    problems.push(`${tooMany} of its tools are left out: its list has more than ${limit} bytes`)
  }
  return { tools, problems }
}
