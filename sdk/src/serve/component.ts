/** A component's exports become the handler of the component contract. */
import { type Offer, type ToolDescription, UPLOADS_PATH } from 'ftl-contract'
import type { PromptsAndResources } from '../prompts-and-resources/common.ts'
import type { ContextPlatform } from '../tool/context.ts'
import type { ToolSet } from '../tool/create-tools.ts'
import { createContext, type OwnedContext } from './context.ts'
import { answerCall } from './call.ts'
import { type ComponentEntry, nothingToServe, toToolSet } from './entry.ts'
import { json, methodNotAllowed, notFound } from './contract-responses.ts'
import { answerJob, answerOutput } from './jobs.ts'

export { type ComponentEntry, toToolSet }

export interface Served {
  fetch(request: Request, platform: ContextPlatform): Promise<Response>
}

/**
 * @param name the component's name in `spin.toml`.
 * @throws {TypeError} at build time, when the module exports nothing that can be served.
 */
export function toComponent(entry: ComponentEntry, name: string): Served {
  const main = entry.default
  if (entry.skills?.length && main && ('fetch' in main || 'offer' in main)) {
    throw new TypeError(
      `component "${name}": it answers all requests itself, so it must serve its skills itself`,
    )
  }
  if (main && 'fetch' in main)
    return { fetch: async (request, platform) => main.fetch(request, platform) }
  const set = toToolSet(entry)
  if (!set) throw nothingToServe(entry, name)
  const [first] = set.tools
  const alone = entry.tool || (main && 'call' in main) ? first : undefined
  return serveTools(set, name, alone !== undefined)
}

/** @param alone its offer is the description of its one tool. */
function serveTools(set: ToolSet, name: string, alone: boolean): Served {
  const { prompts = [], resources = [] } = set
  const offers: PromptsAndResources = { prompts, resources }
  const server = [...prompts, ...resources][0]?.serve
  const byName = new Map(set.tools.map((tool) => [tool.description.name, tool]))
  const only = set.tools.length === 1 ? set.tools[0] : undefined
  /** The tool at a path, unless it takes a look to find it. */
  const known = (path: string) => (path === '/' ? only : byName.get(decode(path)))

  async function answerOther(
    request: Request,
    path: string,
    owned: OwnedContext,
  ): Promise<Response> {
    const { context } = owned
    const { method } = request
    owned.started = context.platform.now()
    try {
      const offered =
        (await server?.answer(offers, request, path, owned)) ??
        (await set.features?.answer(request, path, owned))
      if (offered) return offered
      if (path.startsWith('/jobs/')) return await answerJob(set, method, path, context)
      if (path.startsWith('/outputs/')) return await answerOutput(set, request, path, context)
      if (set.uploads && path.startsWith(UPLOADS_PATH)) {
        return await set.uploads(path, context, request)
      }
      if (path === '/' && (method === 'GET' || method === 'HEAD')) {
        if (set.offer) {
          const offer = await set.offer(context)
          return json(200, { ...(set.jobs && { jobs: true }), ...offer })
        }
        const [described, problems = []] = await Promise.all([
          set.describe?.(context) ?? set.tools.map((tool) => tool.description),
          set.problems?.(context),
        ])
        const offer = offerOf(set, described, alone, server?.describe(offers), problems)
        return json(200, offer)
      }
      const tool =
        known(path) ?? (path === '/' ? undefined : await set.find?.(decode(path), context))
      if (!tool) return path === '/' ? methodNotAllowed('GET') : notFound(`no tool ${path}`)
      if (method !== 'POST') return methodNotAllowed(path === '/' ? 'GET, POST' : 'POST')
      return await answerCall(set, tool, request, owned)
    } finally {
      owned.dispose()
    }
  }

  return {
    fetch(request, platform) {
      const owned = createContext(request, platform, name, set.file)
      const path = pathOf(request)
      const tool = request.method === 'POST' ? known(path) : undefined
      return tool ? answerCall(set, tool, request, owned) : answerOther(request, path, owned)
    },
  }
}

/** The plain form, as long as it says everything. */
function offerOf(
  { jobs, logging }: ToolSet,
  tools: ToolDescription[],
  alone: boolean,
  others: Partial<Offer> | undefined,
  problems: string[],
): ToolDescription | ToolDescription[] | Offer | undefined {
  if (jobs || logging || others || problems.length > 0) {
    const reported = problems.length > 0 ? { problems } : undefined
    return {
      tools,
      ...others,
      ...(jobs && { jobs: true }),
      ...(logging && { logging }),
      ...reported,
    }
  }
  return alone ? tools[0] : tools
}

/** Parsing an address takes as long as all else before the tool; one of plain words says its path itself. */
const PLAIN_ADDRESS = /^https?:\/\/[^/?#]+(\/[\w/-]*)$/

function pathOf({ url }: Request): string {
  return PLAIN_ADDRESS.exec(url)?.[1] ?? new URL(url).pathname
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path.slice(1))
  } catch {
    return ''
  }
}
