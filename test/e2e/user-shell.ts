// What somebody types in a folder that knows nothing of this repository, with the seconds each command takes.
import { execFile, spawn } from 'node:child_process'
import { promisify } from 'node:util'
import { expect } from 'vitest'

const run = promisify(execFile)

export interface Background {
  printed: () => string
  /** Settles when it was printed; fails when the command ends before. */
  says: (text: string | RegExp) => Promise<void>
  stop: () => Promise<void>
}

export class UserShell {
  readonly #stops: (() => Promise<void>)[] = []
  /** Seconds of all commands but those that go on. */
  seconds = 0

  /** @returns its standard output. */
  async run(command: string, args: string[], cwd: string): Promise<string> {
    const line = [command, ...args].join(' ')
    return await this.timed(line, async () => {
      const { stdout } = await run(command, args, { cwd, env: environment() })
      return stdout
    })
  }

  async timed<T>(step: string, work: () => Promise<T>): Promise<T> {
    const began = performance.now()
    try {
      return await work()
    } finally {
      const seconds = (performance.now() - began) / 1000
      this.seconds += seconds
      console.log(`${seconds.toFixed(1).padStart(6)} s  $ ${step}`)
    }
  }

  start(command: string, args: string[], cwd: string): Background {
    const child = spawn(command, args, {
      cwd,
      env: environment(),
      stdio: ['ignore', 'pipe', 'pipe'] as const,
      // npx, a shell and Node: one signal for all of them.
      detached: true,
    })
    let printed = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => (printed += chunk.toString()))
    }
    let running = true
    const exited = new Promise<void>((resolve) => child.on('close', () => resolve()))
    void exited.then(() => (running = false))
    const stop = async () => {
      if (running && child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
      await exited
    }
    this.#stops.push(stop)
    return {
      stop,
      printed: () => printed,
      says: async (text) => {
        const ended = exited.then(() => Promise.reject(new Error(`it ended:\n${printed}`)))
        ended.catch(() => {})
        await Promise.race([expect.poll(() => printed, { timeout: 90_000 }).toMatch(text), ended])
      },
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#stops.map((stop) => stop()))
  }
}

// npm tells the programs it starts where they are, and these tests are started by npm.
function environment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^npm_(?!config_)/i.test(name))
  return {
    ...Object.fromEntries(kept),
    NO_COLOR: '1',
    COMFYUI_URL: '',
    npm_config_prefer_offline: 'true',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
  }
}
