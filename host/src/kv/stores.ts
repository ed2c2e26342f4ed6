/** The stores of an application, each behind its label. */
import { withConditionalWrites } from './conditional-write.ts'
import { KeyValueError, type KeyValueStore, type KeyValueStores } from './key-value.ts'
import { openRedisStores } from './redis.ts'
import { openSqliteStores } from './sqlite.ts'
import { createRates, ENTRY_RULES, type EntryRules, withEntryRules } from './entry-rules.ts'
import { STORE_LIMITS, type StoreLimits } from './store-limits.ts'
import { storeName, type StoreView } from './store-view.ts'

/** Where a label's entries are kept. Plain data: every thread opens its own connection. */
export type StorePlace =
  | {
      type: 'spin'
      /** Absolute path of the database. */
      file: string
      /** `false` for one that is removed at the end. */
      durable: boolean
    }
  | { type: 'redis'; url: string }

/** By label, or by the name of one component's own store. */
export type StorePlaces = Readonly<Record<string, StorePlace>>

/** The stores of an application as its components see them. */
export interface ApplicationStores {
  /** @throws {KeyValueError} `no-such-store` */
  open(view: StoreView): KeyValueStore
  close(): void
}

/** @throws {Error} when a database cannot be opened. */
export function openStores(
  places: StorePlaces,
  limits: StoreLimits = STORE_LIMITS,
  rules: EntryRules = ENTRY_RULES,
): ApplicationStores {
  const rates = createRates(rules)
  const opened = new Map<string, KeyValueStores>()
  const close = () => {
    for (const stores of opened.values()) stores.close()
    opened.clear()
  }
  checkServers(places)
  const placeOf = (label: string) => (Object.hasOwn(places, label) ? places[label] : undefined)
  try {
    // Labels on one file share a connection.
    for (const place of Object.values(places)) {
      const address = addressOf(place)
      if (!opened.has(address)) opened.set(address, connect(place, limits))
    }
  } catch (error) {
    close()
    throw error
  }
  return {
    open(view) {
      const name = storeName(view)
      const exact = placeOf(name)
      const place = exact ?? placeOf(view.label)
      const stores = place && opened.get(addressOf(place))
      if (!stores) throw new KeyValueError('no-such-store')
      // A server that was configured for this store alone, or for the shared one, has bare keys as with Spin.
      const bare = place.type === 'redis' && exact !== undefined
      const store = withEntryRules(stores.open(bare ? '' : name), rules, rates)
      return rules.compares ? withConditionalWrites(store) : store
    },
    close,
  }
}

/** Of one component's own store on a server of its own the keys are bare, so no other store may be there. */
function checkServers(places: StorePlaces): void {
  const entries = Object.entries(places)
  for (const [name, { type }] of entries) {
    if (type !== 'redis' || !name.includes('.')) continue
    const other = entries.find(
      ([label, place]) =>
        label !== name && addressOf(place) === addressOf(places[name] as StorePlace),
    )
    if (!other) continue
    throw new Error(
      `the key-value stores "${name}" and "${other[0]}" have the same Redis database; ` +
        'give each its own, such as redis://host/1',
    )
  }
}

const addressOf = (place: StorePlace) => (place.type === 'spin' ? place.file : place.url)

function connect(place: StorePlace, limits: StoreLimits): KeyValueStores {
  if (place.type === 'redis') return openRedisStores(place.url)
  return openSqliteStores(place.file, { durable: place.durable, limits })
}
