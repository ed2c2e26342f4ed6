// A host in its own process, which reports the resources that the process uses. Started by measured-host.ts.
import { readdirSync, readFileSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import type { HostOptions } from 'ftl-host'
import type { Figures } from './measured-host.ts'

// As the command does: stripping the types takes 30 MB otherwise.
enableCompileCache()
const { startHost } = await import('ftl-host')

const lost = { workers: 0, failed: 0, repeated: 0 }
const problems: string[] = []
const options = JSON.parse(process.argv[2] ?? '{}') as HostOptions
const source = process.argv[3]
const host = await startHost({
  listen: '127.0.0.1:0',
  env: {},
  ...options,
  ...(source !== undefined && { nativeGateway: readFileSync(source, 'utf8') }),
  onError: ({ component, message }) => problems.push(`${component}: ${message}`),
  onWorkerLost: ({ failed, repeated }) => {
    lost.workers++
    lost.failed += failed
    lost.repeated += repeated
  },
})

/** Number of entries in a system folder; 0 if it cannot be read. */
function count(folder: string): number {
  try {
    return readdirSync(folder).length
  } catch {
    return 0
  }
}

function figures(): Figures {
  void globalThis.gc?.()
  const resources: Record<string, number> = {}
  for (const name of process.getActiveResourcesInfo()) resources[name] = (resources[name] ?? 0) + 1
  const { rss, heapUsed, arrayBuffers } = process.memoryUsage()
  return {
    rss,
    heapUsed,
    arrayBuffers,
    resources,
    lost,
    peakRss: process.resourceUsage().maxRSS * 1024,
    files: count('/proc/self/fd'),
    threads: count('/proc/self/task'),
    problems: problems.splice(0),
  }
}

process.on('message', () => process.send?.(figures()))
process.on('disconnect', () => void host.close().then(() => process.exit()))
process.send?.({ url: host.url })
