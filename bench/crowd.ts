// How long a call of `echo` takes beside 80 callers of what keeps a thread. Run on a quiet machine:
//   node bench/crowd.ts [--seconds 20] [--callers 80] [--sandboxed] [loops] [programs] [computes] [bursts]
import { parseArgs } from 'node:util'
import { buildComponents } from 'ftl/build'
import { loadApplication } from 'ftl/application'
import { nativeGateway } from '../cli/src/build/native-gateway.ts'
import { CACHE_DIR } from '../test/host/fixture.ts'
import { MANIFESTS } from '../test/support/manifests.ts'
import { besideCrowd, CROWDS, startCrowdedHost, summary } from '../test/hostile/crowd/crowd.ts'

const { values, positionals } = parseArgs({
  options: {
    seconds: { type: 'string', default: '20' },
    callers: { type: 'string', default: '80' },
    sandboxed: { type: 'boolean', default: false },
  },
  allowPositionals: true,
})
await buildComponents((await loadApplication(MANIFESTS.crowd)).targets, { cacheFolder: CACHE_DIR })
const native = values.sandboxed ? undefined : (await nativeGateway()).code
for (const name of positionals.length > 0 ? positionals : Object.keys(CROWDS)) {
  const host = await startCrowdedHost(native)
  const options = { seconds: 2, perSecond: 20, headStartMs: 0 }
  // What every call needs is compiled by then.
  await besideCrowd(host.url, { ...options, callers: 0, calls: [] })
  const fared = await besideCrowd(host.url, {
    ...options,
    callers: Number(values.callers),
    calls: CROWDS[name] ?? [],
    headStartMs: 1000,
    seconds: Number(values.seconds),
  })
  const seconds: number[] = []
  for (const [nth, ms] of fared.times.entries()) {
    const second = Math.floor(nth / 20)
    seconds[second] = Math.round(Math.max(seconds[second] ?? 0, ms))
  }
  console.log(`  longest of each second: ${seconds.join(' ')}`)
  const { lost, problems, threads } = await host.figures()
  console.log(`${name}: ${summary(fared)}; ${lost.workers} workers lost, ${threads} threads`)
  for (const line of new Set([...fared.failed, ...problems].slice(0, 400))) console.log(`  ${line}`)
  await host.close()
}
