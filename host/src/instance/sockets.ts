/**
 * `wasi:sockets`: there, because standard libraries import it, and refused, as Spin does without
 * `allowed_outbound_hosts` for raw sockets. Requests go through `wasi:http`.
 */
import type { Guest } from './guest.ts'
import type { ImportFunction } from './jspi.ts'

/** The case `access-denied` of `wasi:sockets/network.error-code`. */
const ACCESS_DENIED = 1

/** A `wasi:sockets/network.network`: the permission to try. */
export class Network {}

export function socketImports({
  handles,
  memory,
}: Guest): Record<string, Record<string, ImportFunction>> {
  // result<own, error-code>: the tag, the payload at 4.
  const deny = (ret: number) => {
    memory.setU8(ret, 1)
    memory.setU8(ret + 4, ACCESS_DENIED)
  }
  return {
    'wasi:sockets/instance-network': {
      'instance-network': () => handles.add(new Network()),
    },
    'wasi:sockets/network': {
      '[resource-drop]network': (self: number) => handles.drop(self, Network),
    },
    'wasi:sockets/tcp-create-socket': {
      'create-tcp-socket': (_family: number, ret: number) => deny(ret),
    },
    'wasi:sockets/udp-create-socket': {
      'create-udp-socket': (_family: number, ret: number) => deny(ret),
    },
    'wasi:sockets/ip-name-lookup': {
      'resolve-addresses': (_network: number, _at: number, _size: number, ret: number) => deny(ret),
    },
    // No socket comes into being, so nothing of these is ever called.
    'wasi:sockets/tcp': {},
    'wasi:sockets/udp': {},
  }
}
