// FastMCP’s client signs in at a certified authorization server. At night: its package comes from PyPI.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type AuthenticatedApplication, startAuthenticated } from './application.ts'
import { goBack, installFastMcp, runFastMcp } from './fastmcp.ts'
import { filesIn, foundIn, partsOf } from './leaks.ts'

let app: AuthenticatedApplication

beforeAll(async () => {
  app = await startAuthenticated({ audited: true })
})
afterAll(() => app.close())

it('FastMCP’s client for Python finds the server, registers, signs in with PKCE, and calls', async ({
  skip,
}) => {
  const installed = await installFastMcp()
  if ('missing' in installed) return skip(installed.missing)
  const codes: string[] = []
  const { code, printed, output, opened } = await runFastMcp(
    installed.bin,
    app.resource,
    async (address) => {
      const back = await app.issuer.signIn(address)
      expect(back.hostname).toMatch(/^(localhost|127\.0\.0\.1)$/)
      codes.push(back.searchParams.get('code') ?? '')
      expect(await goBack(back)).toBe(200)
    },
  )
  expect(code, output).toBe(0)
  expect(printed?.text).toBe('42')
  expect(printed?.tools).toContain('calculator')
  const [address, ...others] = opened
  expect(others).toEqual([])
  expect(Object.fromEntries(address?.searchParams ?? [])).toMatchObject({
    response_type: 'code',
    code_challenge_method: 'S256',
    code_challenge: expect.stringMatching(/^[\w-]{43}$/) as string,
    resource: app.resource,
    scope: expect.stringContaining('tools') as string,
  })
  // Its code is nowhere afterwards.
  await app.closeHost()
  const parts = partsOf(codes)
  expect(parts).not.toEqual([])
  const written = [...(await filesIn(app.stateDir))].map(([name, text]) => name + text)
  expect(foundIn([output, ...app.printed, ...written].join('\n'), parts)).toEqual([])
}, 180_000)
