/**
 * The connection to a Redis or Valkey server, opened at the first command and again after each failure.
 *
 * After a failover behind one address, an open connection still leads to the server that was demoted. It refuses each write
 * with READONLY, and reads as well where it may not give old values, or while it loads those of the new primary. Such a command
 * has changed nothing, so it is sent once more, on a new connection. No other command is sent twice: after a lost connection,
 * whether the server has run it is unknown.
 */

/** Milliseconds to wait for the server: for a connection, and for each answer. */
const TIMEOUT_MS = 5000

export type RedisConnection = Awaited<ReturnType<typeof connect>>

export class RedisLine {
  readonly #url: string
  #connection: Promise<RedisConnection> | undefined

  /** @param url `redis://[user:password@]host[:port][/database]`, or `rediss:` for TLS. */
  constructor(url: string) {
    this.#url = url
  }

  /** Runs one command. @throws what the client, the server or the wait has reported. */
  async use<T>(work: (connection: RedisConnection) => Promise<T>): Promise<T> {
    const first = this.#connected()
    try {
      return await this.#withinTime(first, work)
    } catch (error) {
      if (!isDemoted(error)) throw error
      this.#leave(first)
      return this.#withinTime(this.#connected(), work)
    }
  }

  /** Commands that wait for an answer fail. */
  close(): void {
    if (this.#connection) this.#end(this.#connection)
  }

  #end(connected: Promise<RedisConnection>): void {
    if (this.#connection === connected) this.#connection = undefined
    void connected.then(({ client }) => end(client)).catch(() => {})
  }

  #connected(): Promise<RedisConnection> {
    const wanted = (this.#connection ??= connect(this.#url, () => {
      if (this.#connection === wanted) this.#connection = undefined
    }))
    return wanted
  }

  async #withinTime<T>(
    connected: Promise<RedisConnection>,
    work: (connection: RedisConnection) => Promise<T>,
  ): Promise<T> {
    const giveUp = new AbortController()
    const timer = setTimeout(() => giveUp.abort(), TIMEOUT_MS)
    try {
      return await Promise.race([connected.then(work), rejectedWhenAborted(giveUp.signal)])
    } catch (error) {
      // A server that does not answer keeps every later command waiting on the same connection.
      if (giveUp.signal.aborted) this.#end(connected)
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  /** Other commands that wait on the connection get their own answers first: several fail at once with READONLY. */
  #leave(connected: Promise<RedisConnection>): void {
    if (this.#connection !== connected) return
    this.#connection = undefined
    void connected
      .then(({ client }) => {
        const timer = setTimeout(() => end(client), TIMEOUT_MS)
        return client.close().finally(() => clearTimeout(timer))
      })
      .catch(() => {})
  }
}

/** The server has refused the command before it ran it. Servers before Redis 7 put the error of a script into another one. */
const isDemoted = (error: unknown) =>
  error instanceof Error && /^(MASTERDOWN|LOADING)\b|\bREADONLY\b/.test(error.message)

let client: Promise<typeof import('@redis/client')> | undefined

/**
 * Loads the client once, and only where it is used: it is bigger than the whole host. A guest thread loads it when it
 * starts, because it cannot import anything later.
 */
export function loadRedisClient(): Promise<typeof import('@redis/client')> {
  return (client ??= import('@redis/client'))
}

async function connect(url: string, onEnd: () => void) {
  try {
    const { createClient, RESP_TYPES } = await loadRedisClient()
    const client = createClient({
      url,
      RESP: 2,
      disableOfflineQueue: true,
      // The next request connects again, so an unused store makes no attempts.
      socket: { connectTimeout: TIMEOUT_MS, reconnectStrategy: false },
    }).withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer })
    client.on('error', () => {
      onEnd()
      // What cannot be read ends the connection: the client would give the next answers to the wrong commands.
      end(client)
    })
    client.on('end', () => onEnd())
    await client.connect()
    return { client }
  } catch (error) {
    onEnd()
    throw error
  }
}

/** Commands that wait for an answer fail. */
function end(client: { destroy(): void }): void {
  try {
    client.destroy()
  } catch {
    // It has ended already.
  }
}

// The client's own timeout covers only the writing of a command, not an answer that never comes.
function rejectedWhenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error(`no answer within ${TIMEOUT_MS} ms`)))
  })
}
