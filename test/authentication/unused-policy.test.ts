// A policy without authentication, in the application that is shipped: also with a list of tools from before.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { startHost } from 'ftl-host'
import { MANIFESTS } from '../support/manifests.ts'

test('a call is refused although its tool is in the store', async () => {
  const stateDir = await mkdtemp(join(tmpdir(), 'ftl-unused-policy-'))
  const serve = (variables: Record<string, string>) =>
    startHost({
      manifest: MANIFESTS.application,
      listen: '127.0.0.1:0',
      stateDir,
      cacheDir: join(dirname(MANIFESTS.application), '.ftl', 'cache'),
      env: {},
      workers: 1,
      variables: { tool_components: 'echo', ...variables },
    })
  const call = async (url: string) => {
    const response = await fetch(`${url}/invoke`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ tool: 'echo', params: { message: 'Hi' } }),
    })
    return { status: response.status, text: await response.text() }
  }
  const before = await serve({})
  expect(await call(before.url)).toMatchObject({ status: 200 })
  await before.close()
  for (const policy of ['signed-in', '{"rules":[{"effect":"deny","tools":["echo"]}]}', '{']) {
    const host = await serve({ policy })
    const { status, text } = await call(host.url)
    expect(status).toBe(500)
    expect(text).toMatch(/"configuration".*policy.* needs authentication/)
    expect((await fetch(`${host.url}/health`)).status).toBe(200)
    await host.close()
  }
  await rm(stateDir, { recursive: true })
})
