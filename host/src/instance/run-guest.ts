import type { Guest } from './guest.ts'
import { IncomingRequest, ResponseOutparam } from './http-resources.ts'
import type { Preview1 } from './preview1.ts'
import type { GuestRequest } from './services.ts'
import type { HttpResponse } from '../http/messages.ts'
import { currentGuest } from './current-guest.ts'

/** An instance's side of a request: what it is, what it printed, and its handler. */
export interface Runnable {
  guest: Guest
  preview1: Preview1
  handle: (request: number, outparam: number) => Promise<unknown>
}

/**
 * Runs a guest to its end, which may come long after its response.
 *
 * @param respond is called at most once, when the guest hands over its response.
 * @returns whether the guest responded.
 * @throws whatever ended the guest early: a trap, or a stack overflow.
 */
export async function runGuest(
  { guest, preview1, handle }: Runnable,
  request: GuestRequest,
  respond: (response: HttpResponse) => void,
): Promise<boolean> {
  const { handles } = guest
  guest.begin(request)
  const outparam = new ResponseOutparam(respond)
  let endedWell = false
  try {
    await currentGuest.run(guest.id, () =>
      handle(handles.add(new IncomingRequest(request)), handles.add(outparam)),
    )
    endedWell = true
    outparam.end()
    return outparam.used
  } finally {
    currentGuest.leave(guest.id)
    preview1.flush()
    handles.clear({ endedWell })
    // What is still on its way to a reader is that reader's concern.
    guest.account.reset()
  }
}
