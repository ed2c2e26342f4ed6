/** A real Valkey or Redis, which several hosts share. */
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '@redis/client'
import { freePort } from '../support/command.ts'
import { findProgram } from './programs.ts'

/** The programs that these tests run with, each if it is there or can be installed; `title` says so if not. */
export const STORES = ['valkey-server', 'redis-server'].map((name) => {
  const program = findProgram([name], [name])
  return { title: program === undefined ? `${name} (not on this machine)` : name, program }
})

const [first] = STORES.filter(({ program }) => program !== undefined)

/** Why tests are skipped that run with one of the two; part of their name. */
export const noStore = first ? '' : ' (neither valkey-server nor redis-server on this machine)'

export interface Store {
  /** `valkey-server` or `redis-server` */
  name: string
  port: number
  url: string
  /** Of the process that runs now. */
  pid(): number
  /** Runs one command on a connection of its own. */
  command(...args: string[]): Promise<unknown>
  /** How often each command was run. */
  calls(): Promise<Record<string, number>>
  /** Ends it as a crash does. */
  kill(): Promise<void>
  start(): Promise<void>
  /** Stands still until the returned function is called. */
  freeze(): () => void
  close(): Promise<void>
}

export interface StoreOptions {
  /** One of {@link STORES}. @default the first one there is */
  program?: string | undefined
  /** Writes each change to the disk before it answers (AOF). @default false */
  durable?: boolean
  password?: string
}

export async function startStore(options: StoreOptions = {}): Promise<Store> {
  const { program = first?.program, durable = false, password } = options
  if (program === undefined) throw new Error(`no store${noStore}`)
  const [port, folder] = [await freePort(), await mkdtemp(join(tmpdir(), 'ftl-store-'))]
  const args = [
    ...[
      '--port',
      `${port}`,
      '--bind',
      '127.0.0.1',
      '--dir',
      folder,
      '--save',
      '',
      '--repl-diskless-sync-delay',
      '0',
    ],
    ...(durable ? ['--appendonly', 'yes', '--appendfsync', 'always'] : []),
    ...(password === undefined ? [] : ['--requirepass', password]),
  ]
  const url = `redis://${password === undefined ? '' : `:${password}@`}127.0.0.1:${port}`
  let child: ReturnType<typeof spawn> | undefined
  const start = async () => {
    child = spawn(program, args, { stdio: 'ignore' })
    while (!(await isListening(port))) await sleep(20)
  }
  const kill = async () => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child?.on('close', resolve))
    child.kill('SIGKILL')
    await ended
  }
  const command = async (...words: string[]) => {
    const client = createClient({ url, RESP: 2 })
    client.on('error', () => {})
    await client.connect()
    return client.sendCommand(words).finally(() => client.destroy())
  }
  await start()
  return {
    name: basename(program),
    port,
    url,
    pid: () => child?.pid ?? 0,
    command,
    async calls() {
      const text = (await command('INFO', 'commandstats')) as unknown as string
      const rows = [...text.matchAll(/^cmdstat_(\w+):calls=(\d+)/gm)]
      return Object.fromEntries(rows.map(([, name, calls]) => [name ?? '', Number(calls)]))
    },
    kill,
    start,
    freeze() {
      child?.kill('SIGSTOP')
      return () => void child?.kill('SIGCONT')
    },
    async close() {
      await kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(port, '127.0.0.1')
    socket.once('error', () => resolve(false))
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
  })
}
