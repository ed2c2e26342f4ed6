/**
 * Interfaces that a component does not import although its main module does: a small module of the component answers
 * those imports. On the fast way the host links the main module alone, so it gives the same answers as that module.
 */
import type { Guest } from './guest.ts'
import { HttpError } from '../http/http-error.ts'
import { OutgoingRequest } from './http-resources.ts'
import type { ImportFunction } from './jspi.ts'
import { Trap } from './trap.ts'

/** The interfaces, without their version, that the host can withhold. */
export const WITHHOLDABLE: readonly string[] = [
  'wasi:http/outgoing-handler',
  'fermyon:spin/key-value',
]

/** `result`: the second case, and the cases HTTP-request-denied and access-denied of the two kinds of errors. */
const ERROR = 1
const REQUEST_DENIED = 15
const ACCESS_DENIED = 2

/** The function that takes the place of `name`. */
export function withheldFunction(guest: Guest, name: string): ImportFunction {
  const { memory, handles, services } = guest
  if (name === 'handle') {
    return (self: number, _hasOptions: number, _options: number, ret: number) => {
      const { scheme = 'https', authority } = handles.take(self, OutgoingRequest)
      // An unusable address is refused as any other.
      if (authority !== undefined)
        tell(() => services.outbound.withhold?.({ scheme, authority }, guest))
      memory.setU8(ret, ERROR)
      memory.setU8(ret + 8, REQUEST_DENIED)
    }
  }
  if (name === '[static]store.open') {
    return (_label: number, _length: number, ret: number) => {
      memory.setU8(ret, ERROR)
      memory.setU8(ret + 4, ACCESS_DENIED)
    }
  }
  return () => {
    throw new Trap(`the component does not import what has ${name}`)
  }
}

/** An address that cannot be read does not change the answer. */
function tell(work: () => void): void {
  try {
    work()
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
  }
}
