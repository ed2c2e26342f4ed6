/** A request as one line, like those of `ftl dev`. */
import { clock, colourOf, size } from '../output/log-lines.ts'
import { paint } from '../terminal/ui.ts'
import { visible } from '../terminal/visible-text.ts'
import type { ShownRequest } from './activity-types.ts'

const FINE = ['ok', 'job', 'input_required', 'running']

const isFine = (outcome: string): boolean => FINE.includes(outcome)

export function requestLine(request: ShownRequest): string {
  const { time, method, path, rpc, target, status, ms, bytes, outcome, reason } = request
  const { components, principal, retries, id } = request
  const what = [rpc, target].filter((part) => part !== undefined).join(' ')
  const parts = [
    paint('dim', clock(new Date(time))),
    visible(method),
    visible(path),
    ...(what === '' ? [] : [paint(['bold', 'cyan'], visible(what))]),
    paint(colourOf(status), status === 0 ? '---' : String(status)),
    `${ms.toFixed(ms < 10 ? 1 : 0)} ms`,
    size(bytes),
  ]
  if (!isFine(outcome)) parts.push(paint('red', visible(outcome.replaceAll('_', ' '))))
  else if (outcome === 'running') parts.push(paint('yellow', 'running'))
  if (components.length > 0) parts.push(paint('dim', visible(components.join(' → '))))
  if (principal !== undefined) parts.push(paint('dim', `by ${visible(principal)}`))
  if (retries > 0)
    parts.push(paint('yellow', `started again ${retries === 1 ? 'once' : `${retries} times`}`))
  if (reason !== undefined) parts.push(paint('red', `(${visible(reason)})`))
  parts.push(paint('dim', `id=${visible(id)}`))
  return parts.join(' ')
}
