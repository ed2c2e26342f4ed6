/** From the prompts and resources of several servers to one list of each, in which every name and address leads to one. */
import { isObject, type RelayedSkill } from 'ftl-contract'
import type { ToolDescription } from 'ftl-sdk'
import {
  type Addresses,
  addressesOf,
  aliasOf,
  ANY_ADDRESS,
  listedLinkOf,
  mayKeep,
} from './addresses.ts'
import { type Link, linksOf } from './links.ts'
import { publishSkills } from './publish-skills.ts'
import type { RemoteServer } from './servers.ts'
import { isOfSkills, skillFilesOf } from './skill-addresses.ts'
import type { KeptList, OtherEntries, Others } from './store.ts'

export interface PublishedOthers extends OtherEntries {
  /** Where each leads. */
  others: Others
  skills: RelayedSkill[]
  problems: ReadonlyMap<string, string[]>
}

const RENAMING = '__'
const LONGEST_NAME = 128

/**
 * The first server to publish a name or an address keeps it; a later one's prompt is `server__name`, and its resource has the
 * server's name in its address. What is denied is in no list.
 */
export function publishOthers(
  servers: readonly RemoteServer[],
  lists: ReadonlyMap<string, KeptList>,
): PublishedOthers {
  const { skills, places, resources, resourceTemplates } = publishSkills(servers, lists)
  const published: OtherEntries = { prompts: [], resources, resourceTemplates }
  const addresses: Addresses = {
    resources: byName(),
    templates: [],
    servers: [],
    denied: byName(),
    skills: places,
  }
  const prompts: Others['prompts'] = byName()
  const names = servers.map(({ name }) => name)
  const withSkills = [...new Set(places.map(({ server }) => server))].map((server) => ({ server }))
  const problems = new Map<string, string[]>()
  for (const { name: server, denied, prefix } of servers) {
    const { others, features = [] } = lists.get(server) ?? {}
    if (features.includes('resources')) addresses.servers.push(server)
    if (denied.length > 0) addresses.denied[server] = denied
    const found: string[] = []
    problems.set(server, found)
    for (const prompt of others?.prompts ?? []) {
      if (denied.includes(prompt.name)) continue
      const plain = `${prefix}${prompt.name.replace(/[^A-Za-z0-9_.-]/g, '_')}`
      const name = Object.hasOwn(prompts, plain) ? `${server}${RENAMING}${plain}` : plain
      if (name.length > LONGEST_NAME || Object.hasOwn(prompts, name)) {
        found.push(
          `its prompt "${prompt.name.slice(0, 64)}" is left out: its name is taken or too long`,
        )
        continue
      }
      prompts[name] = { server, name: prompt.name }
      published.prompts.push({ ...prompt, name })
    }
    const isTaken = (uri: string) =>
      Object.hasOwn(addresses.resources, uri) ||
      addresses.templates.some((each) => each.published === uri)
    // Also of a server without skills: it may have had some, and clients ask for these by their address.
    const reserved = [
      ...withSkills,
      ...servers.filter(({ name }) => name !== server).map(({ name }) => ({ server: name })),
    ]
    const free = (own: string, forms: string[]) =>
      forms.find(
        (form) =>
          !isTaken(form) &&
          !isOfSkills(reserved, form) &&
          (form !== own || mayKeep(own, server, names)),
      )
    const isInSkill = skillFilesOf(places, server)
    for (const resource of others?.resources ?? []) {
      if (denied.includes(resource.uri)) continue
      // A file of a skill has one address, and the entry of the skill names it.
      if (isInSkill(resource.uri)) continue
      const uri = free(resource.uri, addressesOf(server, resource.uri))
      if (uri === undefined) continue
      addresses.resources[uri] = { server, uri: resource.uri }
      published.resources.push({ ...resource, uri })
    }
    for (const template of others?.resourceTemplates ?? []) {
      const own = template.uriTemplate
      if (denied.includes(own)) continue
      const address = free(own, [own, aliasOf(server, own)])
      if (address === undefined) continue
      addresses.templates.push({ published: address, server, template: own })
      published.resourceTemplates.push({ ...template, uriTemplate: address })
    }
  }
  if (addresses.servers.length > 0) {
    published.resourceTemplates.push({
      uriTemplate: ANY_ADDRESS,
      name: 'Resource of a server',
      description: 'A resource that a server linked to and does not list.',
    })
  }
  return { ...published, skills, others: { prompts, addresses }, problems }
}

/** A name of a server, such as `__proto__`, must be no more than a name. */
function byName<T>(): Record<string, T> {
  return Object.create(null) as Record<string, T>
}

/** The page of an MCP App. A server need not list it, so it is added, and its address is that of the list. */
export function withPages(
  tools: readonly ToolDescription[],
  serverOf: (tool: string) => string | undefined,
  { resources, others: { addresses } }: PublishedOthers,
): ToolDescription[] {
  const links = new Map<string, Link>()
  const linkTo = (server: string, uri: string): string => {
    const link = links.get(server) ?? linksOf(addresses, server)
    links.set(server, link)
    return link(uri)
  }
  return tools.map((tool) => {
    const server = serverOf(tool.name)
    const ui = tool._meta?.['ui']
    const own = isObject(ui) ? ui['resourceUri'] : tool._meta?.['ui/resourceUri']
    if (server === undefined || typeof own !== 'string') return tool
    if (!own.startsWith('ui://') || !addresses.servers.includes(server)) return tool
    if (addresses.denied[server]?.includes(own)) return tool
    // The page of another tool may have been added.
    const listed = listedLinkOf(addresses, server, own)
    let uri = listed.startsWith('ui://') ? listed : linkTo(server, own)
    if (!uri.startsWith('ui://')) {
      const names = [
        ...(mayKeep(own, server, addresses.servers) ? [own] : []),
        aliasOf(server, own),
      ]
      const free = names.find((each) => !Object.hasOwn(addresses.resources, each))
      if (free === undefined) return tool
      uri = free
      addresses.resources[uri] = { server, uri: own }
      resources.push({ uri, name: own, mimeType: 'text/html;profile=mcp-app' })
    }
    if (uri === own) return tool
    const meta = tool._meta ?? {}
    const _meta = {
      ...meta,
      ...(isObject(ui) && { ui: { ...ui, resourceUri: uri } }),
      ...(meta['ui/resourceUri'] !== undefined && { 'ui/resourceUri': uri }),
    }
    return { ...tool, _meta }
  })
}
