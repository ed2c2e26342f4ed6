import type { RemoteServer } from './servers.ts'

/** Names of headers with an account. Others choose what a server lists, such as a set of its tools or a tenant. */
const OF_ACCOUNT = /auth|key|token|secret|cookie|password/i

/** Whether the operator has given a token or key, with which the lists of a server can be requested for all users. */
export function hasCredentials({ headers }: RemoteServer): boolean {
  return Object.keys(headers).some((name) => OF_ACCOUNT.test(name))
}
