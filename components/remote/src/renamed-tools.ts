/**
 * Pages of MCP Apps call tools by the names that their server gave them, and hosts send these names to the gateway as they are. Of a
 * tool with another name here, such a call reaches a tool of another server, or none.
 */
import { isObject } from 'ftl-contract'
import { type Published, shown } from './names.ts'

/** Adds a problem to each server that has a page and a tool with another name. */
export function reportRenamed({ tools, targets, problems }: Published): void {
  const renamed = new Map<string, string[]>()
  const withPage = new Set<string>()
  for (const { name, _meta: meta } of tools) {
    const target = Object.hasOwn(targets, name) ? targets[name] : undefined
    if (!target) continue
    const { server, tool } = target
    if (hasPage(meta)) withPage.add(server)
    if (tool !== name) renamed.set(server, [...(renamed.get(server) ?? []), tool])
  }
  for (const [server, [first = '', ...others]] of renamed) {
    if (!withPage.has(server)) continue
    const more = others.length > 0 ? ` and ${others.length} more have` : ' has'
    problems
      .get(server)
      ?.push(
        `its pages (MCP Apps) call tools by its own names: "${shown(first)}"${more} another name here`,
      )
  }
}

function hasPage(meta: Record<string, unknown> | undefined): boolean {
  const ui = meta?.['ui']
  const uri = isObject(ui) ? ui['resourceUri'] : meta?.['ui/resourceUri']
  return typeof uri === 'string'
}
