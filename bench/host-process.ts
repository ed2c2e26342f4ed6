// The host in a process of its own, so that the load generator does not share its thread. Started by serving.ts.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type HostOptions, startHost } from 'ftl-host'
import { countGuestCalls } from '../test/support/guest-calls.ts'

const options = JSON.parse(process.argv[2] ?? '{}') as HostOptions
const stateDir = await mkdtemp(join(tmpdir(), 'ftl-bench-'))
const counting = countGuestCalls()
const native = process.argv[3] === 'native' ? await nativeSources() : {}
const host = await startHost({ ...options, ...native, stateDir, listen: '127.0.0.1:0', env: {} })

process.on('message', (question) => {
  if (question === 'memory') process.send?.({ rss: process.memoryUsage.rss() })
  if (question === 'cpu') process.send?.({ cpu: process.cpuUsage() })
  if (question === 'calls') process.send?.({ calls: counting() })
})
/** As `ftl up` runs an application. */
async function nativeSources(): Promise<Partial<HostOptions>> {
  const { nativeGateway } = await import('../cli/src/build/native-gateway.ts')
  const { nativeRemote } = await import('../cli/src/build/native-remote.ts')
  const { workerProgram } = await import('../cli/src/build/worker-program.ts')
  const [gateway, remote] = await Promise.all([nativeGateway(), nativeRemote()])
  return {
    nativeGateway: gateway.code,
    nativeComponents: [remote.code],
    workerProgram: await workerProgram(),
  }
}

async function end(): Promise<void> {
  await host.close()
  await rm(stateDir, { recursive: true, force: true })
  process.exit()
}

process.on('disconnect', () => void end())
process.send?.({ url: host.url, readyMs: performance.now() })
