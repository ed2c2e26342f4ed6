/** The priority of a thread for guests that compute. */
import { readlinkSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { type Ward, WARD } from '../wire/guest-cells.ts'

/** Linux names the thread that asks: `PID/task/TID`. */
const OWN_THREAD = '/proc/thread-self'

/**
 * Lets the threads that serve everything go first when there are fewer processors than threads with work. On an idle
 * machine nothing changes. Linux alone has priorities of threads; elsewhere all share the processors equally.
 *
 * @see https://man7.org/linux/man-pages/man2/setpriority.2.html "C library/kernel differences"
 */
export function giveWay(ward: Ward): void {
  if (ward === WARD.ordinary || process.platform !== 'linux') return
  const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority
  try {
    const thread = Number(readlinkSync(OWN_THREAD).split('/').at(-1))
    setPriority(thread, ward === WARD.slow ? PRIORITY_BELOW_NORMAL : PRIORITY_LOW)
  } catch {
    // A sandbox may hide /proc or forbid it. The guests run with the priority of all others, as elsewhere.
  }
}
