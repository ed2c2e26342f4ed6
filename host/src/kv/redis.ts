/**
 * Key-value stores in Redis. Stores that components share use bare keys, as in Spin; the store of one component puts
 * its name before each key.
 * @see https://spinframework.dev/v4/dynamic-configuration#redis-key-value-store-provider
 */
import { KeyValueError, type KeyValueStore, type KeyValueStores } from './key-value.ts'
import { type RedisConnection, RedisLine } from './redis-connection.ts'

/** Keys the server looks at between two other commands while it lists them. */
const SCAN_COUNT = 1000

/**
 * The server runs a script without running any other command meanwhile. One that has become a replica refuses the SET, so
 * "the same" is never said of a value that was not stored.
 */
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
  const line = new RedisLine(url)
  const attempt = async <T>(work: (connection: RedisConnection) => Promise<T>): Promise<T> => {
    try {
      return await line.use(work)
    } catch (error) {
      // The guest learns only that the store failed, not where the server is.
      throw new KeyValueError('other', 'the key-value store failed', { cause: error })
    }
  }
  const open = (name: string): KeyValueStore => {
    const prefix = name === '' ? '' : `${OWN}${name}:`
    const keyOf = (key: string) => {
      if (prefix !== '' || !key.startsWith(OWN)) return prefix + key
      throw new KeyValueError('other', `keys that begin with "${OWN}" are reserved`)
    }
    // A reserved key fails in every operation.
    const use = <T>(
      key: string,
      work: (connection: RedisConnection, key: string) => Promise<T>,
    ) => {
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
  return { open, close: () => line.close() }
}
