import { networkInterfaces } from 'node:os'
import { canonicalAddress } from '../http/addresses.ts'

/**
 * Whether a connection would end at the application's own listener.
 *
 * A component reaches it by `http://self` only, where the host knows that a component sends and does not let it pose as
 * a proxy.
 */
export function isOwnListener(
  address: string,
  port: number,
  self: { host: string; port: number },
): boolean {
  if (port !== self.port) return false
  const canonical = canonicalAddress(address)
  if (/^(127\.|0\.0\.0\.0$|::1?$)/.test(canonical)) return true
  return Object.values(networkInterfaces()).some((addresses = []) =>
    addresses.some((own) => own.address === canonical),
  )
}
