/**
 * The stores of an application, each behind its label.
 *
 * @module
 */
import { KeyValueError, type KeyValueStores } from './key-value.ts'
import { openRedisStores } from './redis.ts'
import { openSqliteStores } from './sqlite.ts'

/** Where a label's entries lie. Plain data: every thread opens its own connection. */
export type StorePlace =
  | {
      type: 'spin'
      /** Absolute path of the database. */
      file: string
      /** `false` for one that is removed at the end. */
      durable: boolean
    }
  | { type: 'redis'; url: string }

export type StorePlaces = Readonly<Record<string, StorePlace>>

/** @throws {Error} when a database cannot be opened. */
export function openStores(places: StorePlaces): KeyValueStores {
  const opened = new Map<string, KeyValueStores>()
  const close = () => {
    for (const stores of opened.values()) stores.close()
    opened.clear()
  }
  try {
    // Labels on one file share a connection.
    for (const place of Object.values(places)) {
      const address = addressOf(place)
      if (!opened.has(address)) opened.set(address, connect(place))
    }
  } catch (error) {
    close()
    throw error
  }
  return {
    open(label) {
      const place = Object.hasOwn(places, label) ? places[label] : undefined
      const stores = place && opened.get(addressOf(place))
      if (!stores) throw new KeyValueError('no-such-store')
      return stores.open(label)
    },
    close,
  }
}

const addressOf = (place: StorePlace) => (place.type === 'spin' ? place.file : place.url)

function connect(place: StorePlace): KeyValueStores {
  if (place.type === 'redis') return openRedisStores(place.url)
  return openSqliteStores(place.file, { durable: place.durable })
}
