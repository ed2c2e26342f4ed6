/**
 * Key-value stores in Redis. Stores that components share use bare keys, as in Spin; the store of one component puts
 * its name before each key.
 * @see https://spinframework.dev/v4/dynamic-configuration#redis-key-value-store-provider
 */
import { KeyValueError, type KeyValueStore, type KeyValueStores } from './key-value.ts'

/** Milliseconds to wait for the server: for a connection, and for each answer. */
const TIMEOUT_MS = 5000

/** Keys the server looks at between two other commands while it lists them. */
const SCAN_COUNT = 1000

/** The server runs a script without running any other command meanwhile. */
const SET_IF_SAME = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2])
return 1`

/** Prefix of the keys of components' own stores; such a key cannot be used in a store with bare keys. */
const OWN = 'ftl:'

/**
 * Stores on one server. The connection opens at the first request of a guest, and again after each failure.
 *
 * A store without a name has bare keys: labels and applications with the same URL share them. How much a component
 * stores is not counted here; `maxmemory` of the server is the limit.
 *
 * @param url `redis://[user:password@]host[:port][/database]`, or `rediss:` for TLS.
 */
export function openRedisStores(url: string): KeyValueStores {
  let connection: Promise<Connection> | undefined
  const disconnect = () => {
    void connection?.then(({ client }) => end(client)).catch(() => {})
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
      // The guest learns only that the store failed, not where the server is.
      throw new KeyValueError('other', 'the key-value store failed', { cause: error })
    } finally {
      clearTimeout(timer)
    }
  }
  const open = (name: string): KeyValueStore => {
    const prefix = name === '' ? '' : `${OWN}${name}:`
    const keyOf = (key: string) => {
      if (prefix !== '' || !key.startsWith(OWN)) return prefix + key
      throw new KeyValueError('other', `keys that begin with "${OWN}" are reserved`)
    }
    // A reserved key fails in every operation.
    const use = <T>(key: string, work: (connection: Connection, key: string) => Promise<T>) => {
      const full = keyOf(key)
      return attempt((connection) => work(connection, full))
    }
    return {
      get: (key) => use(key, async ({ client }, at) => (await client.get(at)) ?? undefined),
      set(key, value) {
        const bytes = Buffer.from(value)
        return use(key, async ({ client }, at) => void (await client.set(at, bytes)))
      },
      setIf(key, expected, value) {
        const bytes = Buffer.from(value)
        if (!expected) {
          const options = { condition: 'NX' } as const
          return use(key, async ({ client }, at) => (await client.set(at, bytes, options)) !== null)
        }
        const before = Buffer.from(expected)
        return use(key, async ({ client }, at) => {
          const script = { keys: [at], arguments: [before, bytes] }
          return (await client.eval(SET_IF_SAME, script)) === 1
        })
      },
      delete: (key) => use(key, async ({ client }, at) => void (await client.del(at))),
      exists: (key) => use(key, async ({ client }, at) => (await client.exists(at)) > 0),
      keys: () =>
        attempt(async ({ client }) => {
          // SCAN may return a key more than once while others are written.
          const found = new Set<string>()
          const options = { COUNT: SCAN_COUNT, ...(prefix !== '' && { MATCH: `${prefix}*` }) }
          for await (const keys of client.scanIterator(options)) {
            for (const key of keys) found.add(key.toString())
          }
          return [...found].flatMap((key) =>
            prefix === '' && key.startsWith(OWN) ? [] : key.slice(prefix.length),
          )
        }),
    }
  }
  return { open, close: disconnect }
}

let client: Promise<typeof import('@redis/client')> | undefined

/**
 * Loads the client once, and only where it is used: it is bigger than the whole host. A guest thread loads it when it
 * starts, because it cannot import anything later.
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
