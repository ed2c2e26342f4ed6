// Signals to a real process that holds a bridge.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { descendants, processes } from '../../test/support/processes.ts'

const local = fileURLToPath(new URL('./local.ts', import.meta.url))

/** Starts a process with a bridge; `before` runs before it is started, `code` once it is there. */
async function start(
  code: string,
  before = '',
): Promise<{ child: ChildProcess; said: () => string }> {
  const script = `
    const { startBridge } = await import(${JSON.stringify(local)})
    ${before}
    const bridge = await startBridge({ gatewayUrl: 'http://127.0.0.1:9', port: 0 })
    ${code}
    console.log('ready')`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script])
  let output = ''
  child.stdout.on('data', (data) => (output += String(data)))
  await expect.poll(() => output, { timeout: 10_000 }).toContain('ready')
  return { child, said: () => output }
}

async function workerdOf(child: ChildProcess): Promise<number> {
  const [mine] = (await descendants(child.pid ?? 0)).filter(({ name }) => name === 'workerd')
  return mine?.pid ?? 0
}

const isRunning = async (pid: number) => (await processes()).some((other) => other.pid === pid)

describe('a signal', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'ends the process, and workerd with it: %s',
    async (signal) => {
      const { child } = await start('')
      const workerd = await workerdOf(child)
      expect(await isRunning(workerd)).toBe(true)
      child.kill(signal)
      await once(child, 'exit')
      await expect.poll(() => isRunning(workerd)).toBe(false)
    },
  )

  it.each(['before', 'after'])(
    'leaves it to a program that listened %s to close things in its own order',
    async (when) => {
      const listen = `
        process.once('SIGTERM', async () => {
          await new Promise((resolve) => setTimeout(resolve, 300))
          console.log('others closed')
          await bridge.close()
          console.log('bridge closed')
        })`
      const { child, said } = when === 'before' ? await start('', listen) : await start(listen)
      const workerd = await workerdOf(child)
      child.kill('SIGTERM')
      expect(await once(child, 'exit')).toEqual([0, null])
      expect(said()).toBe('ready\nothers closed\nbridge closed\n')
      expect(await isRunning(workerd)).toBe(false)
    },
  )
})
