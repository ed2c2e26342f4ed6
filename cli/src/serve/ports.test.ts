import { expect, test } from 'vitest'
import { findFreePort } from './ports.ts'
import { occupyPort } from './testing/occupied-port.ts'

test('the wanted port when it is free, else one of the next', async () => {
  const { port, free } = await occupyPort()
  try {
    const next = `127.0.0.1:${port + 1}`
    expect(await findFreePort(`127.0.0.1:${port}`)).toBe(next)
    expect(await findFreePort(next)).toBe(next)
  } finally {
    await free()
  }
})

test('an address that is not of this machine is an error and not a search', async () => {
  await expect(findFreePort('192.0.2.1:3000')).rejects.toThrow('EADDRNOTAVAIL')
})
