// Code that escaped from a guest and from its thread's restrictions still has only the permissions of the process.
// support/probes/escaped.ts simulates such code, and says how.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type LogEntry, MissingVariablesError, PrepareError, startHostProcess } from 'ftl-host'
import { expect } from 'vitest'
import { ftl } from '../support/command.ts'
import { descendants } from '../support/processes.ts'
import { writeApplication } from './support/application.ts'
import { attack } from './support/attack.ts'
import { guestThat } from './support/wat.ts'

const probe = (name: string) => new URL(`./support/probes/${name}.ts`, import.meta.url).href
const DENIED = /^ERR_ACCESS_DENIED/

async function report(folder: string): Promise<Record<string, string>> {
  const file = join(folder, 'state', 'escaped.json')
  let text = ''
  await expect
    .poll(async () => (text = await readFile(file, 'utf8').catch(() => '')), { timeout: 15_000 })
    .toMatch(/\}$/)
  return JSON.parse(text) as Record<string, string>
}

async function start(wasm: Uint8Array, name: string, toml = '') {
  const application = await writeApplication({ good: { wasm } }, toml)
  const logs: LogEntry[] = []
  const ended: string[] = []
  const { manifest, folder, remove } = application
  const host = await startHostProcess({
    manifest,
    listen: '127.0.0.1:0',
    env: {},
    stateDir: join(folder, 'state'),
    drainMs: 200,
    workers: 1,
    maxBlockingMs: 500,
    workerImports: [probe(name)],
    onLog: (entry) => logs.push(entry),
    onEnded: ({ message }) => ended.push(message),
  }).catch(async (error: unknown) => {
    await remove()
    throw error
  })
  return { ...application, host, logs, ended }
}

attack('use functions of Node after an escape from WebAssembly and from the thread', async () => {
  process.env['FTL_TEST_SECRET'] = 'of the process'
  const { host, folder, remove } = await start(await guestThat(''), 'escaped')
  try {
    const found = await report(folder)
    for (const name of ['read /etc/passwd', 'list the home', 'write outside', 'spawn']) {
      expect([name, found[name]]).toEqual([name, expect.stringMatching(DENIED)])
    }
    expect(found['load an addon']).toMatch(/^ERR_DLOPEN_DISABLED|^ERR_ACCESS_DENIED/)
    expect((await fetch(`${host.url}/good/`)).status).toBe(200)
    const [child] = await ofHost(process.pid)
    const environment = await readFile(`/proc/${child}/environ`, 'utf8')
    expect(environment).toContain('TMPDIR=')
    expect(environment).not.toContain('FTL_TEST_SECRET')
    // It continues to work after it reloads the application.
    await host.reload()
    expect((await fetch(`${host.url}/good/`)).status).toBe(200)
  } finally {
    delete process.env['FTL_TEST_SECRET']
    await host.close()
    await remove()
    await rm('/tmp/ftl-escaped', { force: true })
  }
  return 'ERR_ACCESS_DENIED for files, folders, programs and addons; no inherited environment'
})

attack('keep a thread in code that cannot be ended, while the host has to close', async () => {
  const { host, folder, remove, ended } = await start(await guestThat(''), 'misbehave')
  await writeFile(join(folder, 'state', 'misbehave-1'), '300000000')
  await expect
    .poll(() => readFile(join(folder, 'state', 'misbehave-1'), 'utf8').catch(() => 'taken'), {
      timeout: 10_000,
    })
    .toBe('taken')
  // Without killing the process, this would take as long as the code: days.
  await host.close()
  expect(ended).toEqual([])
  await expect(fetch(`${host.url}/good/`)).rejects.toThrow(TypeError)
  await remove()
  return 'the process was killed after it had freed everything else'
})

attack('make the process end', async () => {
  const { host, ended, remove } = await start(await guestThat(''), 'escaped')
  const [child] = await ofHost(process.pid)
  process.kill(child ?? 0, 'SIGKILL')
  await expect.poll(() => ended).toEqual([expect.stringContaining('has ended (SIGKILL)')])
  await host.close()
  await remove()
  return 'the program that started it is told once'
})

attack('start with a broken component, or without a variable', async () => {
  await expect(start(new Uint8Array([0, 1, 2]), 'escaped')).rejects.toThrow(PrepareError)
  const missing = start(await guestThat(''), 'escaped', '[variables]\nx = { required = true }\n')
  await expect(missing).rejects.toThrow(MissingVariablesError)
  expect(await ofHost(process.pid)).toEqual([])
  return 'the same errors as in one process, and no process is left'
})

attack('run in what `ftl up` starts', async () => {
  const { folder, remove } = await writeApplication({ good: { wasm: await guestThat('') } })
  await mkdir(join(folder, 'state'), { mode: 0o700 })
  const command = ftl([
    ...['up', '--from', folder, '--listen', '127.0.0.1:0'],
    ...['--state-dir', join(folder, 'state')],
  ])
  try {
    await command.printed('Available Routes:')
    const hosts = await ofHost(command.pid)
    expect(hosts).toHaveLength(1)
    const flags = (await readFile(`/proc/${hosts[0]}/cmdline`, 'utf8')).split('\0')
    expect(flags).toContain('--permission')
    expect(flags.filter((flag) => /allow-(child|addons|wasi)/.test(flag))).toEqual([])
    process.kill(hosts[0] ?? 0, 'SIGKILL')
    expect(await command.exited).toBe(1)
    expect(command.output()).toContain('ftl: the process that runs the components has ended')
  } finally {
    command.signal('SIGKILL')
    await command.exited
    await remove()
  }
  return 'the flags are there, and the command ends with the process'
})

/** Processes below `pid` that run guests. */
async function ofHost(pid: number): Promise<number[]> {
  const found: number[] = []
  for (const { pid: child } of await descendants(pid)) {
    const command = await readFile(`/proc/${child}/cmdline`, 'utf8').catch(() => '')
    if (/\/process\/entry\.[jt]s/.test(command)) found.push(child)
  }
  return found
}
