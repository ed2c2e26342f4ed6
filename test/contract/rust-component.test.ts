// Components in Rust, built by cargo and held to the same contract on the same host.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { stat } from 'node:fs/promises'
import { expectComponent, hostFile, type Running } from 'ftl/contract-test'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildRust, cargo, rustMissing } from '../support/rust-components.ts'

const missing = await rustMissing()
if (missing) test.skip(`components in Rust: ${missing}`)

describe.skipIf(missing)('a component in Rust', () => {
  let wasm: (name: string) => string
  beforeAll(async () => {
    wasm = await buildRust()
  }, 600_000)

  test('keeps the contract, made with #[tool]', async () => {
    const { verdicts, failed } = await expectComponent(wasm('greet'))
    expect(failed).toBe(0)
    const tried = verdicts.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id)
    for (const id of ['call.misfit', 'call.structured', 'lines.grammar', 'robust.concurrency']) {
      expect(tried).toContain(id)
    }
  })

  test('keeps the contract, made by hand', async () => {
    expect((await expectComponent(wasm('by-hand'))).failed).toBe(0)
  })

  test('is small', async () => {
    expect((await stat(wasm('greet'))).size).toBeLessThan(300_000)
  })

  describe('that waits for somebody else', () => {
    let running: Running
    const server = createServer((request, response) => {
      if (request.url !== '/late') response.end(`read ${request.url}`)
    })
    let address = ''
    beforeAll(async () => {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      running = await hostFile(wasm('fetch'), { env: {} })
    })
    afterAll(async () => {
      await running?.close()
      server.closeAllConnections()
      server.close()
    })

    const read = async (path: string, deadline: number) => {
      const response = await fetch(`${running.url}/read`, {
        method: 'POST',
        headers: { 'ftl-deadline': String(deadline) },
        body: JSON.stringify({ url: `${address}${path}` }),
      })
      return (await response.json()) as { content: { text: string }[]; isError?: boolean }
    }

    test('gets what it waits for', async () => {
      expect(await read('/page', 5000)).toEqual({ content: [{ type: 'text', text: 'read /page' }] })
    })

    test('gives up at the deadline of its call', async () => {
      const { isError, content } = await read('/late', 400)
      expect([isError, content[0]?.text]).toEqual([true, 'The page did not come in time.'])
    })
  })

  test('passes its own tests, the linter and the formatter', async () => {
    await cargo('fmt', '--check')
    await cargo('clippy', '--locked', '--all-targets', '--', '-D', 'warnings')
    expect(await cargo('test', '--locked')).toMatch(/test result: ok/)
  }, 600_000)
})
