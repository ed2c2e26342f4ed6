// Two real stores behind one address: the replica becomes the primary, and open connections still lead to the old one.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { KeyValueStore, KeyValueStores } from '../../host/src/kv/key-value.ts'
import { openRedisStores } from '../../host/src/kv/redis.ts'
import { type Store, startStore, STORES } from './store.ts'
import { startStoreLine, type StoreLine } from './store-line.ts'

const bytes = (value: string) => new Uint8Array(Buffer.from(value))
const text = (value: Uint8Array | undefined) => value && Buffer.from(value).toString()

describe.each(STORES)('$title', ({ program }) => {
  describe.skipIf(program === undefined)('after a failover', () => {
    let first: Store
    let second: Store
    let line: StoreLine
    let stores: KeyValueStores
    let store: KeyValueStore

    beforeEach(async () => {
      first = await startStore({ program })
      second = await startStore({ program })
      await second.command('REPLICAOF', '127.0.0.1', `${first.port}`)
      await until(async () => (await replication(second)).includes('master_link_status:up'))
      line = await startStoreLine(first.port)
      stores = openRedisStores(line.url)
      store = stores.open('')
      await store.set('before', bytes('1'))
    })
    afterEach(async () => {
      stores.close()
      await Promise.all([line.close(), first.close(), second.close()])
    })

    /** The server itself waits until the replica has everything, and changes its role. */
    async function handOver(from: typeof first, to: typeof first): Promise<void> {
      // It refuses until it has heard from the replica that this is in step.
      await until(async () => (await replication(from)).includes('state=online'))
      await from.command('FAILOVER', 'TO', '127.0.0.1', `${to.port}`)
      await until(async () => (await replication(from)).includes('role:slave'))
    }

    const failOver = async () => handOver(first, second)

    it('each kind of write is stored by the new primary, without a restart', async () => {
      await failOver()
      line.lead(second.port)
      expect(await store.setIf('before', bytes('1'), bytes('2'))).toBe(true)
      expect(text(await store.get('before'))).toBe('2')
      await failBack()
      await store.set('set', bytes('3'))
      await failOver()
      line.lead(second.port)
      expect(await store.setIf('new', undefined, bytes('4'))).toBe(true)
      await failBack()
      await store.delete('before')
      const found = ['before', 'set', 'new'].map(async (key) => text(await store.get(key)))
      expect(await Promise.all(found)).toEqual([undefined, '3', '4'])
    })

    async function failBack(): Promise<void> {
      await until(async () => (await replication(first)).includes('master_link_status:up'))
      await handOver(second, first)
      line.lead(first.port)
      await until(async () => (await replication(second)).includes('master_link_status:up'))
    }

    it('writes at once are sent again each, and none that was confirmed is lost', async () => {
      await failOver()
      line.lead(second.port)
      const keys = Array.from({ length: 50 }, (_, index) => `key-${index}`)
      await Promise.all(keys.map(async (key) => store.set(key, bytes(`of ${key}`))))
      for (const key of keys) expect(await second.command('GET', key)).toBe(`of ${key}`)
    })

    it('a read that the demoted server refuses, because its primary is away, is sent to the new one', async () => {
      await failOver()
      await first.command('CONFIG', 'SET', 'replica-serve-stale-data', 'no')
      await first.command('REPLICAOF', '127.0.0.1', '1')
      line.lead(second.port)
      expect(text(await store.get('before'))).toBe('1')
      expect(await store.keys()).toEqual(['before'])
    })

    it('as long as the address leads to the old primary, a write is an error', async () => {
      await failOver()
      await expect(store.set('early', bytes('x'))).rejects.toThrow('the key-value store failed')
      expect(await second.command('GET', 'early')).toBeNull()
      line.lead(second.port)
      await store.set('early', bytes('y'))
      expect(await second.command('GET', 'early')).toBe('y')
    })

    it('steps that count during the failover are counted once each, or reported', async () => {
      await store.set('count', bytes('0'))
      let confirmed = 0
      let isOver = false
      const count = async () => {
        while (!isOver) {
          try {
            const now = await store.get('count')
            const next = bytes(String(Number(text(now)) + 1))
            if (await store.setIf('count', now, next)) confirmed++
          } catch {
            // Reported: it does not count.
          }
        }
      }
      const counting = [count(), count(), count()]
      await until(() => Promise.resolve(confirmed > 20))
      await failOver()
      line.lead(second.port)
      const after = confirmed
      await until(() => Promise.resolve(confirmed > after + 20))
      isOver = true
      await Promise.all(counting)
      expect(Number(await second.command('GET', 'count'))).toBe(confirmed)
    })
  })
})

const replication = async (store: Store) => String(await store.command('INFO', 'replication'))

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(20)
}
