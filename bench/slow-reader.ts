// A gigabyte through two chained components to a client that reads 10 MB a second; takes 100 s.
// Run: node bench/slow-reader.ts [--megabytes 1024] [--rate 10]
import { parseArgs } from 'node:util'
import { loadApplication } from 'ftl/application'
import { buildComponents } from 'ftl/build'
import { MEGABYTE, readSlowly, startChain } from '../test/host/slow-reader.ts'
import { MANIFESTS } from '../test/support/manifests.ts'
import { CACHE_DIR } from './application.ts'
import { Report } from './report.ts'

const { values } = parseArgs({
  options: {
    megabytes: { type: 'string', default: '1024' },
    rate: { type: 'string', default: '10' },
  },
})
const written = Number(values.megabytes) * MEGABYTE
const rate = Number(values.rate) * MEGABYTE

await buildComponents((await loadApplication(MANIFESTS.hostile)).targets, {
  cacheFolder: CACHE_DIR,
})
const host = await startChain()
const table = new Report().table(
  `${values.megabytes} MB through two components, read at ${values.rate} MB/s`,
  ...['   MB/s', 'seconds', 'RSS MiB', 'peak RSS', 'when'],
)
const row = async (when: string, read?: { bytes: number; milliseconds: number }) => {
  const { rss, peakRss } = await host.figures()
  const seconds = (read?.milliseconds ?? 0) / 1000
  const speed = read ? (read.bytes / MEGABYTE / seconds).toFixed(1) : ''
  table.row(speed, seconds.toFixed(1), mebibytes(rss), mebibytes(peakRss), when)
}
await row('before the first request')
await row('100 MB as fast as they come', await readSlowly(host.url, { written: 100 * MEGABYTE }))
await row('slowly', await readSlowly(host.url, { written, rate }))
await host.close()

function mebibytes(bytes: number): string {
  return (bytes / MEGABYTE).toFixed(0)
}
