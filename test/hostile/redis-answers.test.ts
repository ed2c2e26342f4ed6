// A Redis server, or what stands between, that answers something else than it was asked.
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterEach, beforeEach, expect } from 'vitest'
import type { KeyValueStore, KeyValueStores } from '../../host/src/kv/key-value.ts'
import { openRedisStores } from '../../host/src/kv/redis.ts'
import { attack } from './support/attack.ts'

/** Keys that were asked for on each connection, in their order. */
let asked: string[][]
let onGet: (socket: Socket, key: string, connection: number) => void
let stores: KeyValueStores
const sockets = new Set<Socket>()

const server = createServer((socket) => {
  const connection = asked.push([]) - 1
  sockets.add(socket)
  socket.on('error', () => {})
  socket.on('close', () => sockets.delete(socket))
  socket.on('data', (bytes: Buffer) => {
    const words = bytes.toString().split('\r\n')
    for (const [at, word] of words.entries()) {
      if (/^(CLIENT|HELLO|SELECT)$/i.test(word)) socket.write('+OK\r\n')
      if (!/^GET$/i.test(word)) continue
      const key = words[at + 2] ?? ''
      asked[connection]?.push(key)
      onGet(socket, key, connection)
    }
  })
})
beforeEach(async () => {
  asked = []
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  stores = openRedisStores(`redis://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
afterEach(async () => {
  stores.close()
  for (const socket of sockets) socket.destroy()
  await new Promise((resolve) => server.close(resolve))
})

const bulk = (text: string) => `$${text.length}\r\n${text}\r\n`
const textOf = (value: Uint8Array | undefined) => value && Buffer.from(value).toString()
const outcome = (answer: ReturnType<KeyValueStore['get']>) =>
  Promise.resolve(answer).then(textOf, (error: Error) => error.message)

attack('an answer of Redis that cannot be read moves the next ones to other callers', async () => {
  // The answer to the first is broken; that to the second is whole, and belongs to the second.
  onGet = (socket, key) => {
    if (key !== 'bob') return
    socket.write('?what\r\n', () => setTimeout(() => socket.write(bulk('of bob')), 50))
  }
  const store = stores.open('')
  const answers = await Promise.all([outcome(store.get('ann')), outcome(store.get('bob'))])
  expect(asked[0]).toEqual(['ann', 'bob'])
  expect(answers).toEqual(['the key-value store failed', 'the key-value store failed'])
  onGet = (socket, key) => socket.write(bulk(`of ${key}`))
  expect(textOf(await store.get('ann'))).toBe('of ann')
  expect(asked).toHaveLength(2)
  return 'the connection ends, and every command that waited on it fails'
})

attack('Redis cuts the connection between two answers', async () => {
  onGet = (socket, key, connection) => {
    if (connection > 0) socket.write(bulk(`of ${key}`))
    else if (key === 'bob') socket.end(bulk('of ann'))
  }
  const store = stores.open('')
  const first = [outcome(store.get('ann')), outcome(store.get('bob'))]
  expect(await Promise.all(first)).toEqual(['of ann', 'the key-value store failed'])
  expect(textOf(await store.get('bob'))).toBe('of bob')
  return 'the command without an answer fails'
})

attack('an answer of Redis comes after its time', async () => {
  onGet = (socket, key, connection) => {
    if (connection > 0) return socket.write(bulk(`of ${key}`))
    return setTimeout(() => socket.write(bulk('late')), 5500)
  }
  const store = stores.open('')
  expect(await outcome(store.get('ann'))).toBe('the key-value store failed')
  expect(textOf(await store.get('bob'))).toBe('of bob')
  await new Promise((wake) => setTimeout(wake, 800))
  expect(textOf(await store.get('cid'))).toBe('of cid')
  return 'it arrives nowhere: the connection has been given up'
})
