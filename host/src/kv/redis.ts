/**
 * Key-value stores in Redis, under bare keys as Spin keeps them there.
 *
 * @module
 * @see https://spinframework.dev/v4/dynamic-configuration#redis-key-value-store-provider
 */
import { KeyValueError, type KeyValueStore, type KeyValueStores } from './key-value.ts'

/** Milliseconds to wait for the server: for a connection, and for each answer. */
const TIMEOUT_MS = 5000

/** Keys the server looks at between two other commands while it lists them. */
const SCAN_COUNT = 1000

/**
 * Stores on one server, which is called when the first guest wants something and again after each failure.
 *
 * Labels, and applications, that name one URL share its keys: Spin puts no prefix before them.
 *
 * @param url `redis://[user:password@]host[:port][/database]`, or `rediss:` for TLS.
 */
export function openRedisStores(url: string): KeyValueStores {
  let connection: Promise<Connection> | undefined
  const disconnect = () => {
    void connection?.then(({ client }) => client.destroy()).catch(() => {})
    connection = undefined
  }
  const connected = () => {
    const wanted = (connection ??= connect(url, () => {
      if (connection === wanted) connection = undefined
    }))
    return wanted
  }
  const attempt = async <T>(work: (connection: Connection) => Promise<T>): Promise<T> => {
    const giveUp = new AbortController()
    const timer = setTimeout(() => giveUp.abort(), TIMEOUT_MS)
    try {
      return await Promise.race([connected().then(work), rejectedWhenAborted(giveUp.signal)])
    } catch (error) {
      // A server that does not answer keeps every later command waiting on the same connection.
      if (giveUp.signal.aborted) disconnect()
      // The guest learns that the store failed; where the server is stays out of its reach.
      throw new KeyValueError('other', 'the key-value store failed', { cause: error })
    } finally {
      clearTimeout(timer)
    }
  }
  const store: KeyValueStore = {
    get: (key) => attempt(async ({ client }) => (await client.get(key)) ?? undefined),
    set(key, value) {
      const bytes = Buffer.from(value)
      return attempt(async ({ client }) => void (await client.set(key, bytes)))
    },
    delete: (key) => attempt(async ({ client }) => void (await client.del(key))),
    exists: (key) => attempt(async ({ client }) => (await client.exists(key)) > 0),
    keys: () =>
      attempt(async ({ client }) => {
        // A key may come more than once while others are written.
        const found = new Set<string>()
        for await (const keys of client.scanIterator({ COUNT: SCAN_COUNT })) {
          for (const key of keys) found.add(key.toString())
        }
        return [...found]
      }),
  }
  return { open: () => store, close: disconnect }
}

let client: Promise<typeof import('@redis/client')> | undefined

/**
 * Loads the client once, for those only that use it: it is bigger than the whole host. A thread of guests does this at
 * its start, because it can import nothing later.
 */
export function loadRedisClient(): Promise<typeof import('@redis/client')> {
  return (client ??= import('@redis/client'))
}

type Connection = Awaited<ReturnType<typeof connect>>

async function connect(url: string, onEnd: () => void) {
  try {
    const { createClient, RESP_TYPES } = await loadRedisClient()
    const client = createClient({
      url,
      RESP: 2,
      disableOfflineQueue: true,
      // The next request connects again; nothing goes on while nobody asks.
      socket: { connectTimeout: TIMEOUT_MS, reconnectStrategy: false },
    }).withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer })
    client.on('error', () => onEnd())
    client.on('end', () => onEnd())
    await client.connect()
    return { client }
  } catch (error) {
    onEnd()
    throw error
  }
}

// The client's own limit ends with the writing of a command; it does not see an answer that never comes.
function rejectedWhenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error(`no answer within ${TIMEOUT_MS} ms`)))
  })
}
