import { createServer, type Server } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { findFreePort } from './ports.ts'

const servers: Server[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve))
})

async function occupy(port: number): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  servers.push(server)
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}

test('the wanted port when it is free, else one of the next', async () => {
  const port = await occupy(0)
  const found = await findFreePort(`127.0.0.1:${port}`)
  const chosen = Number(found.replace('127.0.0.1:', ''))
  expect(chosen).toBeGreaterThan(port)
  expect(chosen).toBeLessThan(port + 10)
  expect(await findFreePort(`127.0.0.1:${chosen}`)).toBe(`127.0.0.1:${chosen}`)
})

test('an address that is not of this machine is an error and not a search', async () => {
  await expect(findFreePort('192.0.2.1:3000')).rejects.toThrow('EADDRNOTAVAIL')
})
