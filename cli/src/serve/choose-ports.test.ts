import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { choosePorts, type Listener } from './choose-ports.ts'
import { occupyPort, type OccupiedPort } from './testing/occupied-port.ts'

const occupiedPorts: OccupiedPort[] = []
afterEach(async () => {
  for (const port of occupiedPorts.splice(0)) await port.free()
})

async function occupied(): Promise<string> {
  const port = await occupyPort()
  occupiedPorts.push(port)
  return `127.0.0.1:${port.port}`
}

const listener = (address: string, more: Partial<Listener> = {}): Listener => ({
  what: 'gateway',
  address,
  flag: '--listen',
  isChosen: false,
  ...more,
})

test('a usual port that is taken becomes the next free one, and the line says so', async () => {
  const address = await occupied()
  const { addresses, notes } = await choosePorts([listener(address, { hint: ' Look there.' })])
  const [chosen = ''] = addresses
  expect(Number(chosen.split(':')[1])).toBeGreaterThan(Number(address.split(':')[1]))
  expect(notes).toEqual([`${address} is in use, so the gateway listens on ${chosen}. Look there.`])
})

test('ports that were asked for and are taken are named all at once', async () => {
  const [one, two] = [await occupied(), await occupied()]
  const all = [
    listener(one, { isChosen: true }),
    listener(two, { isChosen: true, what: 'WebSocket bridge', flag: '--bridge-port' }),
  ]
  const failure = choosePorts(all)
  await expect(failure).rejects.toThrow(`${one} is already in use (gateway, --listen)`)
  await expect(failure).rejects.toThrow(
    `${two} is already in use (WebSocket bridge, --bridge-port)`,
  )
})

test('free ports, and any port, stay as they are', async () => {
  const address = await occupied()
  await occupiedPorts.pop()?.free()
  const wanted = [listener(address), listener('127.0.0.1:0', { isChosen: true })]
  expect(await choosePorts(wanted)).toEqual({ addresses: [address, '127.0.0.1:0'], notes: [] })
})

test('a port that a process of an earlier run holds is left to the start, which ends it', async () => {
  const address = await occupied()
  const record = join(tmpdir(), `ftl-record-${process.pid}.json`)
  writeFileSync(
    record,
    JSON.stringify({ workerd: { pid: process.pid }, startedBy: { pid: ended() } }),
  )
  expect(await choosePorts([listener(address, { record })])).toEqual({
    addresses: [address],
    notes: [],
  })
})

test.each([
  [
    'whose starter still runs',
    () => ({ workerd: { pid: process.pid }, startedBy: { pid: process.pid } }),
  ],
  ['that has ended itself', () => ({ workerd: { pid: ended() }, startedBy: { pid: ended() } })],
  ['whose record is damaged', () => null],
])('a port of a bridge %s is taken', async (_, recorded) => {
  const address = await occupied()
  const record = join(tmpdir(), `ftl-record-${process.pid}.json`)
  writeFileSync(record, JSON.stringify(recorded()))
  const { notes } = await choosePorts([listener(address, { record })])
  expect(notes).toHaveLength(1)
})

const ended = () => spawnSync(process.execPath, ['--version']).pid

test('no two listeners get the same port, and a named one keeps its own', async () => {
  const address = await occupied()
  const next = `127.0.0.1:${Number(address.split(':')[1]) + 1}`
  const bridge = { what: 'WebSocket bridge', flag: '--bridge-port' }
  const { addresses } = await choosePorts([
    listener(address),
    listener(next, { ...bridge, isChosen: true }),
    listener(next, { what: 'ComfyUI simulator' }),
  ])
  expect(addresses[1]).toBe(next)
  expect(new Set(addresses).size).toBe(3)
})

test('a port that was named for two is refused', async () => {
  const address = await occupied()
  await occupiedPorts.pop()?.free()
  const twice = [listener(address, { isChosen: true }), listener(address, { isChosen: true })]
  await expect(choosePorts(twice)).rejects.toThrow('is already in use')
})
