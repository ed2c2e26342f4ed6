import { afterEach, expect, it, vi } from 'vitest'
import { discover } from './authorization-server.ts'

afterEach(() => vi.unstubAllGlobals())

const blocked = () => Promise.reject(new TypeError('Failed to fetch'))

/** @param answers by the end of the address. */
function serve(answers: Record<string, () => Promise<Response>>): string[] {
  const asked: string[] = []
  vi.stubGlobal('fetch', (url: string) => {
    asked.push(url)
    return answers[url]?.() ?? blocked()
  })
  return asked
}

// Dex answers 404 without the headers of CORS, which a page sees as a failed request.
it('an address that does not allow the page does not end the search for the metadata', async () => {
  const issuer = 'https://dex.example/dex'
  const address = `${issuer}/.well-known/openid-configuration`
  const asked = serve({ [address]: async () => Response.json({ issuer }) })
  expect(await discover(issuer)).toEqual({ issuer })
  expect(asked).toHaveLength(3)
})

it('metadata of another issuer ends it', async () => {
  const issuer = 'https://as.example'
  const asked = serve({
    [`${issuer}/.well-known/oauth-authorization-server`]: async () =>
      Response.json({ issuer: 'https://other.example' }),
  })
  await expect(discover(issuer)).rejects.toThrow('another one')
  expect(asked).toHaveLength(1)
})

it('no address that can be read is a server that cannot be reached', async () => {
  serve({})
  await expect(discover('https://away.example')).rejects.toThrow('cannot be reached from this page')
})
