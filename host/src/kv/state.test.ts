import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { holdState, type State } from './state.ts'
import { openStores } from './stores.ts'

const folder = () => mkdtempSync(join(tmpdir(), 'ftl-state-test-'))
const module = (name: string) => JSON.stringify(new URL(name, import.meta.url).href)
const fileOf = ({ stores }: State) => {
  const place = stores['default']
  return place?.type === 'spin' ? place.file : ''
}
const text = (value: unknown) => Buffer.from(value as Uint8Array).toString()

/** A program of its own that prints what it is asked to. */
function run(script: string) {
  const child = spawn(process.execPath, ['--input-type=module', '-e', script])
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()))
  const printed = (count: number) =>
    new Promise<void>((resolve, reject) => {
      const look = () => output.split('\n').length > count && resolve()
      child.stdout.on('data', look)
      void ended.then(() => reject(new Error(`ended after ${output}`)))
      look()
    })
  return { child, ended, printed, lines: () => output.split('\n').slice(0, -1) }
}

test('without a folder, whoever opens the state shares it until it is released', async () => {
  const state = await holdState({ stateDir: '', keyValues: { greeting: 'grüezi' } })
  const places = structuredClone(state.stores)
  const [first, second] = [openStores(places), openStores(places)]
  await first.open({ label: 'default' }).set('k', new Uint8Array([1, 2]))
  expect(await second.open({ label: 'default' }).get('k')).toEqual(new Uint8Array([1, 2]))
  expect(text(await second.open({ label: 'default' }).get('greeting'))).toBe('grüezi')
  first.close()
  second.close()
  expect(existsSync(fileOf(state))).toBe(true)
  state.release()
  expect(existsSync(dirname(fileOf(state)))).toBe(false)
})

test('without a folder, nothing is left of a process that ends without releasing', async () => {
  const { lines, ended } = run(`
    const { holdState } = await import(${module('./state.ts')})
    console.log((await holdState({ stateDir: '' })).stores.default.file)
    process.exit(3)`)
  await ended
  expect(lines()).toHaveLength(1)
  expect(dirname(lines()[0] ?? '')).toContain('ftl-state-')
  expect(existsSync(dirname(lines()[0] ?? ''))).toBe(false)
})

test('a folder is held once, and its entries outlive the state', async () => {
  const stateDir = folder()
  const first = await holdState({ stateDir, keyValues: { k: 'v' } })
  await expect(holdState({ stateDir })).rejects.toThrow(`${stateDir} is in use`)
  first.release()
  const second = await holdState({ stateDir })
  const stores = openStores(second.stores)
  expect(text(await stores.open({ label: 'default' }).get('k'))).toBe('v')
  stores.close()
  second.release()
})

test('a label nobody defined is no store', async () => {
  const state = await holdState({ stateDir: '' })
  const stores = openStores(state.stores)
  expect(() => stores.open({ label: 'cache' })).toThrow('no-such-store')
  expect(() => stores.open({ label: 'toString' })).toThrow('no-such-store')
  stores.close()
  state.release()
})

test('a host that is killed while it writes has kept every entry it acknowledged', async () => {
  const stateDir = folder()
  for (let round = 0; round < 3; round++) {
    const { child, ended, printed, lines } = run(`
      import { writeSync } from 'node:fs'
      const { holdState } = await import(${module('./state.ts')})
      const { openStores } = await import(${module('./stores.ts')})
      const { stores } = await holdState({ stateDir: ${JSON.stringify(stateDir)} })
      const store = openStores(stores).open({ label: 'default' })
      for (let i = 0; ; i++) {
        store.set('${round}:' + i, new Uint8Array(1 + (i % 40) * 997).fill(i % 256))
        writeSync(1, i + '\\n')
      }`)
    await printed(200 + round * 300)
    child.kill('SIGKILL')
    await ended
    const state = await holdState({ stateDir })
    const stores = openStores(state.stores)
    const store = stores.open({ label: 'default' })
    const lost: string[] = []
    for (const line of lines()) {
      const i = Number(line)
      const wanted = Buffer.alloc(1 + (i % 40) * 997, i % 256)
      const found = await store.get(`${round}:${i}`)
      if (!found || Buffer.compare(found, wanted) !== 0) lost.push(line)
    }
    stores.close()
    state.release()
    expect(lines().length).toBeGreaterThanOrEqual(200 + round * 300)
    expect(lost).toEqual([])
  }
})
