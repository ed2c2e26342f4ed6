import { spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { lockStateDir, StateDirInUseError } from './state-lock.ts'

const folder = () => mkdtempSync(join(tmpdir(), 'ftl-lock-'))
const refusal = (stateDir: string) => {
  try {
    lockStateDir(stateDir).release()
    return undefined
  } catch (error) {
    return error
  }
}

test('a second host on a folder is told the folder and the process of the first', () => {
  const stateDir = folder()
  const lock = lockStateDir(stateDir)
  const error = refusal(stateDir)
  expect(error).toBeInstanceOf(StateDirInUseError)
  expect(error).toMatchObject({ stateDir, pid: process.pid })
  expect(String(error)).toContain(`${stateDir} is in use`)
  lock.release()
  lock.release()
  expect(refusal(stateDir)).toBeUndefined()
})

test('the lock is gone with a process that is killed', async () => {
  const stateDir = folder()
  const module = new URL('./state-lock.ts', import.meta.url).href
  const script = `
    const { lockStateDir } = await import(${JSON.stringify(module)})
    lockStateDir(${JSON.stringify(stateDir)})
    console.log('locked')
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script])
  const ended = new Promise((resolve) => child.on('close', resolve))
  await new Promise((resolve) => child.stdout.once('data', resolve))
  expect(refusal(stateDir)).toMatchObject({ name: 'StateDirInUseError', pid: child.pid })
  child.kill('SIGKILL')
  await ended
  expect(refusal(stateDir)).toBeUndefined()
})
