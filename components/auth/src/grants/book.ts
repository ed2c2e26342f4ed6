/**
 * What one user has allowed to which clients. A family is one sign-in of a client: its code, and the refresh tokens that
 * follow from it, of which only the newest is valid. If an earlier one is used again, it was stolen, or the newest was.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9700#section-4.14
 */

/** The user, as the source of users named it. */
export interface User {
  sub: string
  name: string
  groups: readonly string[]
  /** What the operator permits a user of an upstream server by. @default a user with a pass phrase */
  facts?: readonly string[]
}

export interface Family {
  id: string
  /** 0 = its code was not redeemed yet; then the number of its newest refresh token. */
  generation: number
  scopes: string[]
  resource: string
  /** Milliseconds since the epoch. */
  until: number
}

export interface Grant {
  /** Digest of the client's id. */
  client: string
  name: string
  /** Where the client has its users sent back to, to be read. */
  place: string
  /** Milliseconds since the epoch. */
  created: number
  used: number
  families: Family[]
}

export interface Book {
  user: User
  grants: Grant[]
  /** When the user signed out of the page of grants, in milliseconds since the epoch. @default never */
  left?: number
}

const MOST_GRANTS = 50
const MOST_FAMILIES = 20

export const CODE_MS = 60_000
const FAMILY_MS = 30 * 86_400_000

/** Without what has expired. */
function current(book: Book, now: number): Book {
  const grants = book.grants
    .map((grant) => ({ ...grant, families: grant.families.filter(({ until }) => until > now) }))
    .filter(({ families }) => families.length > 0)
  return { ...book, grants }
}

/** The newest first. */
export function currentGrants(book: Book, now: number): Grant[] {
  return current(book, now).grants
}

export type Allowed = Pick<Grant, 'client' | 'name' | 'place'> & {
  family: Pick<Family, 'id' | 'scopes' | 'resource'>
}

/** A user has allowed a client. Grants and sign-ins that were not used for the longest time make room. */
export function allow(book: Book, { family, ...client }: Allowed, now: number): Book {
  const { grants } = current(book, now)
  const before = grants.find((grant) => grant.client === client.client)
  const started: Family = { ...family, generation: 0, until: now + CODE_MS }
  const families = [...(before?.families ?? []), started].slice(-MOST_FAMILIES)
  const grant: Grant = { ...client, created: before?.created ?? now, used: now, families }
  const others = grants
    .filter((each) => each.client !== client.client)
    .sort((one, other) => other.used - one.used)
    .slice(0, MOST_GRANTS - 1)
  return { ...book, grants: [grant, ...others] }
}

export type Use =
  | { is: 'granted'; book: Book; family: Family }
  /** A code or refresh token was used before: the family is gone. */
  | { is: 'reused'; book: Book }
  | { is: 'unknown' }

/**
 * Redeems a code (generation 0) or a refresh token.
 *
 * @param generation that the code or token has.
 */
export function use(
  book: Book,
  { client, family: id, generation }: { client: string; family: string; generation: number },
  now: number,
): Use {
  const kept = current(book, now)
  const family = kept.grants
    .find((grant) => grant.client === client)
    ?.families.find((each) => each.id === id)
  if (!family) return { is: 'unknown' }
  if (family.generation !== generation)
    return { is: 'reused', book: withoutFamily(kept, client, id) }
  const next: Family = {
    ...family,
    generation: generation + 1,
    // From the sign-in on: a client that renews its token all the time does not stay for ever.
    until: generation === 0 ? now + FAMILY_MS : family.until,
  }
  const grants = kept.grants.map((grant) =>
    grant.client === client
      ? {
          ...grant,
          used: now,
          families: grant.families.map((each) => (each.id === id ? next : each)),
        }
      : grant,
  )
  return { is: 'granted', book: { ...kept, grants }, family: next }
}

export function withoutFamily(book: Book, client: string, id: string): Book {
  const grants = book.grants.map((grant) =>
    grant.client === client
      ? { ...grant, families: grant.families.filter((family) => family.id !== id) }
      : grant,
  )
  return { ...book, grants: grants.filter(({ families }) => families.length > 0) }
}

/** All sign-ins of a client end. */
export function withoutClient(book: Book, client: string): Book {
  return { ...book, grants: book.grants.filter((grant) => grant.client !== client) }
}
