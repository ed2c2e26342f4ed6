/** `npm start` on ports and with a state of its own, for the tests of a file. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { freePort, ftl, type RunningCommand } from '../support/command.ts'

type Ports = Record<'gateway' | 'bridge' | 'comfyui', number>

export interface StartCommand {
  readonly ports: Ports
  /** With the ports and the state of this file. It is ended after the test. */
  start(...args: string[]): RunningCommand
}

export function useStart(): StartCommand {
  let stateDir: string
  let ports: Ports
  const running: RunningCommand[] = []
  beforeAll(async () => {
    stateDir = await mkdtemp(join(tmpdir(), 'ftl-start-'))
    ports = { gateway: await freePort(), bridge: await freePort(), comfyui: await freePort() }
  })
  // A test that fails must not leave the ports to the next one.
  afterEach(async () => {
    for (const command of running.splice(0)) {
      command.signal('SIGINT')
      const late = setTimeout(() => command.signal('SIGKILL'), 5000)
      await command.exited
      clearTimeout(late)
    }
  })
  afterAll(async () => {
    await rm(stateDir, { recursive: true, force: true })
  })
  return {
    get ports() {
      return ports
    },
    start(...args) {
      const command = ftl([
        'start',
        ...['--listen', `127.0.0.1:${ports.gateway}`, '--state-dir', stateDir],
        ...['--bridge-port', String(ports.bridge), '--comfyui-port', String(ports.comfyui)],
        ...['--render-seconds', '1', ...args],
      ])
      running.push(command)
      return command
    },
  }
}

export async function connects(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/`).then(
    () => true,
    () => false,
  )
}
