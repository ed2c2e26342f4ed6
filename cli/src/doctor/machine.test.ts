import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { occupyPort } from '../serve/testing/occupied-port.ts'
import { checkPort, checkWritable } from './machine.ts'

test('a port that is taken is a warning, which names the process where the system tells', async () => {
  const { port, free } = await occupyPort()
  const look = (served: number[] = []) =>
    checkPort({ port, what: 'gateway', flag: '--listen', served })
  try {
    const { level, message, remedy } = await look()
    expect(level).toBe('warning')
    if (process.platform === 'linux') expect(message).toContain(`(process ${process.pid})`)
    expect(remedy).toContain('--listen')
    expect(await look([port + 1])).toMatchObject({ level: 'warning' })
    expect(await look([port])).toMatchObject({ level: 'ok' })
  } finally {
    await free()
  }
  expect(await look()).toMatchObject({ level: 'ok' })
})

test('a folder that is not there yet is looked for above', () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'ftl-doctor-')), 'a', 'b')
  expect(checkWritable('state', folder)).toMatchObject({ level: 'ok' })
  if (process.platform === 'linux') {
    const { level, message } = checkWritable('state', '/proc/nowhere/state')
    expect([level, message]).toEqual(['problem', '/proc cannot be written'])
  }
})
