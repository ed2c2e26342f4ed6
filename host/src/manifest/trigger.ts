/** `[[trigger.http]]`. */
import { parseRoute } from './route.ts'
import { isComponentId } from './component.ts'
import type { ComponentManifest, HttpTrigger, StaticResponse } from './manifest.ts'
import type { Table } from './table.ts'

export interface TriggerContext {
  /** Found or made by {@link triggerIds}. */
  id: string
  /** The components a trigger may name; one written into the trigger is added. */
  components: Map<string, ComponentManifest>
  readComponent: (id: string, table: Table) => ComponentManifest
}

export function readTrigger(trigger: Table, context: TriggerContext): HttpTrigger {
  trigger.ignore('id')
  const result = { id: context.id, route: readRoute(trigger), target: readTarget(trigger, context) }
  if (result.route === undefined && 'response' in result.target) {
    throw trigger.error('route', 'of a static response must be public')
  }
  readExecutor(trigger)
  for (const key of ['components', 'dependencies']) {
    if (trigger.has(key)) throw trigger.error(key, 'is not supported by this host')
  }
  trigger.done()
  return result
}

function readRoute(trigger: Table): string | undefined {
  if (!trigger.has('route')) throw trigger.error('route', 'is missing')
  const value = trigger.raw('route')
  if (typeof value === 'string') {
    const route = parseRoute(value)
    if (typeof route === 'string') throw trigger.error('route', `"${value}" ${route}`)
    return value
  }
  const table = trigger.asTable('route', value)
  const isPrivate = table.boolean('private')
  table.done()
  if (!isPrivate) throw trigger.error('route', 'must be a path or { private = true }')
  return undefined
}

function readTarget(
  trigger: Table,
  { id, components, readComponent }: TriggerContext,
): HttpTrigger['target'] {
  if (trigger.has('component') === trigger.has('static_response')) {
    throw trigger.error('', 'needs exactly one of component and static_response')
  }
  if (trigger.has('static_response')) {
    return { response: readStaticResponse(trigger.table('static_response')) }
  }
  const value = trigger.raw('component')
  if (typeof value !== 'string') {
    const inline = inlineId(id, components)
    components.set(inline, readComponent(inline, trigger.asTable('component', value)))
    return { component: inline }
  }
  if (!components.has(value)) {
    const known = [...components.keys()].join(', ')
    throw trigger.error(
      'component',
      `there is no [component.${value}]; there are ${known || 'none'}`,
    )
  }
  return { component: value }
}

// The name Spin gives it, so that it can be called and mentioned the same way.
function inlineId(trigger: string, components: ReadonlyMap<string, unknown>): string {
  const natural = `${trigger}-component`
  if (isComponentId(natural) && !components.has(natural)) return natural
  for (let counter = 1; ; counter++) {
    if (!components.has(`inline-component${counter}`)) return `inline-component${counter}`
  }
}

function readStaticResponse(table: Table): StaticResponse {
  const status = table.raw('status_code') ?? 200
  if (typeof status !== 'number' || !Number.isInteger(status) || status < 200 || status > 599) {
    throw table.error('status_code', 'must be a status from 200 to 599')
  }
  const result = {
    status,
    headers: table.stringTable('headers'),
    body: table.optionalString('body') ?? '',
  }
  table.done()
  return result
}

function readExecutor(trigger: Table): void {
  const executor = trigger.optionalTable('executor')
  if (!executor) return
  const type = executor.string('type')
  if (type !== 'http' && type !== 'spin') {
    throw executor.error('type', `"${type}" is not supported by this host`)
  }
  executor.done()
}

/**
 * An id for each HTTP trigger: its own, else the one Spin gives it. A static response is known by nothing else.
 */
export function triggerIds(triggers: readonly Table[]): string[] {
  const own = triggers.map((trigger) => trigger.optionalString('id'))
  const taken = new Set(own.filter((id) => id !== undefined))
  return triggers.map((trigger, index) => {
    const id = own[index] ?? natural(trigger, taken) ?? counted(taken)
    taken.add(id)
    return id
  })
}

function natural(trigger: Table, taken: ReadonlySet<string>): string | undefined {
  const component = trigger.raw('component')
  if (typeof component !== 'string') return undefined
  const id = `${component}-http-trigger`
  return taken.has(id) ? undefined : id
}

function counted(taken: ReadonlySet<string>): string {
  for (let counter = 1; ; counter++) {
    if (!taken.has(`http-trigger${counter}`)) return `http-trigger${counter}`
  }
}
