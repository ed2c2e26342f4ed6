import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { findRunning, howToStart } from './find.ts'
import { writeRecord } from './record.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ftl-find-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it('an application that nothing serves has no address: what a usual port has may be another one', async () => {
  writeFileSync(join(folder, 'spin.toml'), '')
  expect(await findRunning(folder)).toEqual({ application: folder })
  expect(howToStart({ application: folder })).toMatch(/not running\. .*npx ftl dev\n.*--url http/)
})

it('a folder without an application has none either', async () => {
  expect(await findRunning(folder)).toEqual({})
  expect(howToStart({})).toMatch(/not part of an application\. .*--url http/)
})

it('an application that is served has the address that its record names, while it answers', async () => {
  writeFileSync(join(folder, 'spin.toml'), '')
  const server = createServer((_, response) => response.end('OK'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const remove = writeRecord(folder, origin)
  expect(await findRunning(folder)).toEqual({ url: `${origin}/mcp`, application: folder })
  await new Promise((resolve) => server.close(resolve))
  expect(await findRunning(folder)).toEqual({ application: folder })
  remove()
})

it('a server that is too busy to answer in time is served all the same', async () => {
  writeFileSync(join(folder, 'spin.toml'), '')
  const server = createServer(() => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const remove = writeRecord(folder, origin)
  expect(await findRunning(folder, 20)).toEqual({ url: `${origin}/mcp`, application: folder })
  remove()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})
