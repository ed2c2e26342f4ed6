import { describe, expect, it } from 'vitest'
import { as } from '../testing/api-keys.ts'
import { type ApprovalWorld, approvalWorld, ask, KEY, TTL_MS } from '../testing/approval-world.ts'
import { text } from '../testing/components.ts'
import { request } from '../testing/rest.ts'

describe('a caller that cannot be asked', () => {
  const PATH = { path: '/a' }
  const tokenOf = async (made: ApprovalWorld, who = 'ada') => {
    const response = await made.send(request('/tools/delete', { body: PATH, headers: as(who) }))
    expect(response.status).toBe(403)
    const { error } = (await response.json()) as {
      error: { code: string; approval: { token: string; expiresAt: string } }
    }
    expect(error.code).toBe('approval_required')
    expect(Date.parse(error.approval.expiresAt)).toBe(made.clock.now + TTL_MS)
    return error.approval.token
  }
  const confirm = async (
    made: ApprovalWorld,
    token: string,
    body: object = PATH,
    who = 'ada',
    path = '/tools/delete',
  ) => {
    const response = await made.send(
      request(path, { body, headers: { ...as(who), 'ftl-approval': token } }),
    )
    return { status: response.status, text: await response.text() }
  }

  it('gets a token over plain HTTP, which confirms the call once', async () => {
    const made = approvalWorld()
    const token = await tokenOf(made)
    expect(made.ran).toEqual([])
    expect(await confirm(made, token)).toMatchObject({ status: 200 })
    expect(made.ran).toHaveLength(1)
    const again = await confirm(made, token)
    expect(again.status).toBe(403)
    expect(again.text).toContain('was used before')
    expect(made.ran).toHaveLength(1)
  })

  it.each<[string, (made: ApprovalWorld, token: string) => ReturnType<typeof confirm>, RegExp]>([
    ['other arguments', (made, token) => confirm(made, token, { path: '/' }), /another call/],
    [
      'further arguments',
      (made, token) => confirm(made, token, { ...PATH, all: true }),
      /another call/,
    ],
    ['another caller', (made, token) => confirm(made, token, PATH, 'eve'), /another call/],
    [
      'another tool',
      (made, token) => confirm(made, token, PATH, 'ada', '/tools/rename'),
      /another call/,
    ],
    [
      'a changed token',
      (made, token) => confirm(made, `${token.slice(0, -1)}${token.endsWith('A') ? 'E' : 'A'}`),
      /another call/,
    ],
    [
      'another id in the token',
      (made, token) =>
        confirm(
          made,
          token.replace(/^./, (c) => (c === 'a' ? 'b' : 'a')),
        ),
      /another call/,
    ],
    [
      'a later expiry in the token',
      (made, token) =>
        confirm(
          made,
          token.replace(
            /\.(\w+)\./,
            (_, time: string) => `.${(parseInt(time, 36) + 1).toString(36)}.`,
          ),
        ),
      /another call/,
    ],
    [
      'an expired token',
      (made, token) => {
        made.clock.now += TTL_MS
        return confirm(made, token)
      },
      /has expired/,
    ],
    ['no token', (made) => confirm(made, ''), /another call/],
    ['what is no token', (made) => confirm(made, `${'x,'.repeat(5_000)}.`), /another call/],
  ])('is refused with %s', async (_what, use, reason) => {
    const made = approvalWorld()
    const { status, text: body } = await use(made, await tokenOf(made))
    expect(status).toBe(403)
    expect(body).toMatch(reason)
    expect(body).toContain('not_approved')
    expect(made.ran).toEqual([])
  })

  it('may send the arguments in another order', async () => {
    const made = approvalWorld()
    const send = (body: object, token = '') =>
      made.send(
        request('/tools/delete', {
          body,
          headers: { ...as('ada'), ...(token && { 'ftl-approval': token }) },
        }),
      )
    const response = await send({ path: '/a', more: { b: 1, c: 2 } })
    const { error } = (await response.json()) as { error: { approval: { token: string } } }
    const { status } = await send({ more: { c: 2, b: 1 }, path: '/a' }, error.approval.token)
    expect(status).toBe(200)
  })

  it('confirms several calls of one request with all their tokens', async () => {
    const made = approvalWorld()
    const calls = ['/a', '/b'].map((path) => ({
      id: path,
      type: 'function',
      function: { name: 'delete', arguments: JSON.stringify({ path }) },
    }))
    const send = async (token?: string) => {
      const headers = { ...as('ada'), ...(token !== undefined && { 'ftl-approval': token }) }
      const response = await made.send(request('/invoke', { body: calls, headers }))
      return (await response.json()) as { content: string }[]
    }
    const tokens = (await send()).map(
      ({ content }) =>
        (JSON.parse(content) as { error: { approval: { token: string } } }).error.approval.token,
    )
    const done = await send(tokens.join(', '))
    expect(done.map(({ content }) => content)).toEqual(['did /delete', 'did /delete'])
    expect(made.ran.map(({ body }) => body)).toEqual([{ path: '/a' }, { path: '/b' }])
  })

  it('has the token in _meta of a result, where no model reads it, and sends it back there', async () => {
    const made = approvalWorld()
    const { result } = await ask(made, { name: 'delete' }, { capabilities: {} })
    expect(result.isError).toBe(true)
    const { token } = (result._meta?.[KEY] ?? {}) as { token: string }
    expect(token).toMatch(/^[\w.-]{80,120}$/)
    expect(JSON.stringify(result.content)).not.toContain(token)
    const done = await ask(made, { name: 'delete' }, { capabilities: {}, meta: { [KEY]: token } })
    expect(done.result).toMatchObject(text('did /delete'))
  })

  it('is one of an older revision, or a plain one', async () => {
    const versions: Record<string, string>[] = [{ 'mcp-protocol-version': '2025-11-25' }, {}]
    for (const version of versions) {
      const made = approvalWorld()
      const call = async (meta = {}) => {
        const params = { name: 'delete', arguments: PATH, _meta: meta }
        const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
        return JSON.stringify(await made.rpc(message, { ...as('ada'), ...version }))
      }
      const refusal = await call()
      const token = /"token":"([^"]+)"/.exec(refusal)?.[1] ?? ''
      expect(refusal).toContain('only after a person has approved')
      expect(await call({ [KEY]: token })).toContain('did /delete')
      expect(made.ran).toHaveLength(1)
    }
  })

  it('can use the token also where it could be asked', async () => {
    const made = approvalWorld()
    const token = await tokenOf(made)
    const { result } = await ask(made, { name: 'delete' }, { headers: { 'ftl-approval': token } })
    expect(result).toMatchObject(text('did /delete'))
  })
})
