/**
 * `[[trigger.http]]`.
 *
 * @module
 */
import { parseRoute } from '../routes/route.ts'
import type { HttpTrigger, StaticResponse } from './manifest.ts'
import type { Table } from './table.ts'

/** @param components the ids a trigger may name. */
export function readTrigger(trigger: Table, components: ReadonlySet<string>): HttpTrigger {
  const result = { route: readRoute(trigger), target: readTarget(trigger, components) }
  if (result.route === undefined && 'response' in result.target) {
    throw trigger.error('route', 'of a static response must be public')
  }
  readExecutor(trigger)
  trigger.ignore('id')
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

function readTarget(trigger: Table, components: ReadonlySet<string>): HttpTrigger['target'] {
  if (trigger.has('component') === trigger.has('static_response')) {
    throw trigger.error('', 'needs exactly one of component and static_response')
  }
  if (trigger.has('static_response')) {
    return { response: readStaticResponse(trigger.table('static_response')) }
  }
  const component = trigger.string('component')
  if (!components.has(component)) {
    throw trigger.error('component', `there is no [component.${component}]`)
  }
  return { component }
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
