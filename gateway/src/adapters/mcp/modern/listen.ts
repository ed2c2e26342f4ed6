/**
 * `subscriptions/listen`. Under `ftl dev`, or with `list_changes=on`, the stream stays open and reports changed lists. Otherwise
 * it is acknowledged and ended at once: a stream holds an instance.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions
 */
import { isObject } from 'ftl-contract'
import {
  CHANGING_LISTS,
  type ChangingList,
  isOver,
  listChanged,
  listChanges,
  TOO_MANY,
  TOO_MANY_ERROR,
} from '../core/list-changes.ts'
import { announcesChanges } from '../../../announces-changes.ts'
import type { Exchange } from '../exchange.ts'
import { invalidParams, result, RpcFailure, type RpcRequest } from '../json-rpc.ts'

const SUBSCRIPTION_ID_KEY = 'io.modelcontextprotocol/subscriptionId'

const FILTER = 'params.notifications'

/** The known types. No notification of the last two is sent; `taskIds` belongs to the extension for tasks. */
const TYPES = /^(?:(tools|prompts|resources)ListChanged|resourceSubscriptions|taskIds)$/

/** Characters of an unknown type that the error shows. */
const SHOWN = 64

/** @throws {RpcFailure} when the filter is invalid, or too many clients listen. */
export async function listen(
  { gateway, scope }: Exchange,
  { id, params }: RpcRequest,
  finished: (value: object) => object,
): Promise<AsyncGenerator<object>> {
  const wanted = wantedLists(params.notifications)
  const lists = announcesChanges(scope.settings) ? wanted : []
  const changes = lists.length > 0 && (await listChanges(gateway.tools, scope))
  if (changes === undefined) throw new RpcFailure(TOO_MANY_ERROR, TOO_MANY)
  return messages()

  async function* messages(): AsyncGenerator<object> {
    const _meta = { [SUBSCRIPTION_ID_KEY]: id }
    const notifications = Object.fromEntries(lists.map((list) => [typeOf(list), true]))
    yield {
      jsonrpc: '2.0',
      method: 'notifications/subscriptions/acknowledged',
      params: { _meta, notifications },
    }
    for await (const { changed } of changes || []) {
      for (const list of changed) if (lists.includes(list)) yield listChanged(list, { _meta })
    }
    // After `stream_limit_ms` there is no result: a client would take it for a reason not to listen again. With an expired token it is
    // refused when it does, and where the host stops there is nothing to listen to.
    if (!changes || isOver(scope)) yield result(id, finished({ _meta }))
  }
}

const typeOf = (list: ChangingList) => `${list}ListChanged`

/** @throws {RpcFailure} */
function wantedLists(filter: unknown): ChangingList[] {
  if (!isObject(filter)) throw invalidParams(`${FILTER} must be an object`)
  for (const [type, value] of Object.entries(filter)) {
    const known = TYPES.exec(type)
    if (!known || (known[1] && typeof value !== 'boolean')) {
      const wrong = known ? 'must be boolean' : 'is unknown'
      throw invalidParams(`${FILTER}.${type.slice(0, SHOWN)} ${wrong}`)
    }
  }
  return CHANGING_LISTS.filter((list) => filter[typeOf(list)] === true)
}
