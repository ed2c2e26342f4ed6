import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PortInUseError, PrepareError, startHost } from 'ftl-host'
import { type Fixture, sleep, startFixture, temporaryFolder } from './fixture.ts'

let host: Fixture
beforeAll(async () => {
  host = await startFixture()
})
afterAll(() => host.close())

test('a handler that throws is a 500 that tells nothing', async () => {
  const response = await fetch(`${host.url}/throw`)
  expect(response.status).toBe(500)
  expect(await response.text()).not.toContain('the handler threw')
  expect((await host.json('/state'))['counts']).toEqual([1, 1, 1])
})

test('a request that hangs blocks no other', async () => {
  const abort = new AbortController()
  const hanging = fetch(`${host.url}/hang`, { signal: abort.signal }).catch(() => 'aborted')
  await sleep(50)
  const answers = await Promise.all(Array.from({ length: 20 }, () => host.json('/state')))
  expect(answers.map((answer) => answer['counts'])).toEqual(Array(20).fill([1, 1, 1]))
  abort.abort()
  expect(await hanging).toBe('aborted')
})

test('a guest that is always busy lets others in between', async () => {
  let done = false
  const busy = host.text('/busy').then((text) => {
    done = true
    return text
  })
  await sleep(100)
  for (let i = 0; i < 10; i++) await host.json('/state')
  expect(done).toBe(false)
  expect(await busy).toBe('done')
})

test('a body shorter than its content-length is cut off', async () => {
  await expect(host.text('/break')).rejects.toThrow()
  expect((await host.json('/state'))['counts']).toEqual([1, 1, 1])
})

test('what a component writes is reported line by line', async () => {
  await host.text('/log')
  expect(host.logs).toContainEqual({ component: 'probe', stream: 'stdout', line: 'one line' })
  expect(host.logs).toContainEqual({ component: 'probe', stream: 'stderr', line: 'another' })
})

test('more requests than instances get 503 and a time to wait', async () => {
  const small = await startFixture({ maxInstances: 1 })
  const abort = new AbortController()
  const hanging = fetch(`${small.url}/hang`, { signal: abort.signal }).catch(() => undefined)
  let response: Response
  do {
    response = await fetch(`${small.url}/state`)
    await response.text()
    // Until the hanging request has arrived.
  } while (response.status === 200)
  expect(response.status).toBe(503)
  expect(response.headers.get('retry-after')).toBe('1')
  abort.abort()
  await hanging
  await small.close()
})

test('a port in use is named', async () => {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const { port } = other.address() as AddressInfo
  const error = await startFixture({ listen: `127.0.0.1:${port}` }).catch((e: unknown) => e)
  expect(error).toBeInstanceOf(PortInUseError)
  expect(error).toMatchObject({ host: '127.0.0.1', port })
  other.close()
})

test.each([
  ['missing.wasm', undefined, /"x".*missing\.wasm does not exist; build/],
  ['text.wasm', 'not wasm', /text\.wasm is not a WebAssembly file/],
  ['core.wasm', '\0asm\x01\0\0\0', /core\.wasm is a core module, not a component/],
  ['empty.wasm', '\0asm\x0d\0\x01\0', /does not export wasi:http\/incoming-handler/],
])('a component in %s is refused by name', async (source, content, message) => {
  const { path, remove } = await temporaryFolder()
  await writeFile(
    join(path, 'spin.toml'),
    `spin_manifest_version = 2\n[application]\nname = "a"\n[[trigger.http]]\nroute = "/..."\ncomponent = "x"\n[component.x]\nsource = "${source}"\n`,
  )
  if (content !== undefined) await writeFile(join(path, source), content, 'latin1')
  const error = await startHost({ manifest: path, listen: '127.0.0.1:0' }).catch((e: unknown) => e)
  expect(error).toBeInstanceOf(PrepareError)
  expect(String(error)).toMatch(message)
  await remove()
})

test('close lets a request come to its end and then refuses new ones', async () => {
  const brief = await startFixture({ drainMs: 2000 })
  const events = await fetch(`${brief.url}/events`)
  const text = events.text()
  await brief.close()
  expect(await text).toContain('data: 2')
  await expect(fetch(`${brief.url}/state`)).rejects.toThrow()
})
