import type { Agent } from 'node:http'
import type { Agent as SecureAgent } from 'node:https'
import { http, https } from '../http/node-http.ts'

/**
 * Connections one component may have in one thread, for each of http and https; further requests wait for one.
 *
 * Without a limit one guest could use up the descriptors of the process.
 */
const MAX_CONNECTIONS = 64

/** Milliseconds an unused connection is kept. */
const IDLE_MS = 30_000

/**
 * The connections of one component.
 *
 * No other component sends requests on them. If a component confuses a server about a connection, this harms only the
 * component's own requests. (Node closes a kept connection when the server sends something unasked.)
 */
export class Connections {
  readonly #plain: Agent
  readonly #secure: SecureAgent
  readonly #max: number

  constructor(max: number = MAX_CONNECTIONS) {
    const options = { keepAlive: true, maxTotalSockets: max, timeout: IDLE_MS }
    this.#plain = new http.Agent(options)
    this.#secure = new https.Agent(options)
    this.#max = max
  }

  /** The agent for the next request. */
  agent(secure: boolean): Agent {
    const agent = secure ? this.#secure : this.#plain
    const kept = Object.values(agent.freeSockets).flat()
    if (kept.length === 0) return agent
    const busy = Object.values(agent.sockets).reduce((sum, list = []) => sum + list.length, 0)
    // Kept connections to other servers count as well, and would let a new one wait until they are closed.
    if (busy + kept.length >= this.#max) kept[0]?.destroy()
    return agent
  }

  close(): void {
    this.#plain.destroy()
    this.#secure.destroy()
  }
}
