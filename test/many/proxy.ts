/** What distributes requests over the hosts: HAProxy where there is one, else the small proxy of this folder. */
import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../support/command.ts'
import { startNodeProxy } from './node-proxy.ts'
import { findProgram } from './programs.ts'

const haproxy = findProgram(['haproxy'], ['haproxy'])

export interface Proxy {
  /** `haproxy` or `node` */
  name: string
  url: string
  close(): Promise<void>
}

/** @param urls of the hosts. Requests go to them in turns; a host that does not answer is left out. */
export async function startProxy(urls: readonly string[]): Promise<Proxy> {
  if (haproxy === undefined) return { name: 'node', ...(await startNodeProxy(urls)) }
  const port = await freePort()
  const folder = await mkdtemp(join(tmpdir(), 'ftl-haproxy-'))
  const file = join(folder, 'haproxy.cfg')
  await writeFile(file, configuration(port, urls))
  const child = spawn(haproxy, ['-f', file, '-db'], { stdio: ['ignore', 'ignore', 'pipe'] })
  let output = ''
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const ended = new Promise((resolve) => child.on('close', resolve))
  const url = `http://127.0.0.1:${port}`
  const serves = () =>
    fetch(`${url}/.well-known/spin/health`)
      .then(({ ok }) => ok)
      .catch(() => false)
  while (!(await serves())) {
    if (child.exitCode !== null) throw new Error(`haproxy ended: ${output}`)
    await sleep(50)
  }
  return {
    name: 'haproxy',
    url,
    async close() {
      child.kill('SIGKILL')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** A request is sent to another host only if the first one could not be reached: it may have been processed otherwise. */
const configuration = (port: number, urls: readonly string[]) => `
defaults
  mode http
  timeout connect 2s
  timeout client 65s
  timeout server 65s
  timeout check 2s
  retries 3
  option redispatch 1
  retry-on conn-failure
listen hosts
  bind 127.0.0.1:${port}
  balance roundrobin
  option httpchk GET /.well-known/spin/health
  default-server check inter 200ms fall 1 rise 1
${urls.map((url, index) => `  server host${index} ${new URL(url).host}`).join('\n')}
`
