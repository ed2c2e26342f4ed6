import { ComponentOutbound } from '../../host/src/outbound/component-outbound.ts'

/** What one component sent to another, or to the network. */
export interface InternalRequest {
  method: string
  /** `{component}.spin.internal` */
  authority: string
  path: string
}

/**
 * Sees every request that leaves a component of a host in this process, where the host takes it from the component.
 *
 * @returns the requests of `work` from its beginning to its end, in order, and what it returned.
 */
export async function recordRequests<T>(
  work: () => Promise<T>,
): Promise<{ requests: InternalRequest[]; value: T }> {
  const requests: InternalRequest[] = []
  // eslint-disable-next-line @typescript-eslint/unbound-method -- called with the `this` it is called on
  const { send } = ComponentOutbound.prototype
  ComponentOutbound.prototype.send = function (request, caller) {
    const { method, authority, path } = request
    requests.push({ method, authority, path })
    return send.call(this, request, caller)
  }
  try {
    return { value: await work(), requests }
  } finally {
    ComponentOutbound.prototype.send = send
  }
}
