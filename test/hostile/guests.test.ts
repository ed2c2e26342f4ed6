// The hostile suite's own tools: without this, an attack could fail because its component never worked.
import { expect, test } from 'vitest'
import { startHostile } from './support/application.ts'
import { RawClient } from './support/raw-client.ts'
import { guestThat } from './support/wat.ts'

test('a component written as text serves requests, and a raw client reads the answer', async () => {
  const host = await startHostile({ plain: { wasm: await guestThat('') } })
  try {
    expect((await fetch(`${host.url}/plain/`)).status).toBe(200)
    const client = new RawClient(host.port).send('GET /plain/ HTTP/1.1', 'Host: a', '', '')
    expect(await client.status()).toBe(200)
    client.destroy()
  } finally {
    await host.close()
  }
})
