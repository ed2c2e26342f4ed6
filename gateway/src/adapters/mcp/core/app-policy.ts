/**
 * The origin of the bridge in the policy of an MCP App.
 *
 * A component does not know under which address a client finds the bridge, so it writes `ftl:bridge` among its
 * `connectDomains`.
 */
import { isArrayOf, isObject, isString, type ResourceResult } from 'ftl-contract'
import type { Settled } from '../../../invoke/outcome.ts'

const BRIDGE = 'ftl:bridge'

/** @param address of the bridge; without one the entry is left out. */
export function withBridge<R extends Partial<ResourceResult>>(
  settled: Settled<R>,
  address: () => string | undefined,
): Settled<R> {
  if (settled.kind !== 'result' || !settled.result.contents?.some(namesBridge)) return settled
  const [origin] = /^\w+:\/\/[^/]+/.exec(address() ?? '') ?? []
  const contents = settled.result.contents.map((content) =>
    namesBridge(content) ? replaced(content, origin) : content,
  )
  return { ...settled, result: { ...settled.result, contents } }
}

type Content = ResourceResult['contents'][number]

function connectDomains(content: Content): string[] {
  const { ui } = isObject(content._meta) ? content._meta : {}
  const { csp } = isObject(ui) ? ui : {}
  const { connectDomains: domains } = isObject(csp) ? csp : {}
  return isArrayOf(domains, isString) ? domains : []
}

function namesBridge(content: Content): boolean {
  return content.uri.startsWith('ui://') && connectDomains(content).includes(BRIDGE)
}

function replaced(content: Content, origin: string | undefined): Content {
  const domains = connectDomains(content).flatMap((domain) =>
    domain === BRIDGE ? (origin ?? []) : domain,
  )
  const meta = content._meta as { ui: { csp: object } }
  const ui = { ...meta.ui, csp: { ...meta.ui.csp, connectDomains: domains } }
  return { ...content, _meta: { ...meta, ui } }
}
