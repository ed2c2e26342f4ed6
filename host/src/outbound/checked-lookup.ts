/**
 * Looks a name up and leaves out the addresses a request may not end at.
 *
 * The connection goes to the address that was checked. The name is not looked up again, so a name server cannot answer
 * differently the second time (DNS rebinding).
 */
import { lookup as systemLookup, type LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { HttpError } from '../http/http-error.ts'

/** All addresses of a name. Tests replace the system's. */
export type Resolve = (
  host: string,
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

export const systemResolve: Resolve = (host, done) => systemLookup(host, { all: true }, done)

/** What a name may stand for. */
export interface LookupRules {
  /** @default any address */
  allows?: (address: string) => boolean
  /** Is given the addresses of a name none of which is allowed. */
  refused?: (addresses: readonly string[]) => void
}

export function checkedLookup(
  resolve: Resolve,
  { allows = () => true, refused }: LookupRules,
): LookupFunction {
  return (host, { all, family }, done) => {
    resolve(host, (error, found) => {
      if (error) {
        done(error, [])
        return
      }
      const wanted = family === 4 || family === 6 ? found.filter((a) => a.family === family) : found
      const [first, ...more] = wanted.filter(({ address }) => allows(address))
      if (first === undefined) {
        refused?.(wanted.map(({ address }) => address))
        done(new HttpError('destination-IP-prohibited'), [])
      } else if (all) done(null, [first, ...more])
      else done(null, first.address, first.family)
    })
  }
}
