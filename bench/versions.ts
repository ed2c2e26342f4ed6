// This build against another one, in turns: each in processes of its own, on the same bench/fixtures.
// Run: node bench/versions.ts FOLDER [--rounds 5] [--seconds 2] [--starts 2] [--workers N] [--only 'bare chain'] [--connections 1,4] [--sandboxed | --spin PROGRAM] (FOLDER: a checkout with its packages installed)
//      node bench/versions.ts FOLDER --remote: a tool of an MCP server elsewhere, which both have behind `remote`
//      node bench/versions.ts . --other-sandboxed: this build with its gateway in a sandbox, and with it beside the components
// Compare rows of one run; machines differ and are shared.
import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { inTurns, type Loaded, SHOTS, type Subject } from './load.ts'
import { freePort } from '../test/support/command.ts'
import { startSpin, warmUp } from '../test/on-spin/spin.ts'
import { answerOf } from './peers/answer.ts'
import { temporaryFolder } from './peers/children.ts'
import { startEchoServers } from './peers/echo-servers.ts'
import { echoIn } from './peers/parse.ts'
import { manifestOf as remoteManifest, remote } from './peers/servers/ours.ts'
import { Report } from './report.ts'
import { CLIENTS, createSender, type Shot } from './sender.ts'
import { median, milliseconds } from './statistics.ts'

const HERE = fileURLToPath(new URL('..', import.meta.url))
const REQUESTS: Readonly<Record<string, Shot>> = {
  'bare chain': SHOTS.bare,
  'tools/call': SHOTS.gateway,
  'tools/list': CLIENTS.plain('tools/list', {}),
  ping: CLIENTS.plain('ping', {}),
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    starts: { type: 'string', default: '2' },
    workers: { type: 'string' },
    only: { type: 'string' },
    connections: { type: 'string' },
    sandboxed: { type: 'boolean', default: false },
    'other-sandboxed': { type: 'boolean', default: false },
    remote: { type: 'boolean', default: false },
    spin: { type: 'string' },
  },
})
const [other] = positionals
const CONNECTIONS = values.connections?.split(',').map(Number) ?? [1, 4, 16]
const REMOTE = 'tools/call behind remote'
const NAMES = values.remote
  ? [REMOTE]
  : Object.keys(REQUESTS).filter((name) => (values.only ?? name) === name)
const hasRemoteOnSpin = values.remote && values.spin !== undefined
if (other === undefined || NAMES.length === 0 || hasRemoteOnSpin) {
  console.error(
    other === undefined
      ? 'name the folder of the other checkout: node bench/versions.ts FOLDER'
      : hasRemoteOnSpin
        ? '--remote is measured on our host: leave out --spin'
        : `--only: there is no ${values.only}, only ${Object.keys(REQUESTS).join(', ')}`,
  )
  process.exit(1)
}

interface Version {
  url: string
  /** What it gets in the place of {@link REQUESTS}. */
  shot?: Shot
  /** @default not known, as of Spin */
  cpu?: () => Promise<number>
  close: () => Promise<void>
}

const servers = values.remote ? await startEchoServers(1) : undefined
const { folder, remove } = await temporaryFolder()

async function manifestOf(root: string, which: number): Promise<string> {
  if (!servers) return join(root, 'bench/fixtures/spin.toml')
  const manifest = join(folder, String(which), 'spin.toml')
  await mkdir(dirname(manifest), { recursive: true })
  await writeFile(manifest, remoteManifest([remote(servers.urls)], join(root, 'dist')))
  return manifest
}

/** @param which of {@link roots}. A build from before the native gateway ignores the second argument of its host. */
async function start(root: string, which: number): Promise<Version> {
  if (values.spin !== undefined) {
    const manifest = join(root, 'bench/fixtures/spin.toml')
    const spin = await startSpin({ spin: values.spin, manifest, port: await freePort() })
    await warmUp(spin.url)
    return spin
  }
  const options = {
    manifest: await manifestOf(root, which),
    cacheDir: join(root, 'bench/fixtures/.ftl/cache'),
    ...(values.workers !== undefined && { workers: Number(values.workers) }),
  }
  const child = fork(join(root, 'bench/host-process.ts'), [
    JSON.stringify(options),
    ...(values.sandboxed || (which === 0 && values['other-sandboxed']) ? [] : ['native']),
  ])
  const [{ url }] = (await once(child, 'message')) as [{ url: string }]
  // The gateway learns of its tools.
  const sender = createSender(url)
  const list = await sender.send(CLIENTS.plain('tools/list', {}))
  sender.close()
  const { tools = [] } = answerOf(list, 'application/json', 1).result ?? {}
  const name = servers && echoIn(tools.map((tool) => tool.name))
  if (servers && name === undefined)
    throw new Error(`${root}: the tool behind remote is not listed`)
  return {
    url,
    ...(name !== undefined && {
      shot: CLIENTS.plain('tools/call', { name, arguments: { message: 'Hello' } }),
    }),
    async cpu() {
      child.send('cpu')
      const [{ cpu }] = (await once(child, 'message')) as [{ cpu: NodeJS.CpuUsage }]
      return (cpu.user + cpu.system) / 1000
    },
    async close() {
      child.disconnect()
      await once(child, 'exit')
    },
  }
}

const roots = [resolve(other), HERE]
for (const root of roots) {
  execFileSync(
    process.execPath,
    [join(root, 'cli/bin/ftl.mjs'), 'build', ...(servers ? [] : ['--from', 'bench/fixtures'])],
    {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  )
}

const table = new Report().table(
  'This build (second of each pair) against the other',
  ...[
    'connections',
    'requests/s',
    '   p50 ms',
    '   p99 ms',
    'cpu ms',
    'calls',
    '  p50',
    '  cpu',
    'what',
  ],
)
const all = new Map<string, Loaded[][]>()
for (let nth = 0; nth < Number(values.starts); nth++) {
  // Whichever started first has the warmer machine: each start has another order.
  const versions = nth % 2 === 0 ? [0, 1] : [1, 0]
  const running: Version[] = []
  for (const which of versions) running[which] = await start(roots[which] ?? '', which)
  for (const connections of CONNECTIONS) {
    for (const name of NAMES) {
      const shot = REQUESTS[name] ?? SHOTS.gateway
      const subjects = versions.map((which): Subject => ({
        name: String(which),
        url: running[which]?.url ?? '',
        cpu: running[which]?.cpu,
        shot: running[which]?.shot ?? shot,
      }))
      const load = { connections, seconds: Number(values.seconds), rounds: Number(values.rounds) }
      const loaded = await inTurns(subjects, load)
      const sorted = loaded.sort((a, b) => a.name.localeCompare(b.name))
      const key = `${connections} ${name}`
      all.set(key, [...(all.get(key) ?? []), sorted])
    }
  }
  for (const version of running) await version.close()
}
await servers?.stop()
await remove()

for (const [key, pairs] of all) {
  const [connections = '', ...name] = key.split(' ')
  const of = (which: number, value: keyof Omit<Loaded, 'name'>) =>
    median(pairs.map((pair) => pair[which]?.[value] ?? Number.NaN))
  const ratio = (value: keyof Omit<Loaded, 'name'>) =>
    median(pairs.map(([old, own]) => (own?.[value] ?? 0) / (old?.[value] ?? 1))).toFixed(3)
  for (const which of [0, 1]) {
    table.row(
      connections,
      of(which, 'perSecond').toFixed(0),
      milliseconds(of(which, 'p50')),
      milliseconds(of(which, 'p99')),
      milliseconds(of(which, 'cpu')),
      ...(which === 0 ? ['', '', ''] : [ratio('perSecond'), ratio('p50'), ratio('cpu')]),
      `${name.join(' ')}, ${which === 0 ? 'the other' : 'this'}`,
    )
  }
}
