// How long a call of `echo` takes beside a crowd. Run: node test/hostile/crowd/run.ts [--seconds 20] [crowd ...]
import { parseArgs } from 'node:util'
import { buildComponents } from 'ftl/build'
import { loadApplication } from 'ftl/application'
import { CACHE_DIR } from '../../host/fixture.ts'
import { MANIFESTS } from '../../support/manifests.ts'
import { besideCrowd, CROWDS, startCrowdedHost, summary } from './crowd.ts'

const { values, positionals } = parseArgs({
  options: {
    seconds: { type: 'string', default: '20' },
    callers: { type: 'string', default: '80' },
  },
  allowPositionals: true,
})
await buildComponents((await loadApplication(MANIFESTS.crowd)).targets, { cacheFolder: CACHE_DIR })
for (const name of positionals.length > 0 ? positionals : Object.keys(CROWDS)) {
  const host = await startCrowdedHost()
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
