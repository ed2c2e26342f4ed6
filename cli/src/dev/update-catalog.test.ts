import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { updateCatalog } from './update-catalog.ts'

it('the components are queried twice, because a request of the previous build may store its answer in between', async () => {
  const paths: (string | undefined)[] = []
  const server = createServer(({ url }, response) => {
    paths.push(url)
    response.setHeader('content-type', 'application/json').end('{"components":[]}')
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await updateCatalog(`http://127.0.0.1:${port}`, 1)
  server.close()
  expect(paths).toEqual(['/health/components', '/health/components'])
})

it('an application that does not answer is no failure', async () => {
  await updateCatalog('http://127.0.0.1:9')
})
