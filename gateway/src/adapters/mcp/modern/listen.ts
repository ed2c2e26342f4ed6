/**
 * `subscriptions/listen`: taken, and ended at once, because no instance lives long enough to see a change.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions
 */
import { type RequestId, result } from '../json-rpc.ts'

const ID_KEY = 'io.modelcontextprotocol/subscriptionId'

export async function* listen(
  id: RequestId,
  finished: (value: object) => object,
): AsyncGenerator<object> {
  const _meta = { [ID_KEY]: id }
  yield {
    jsonrpc: '2.0',
    method: 'notifications/subscriptions/acknowledged',
    // Nothing of what was asked for will come.
    params: { _meta, notifications: {} },
  }
  yield result(id, finished({ _meta }))
}
