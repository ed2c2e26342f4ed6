import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MeasuredHost } from '../support/measured-host.ts'
import { MEGABYTE, readSlowly, startChain } from './slow-reader.ts'

let host: MeasuredHost
beforeAll(async () => {
  // Prepares the components, which takes memory that is not measured here.
  await (await startChain()).close()
  host = await startChain()
})
afterAll(() => host.close())

// Meanwhile the guest could write all of it; node bench/slow-reader.ts reads all of it, too.
const WRITTEN = 1024 * MEGABYTE

test('what a slow reader has not read yet is not kept', { timeout: 60_000 }, async () => {
  const quick = await readSlowly(host.url, { written: 100 * MEGABYTE })
  // Otherwise what follows shows nothing: a buffer without an end would fill faster than it is read.
  expect(quick.bytes / quick.milliseconds).toBeGreaterThan((15 * MEGABYTE) / 1000)
  const before = await host.figures()

  const slow = await readSlowly(host.url, {
    written: WRITTEN,
    read: 60 * MEGABYTE,
    rate: 10 * MEGABYTE,
  })
  expect(slow.milliseconds).toBeGreaterThan(5500)
  const { peakRss } = await host.figures()
  expect(peakRss - before.peakRss).toBeLessThan(64 * MEGABYTE)
  // Of the process with everything in it, compilers at work on what has just begun to run included.
  expect(peakRss).toBeLessThan(350 * MEGABYTE)
})
