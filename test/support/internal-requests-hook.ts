/**
 * Loaded into the workers of a host (`workerImports`): tells of every request that leaves a component, where the host
 * takes it from the component.
 */
import { ComponentOutbound } from '../../host/src/outbound/component-outbound.ts'
import { workerChannel } from './worker-channel.ts'

const channel = workerChannel('ftl-internal-requests')

// eslint-disable-next-line @typescript-eslint/unbound-method -- called with the `this` it is called on
const { send } = ComponentOutbound.prototype
ComponentOutbound.prototype.send = function (request, caller) {
  const { method, authority, path } = request
  channel.postMessage({ method, authority, path })
  return send.call(this, request, caller)
}
