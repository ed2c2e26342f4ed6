/** From the spans of a worker, which telemetry exports too, to those of `GET /activity`. */
import type { SpanRecord } from '../requests/request-spans.ts'
import type { ActivitySpan } from './activity-types.ts'

/** The first ones of a request are kept: a trace of more is not readable, and a guest may make any number. */
export const MAX_SPANS = 500

const INTERNAL = /^https?:\/\/([\w-]+)\.spin\.internal(\/.*)?$/

/**
 * @param root id of the request's own span.
 * @param started when the request began, on the clock of the spans.
 */
export function toActivitySpan(
  { id, parent, name, start, end, attributes, error }: SpanRecord,
  { root, started }: { root: string; started: number },
): ActivitySpan {
  const status = attributes['http.response.status_code']
  return {
    id,
    ...(parent !== root && { parent }),
    ...described(name, attributes),
    start: rounded(start - started),
    ms: rounded(end - start),
    ...(typeof status === 'number' && { status }),
    ...(error !== undefined && { error: error.slice(0, 500) }),
  }
}

function described(
  name: string,
  attributes: SpanRecord['attributes'],
): Pick<ActivitySpan, 'kind' | 'name'> {
  const attribute = (key: string) => String(attributes[key] ?? '')
  if (name.startsWith('execute_wasm_component')) {
    return { kind: 'component', name: attribute('component_id') }
  }
  if (name.startsWith('spin_key_value.')) {
    const verb = name.slice('spin_key_value.'.length)
    return { kind: 'kv', name: `${verb} ${attribute('key_value.store')}` }
  }
  if (name.startsWith('spin_variables.')) {
    return { kind: 'variable', name: attribute('variable.name') }
  }
  if (name === 'spin_outbound_http.send_request') {
    const url = attribute('url.full').slice(0, 300)
    const method = attribute('http.request.method')
    const [, component, path = ''] = INTERNAL.exec(url) ?? []
    return component === undefined
      ? { kind: 'network', name: `${method} ${url}` }
      : { kind: 'call', name: `${method} ${component}${path}` }
  }
  return { kind: 'other', name: name.slice(0, 200) }
}

const rounded = (ms: number) => Math.round(ms * 1000) / 1000
