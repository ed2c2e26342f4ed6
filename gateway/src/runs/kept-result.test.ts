import { expect, it, vi } from 'vitest'
import { as, keys } from '../testing/api-keys.ts'
import { codeComponent, type Program } from '../testing/code-component.ts'
import { call, createWorld, post } from '../testing/components.ts'
import { send } from '../testing/rest.ts'
import { silence } from '../testing/silence.ts'

silence('log', 'error')

interface Called {
  content: { text: string }[]
  structuredContent?: { result: string; cut: { offset: number; next?: number; of: number } }
  isError?: boolean
}

function world(variables: Record<string, string> = {}) {
  const clock = { now: 1_000_000 }
  const runs: Program[] = []
  const code = codeComponent(async (program) => {
    runs.push(program)
    const { code: text, page = '10' } = program.args as { code: string; page?: string }
    const response = await program.send(`/run/result?page=${page}`, { body: text })
    return `${response.status} ${await response.text()}`
  })
  const made = createWorld({
    components: { code: code.component },
    variables,
    now: () => clock.now,
    conditionalWrites: true,
  })
  code.world = made
  const run = async (args: object, headers = {}, path = '/mcp'): Promise<Called> => {
    const response = await made.send(post(call('run_code', args), headers, path))
    const answer = (await response.json()) as { result?: Called }
    return answer.result ?? { content: [{ text: JSON.stringify(answer) }], isError: true }
  }
  /** Keeps the text. @returns its handle */
  const keep = async (code: string, headers = {}, path?: string): Promise<string> => {
    const text = (await run({ code }, headers, path)).content[0]?.text ?? ''
    expect(text).toMatch(/^200 /)
    return (JSON.parse(text.slice(4)) as { handle: string }).handle
  }
  return { ...made, clock, runs, run, keep }
}

it('is read page by page, without a run', async () => {
  const made = world()
  const handle = await made.keep('0123456789abcdefghijxyz')
  const { length } = made.runs
  const first = await made.run({ result: handle })
  expect(first.content[0]?.text).toBe(
    `0123456789\n[characters 0 to 10 of 23. Next page: run_code with {"result":"${handle}","offset":10}]`,
  )
  expect(first.structuredContent).toEqual({
    result: '0123456789',
    cut: { offset: 0, shown: 10, next: 10, of: 23, handle, expiresAt: '1970-01-01T01:16:40.000Z' },
  })
  const last = await made.run({ result: handle, offset: 20 })
  expect(last.content[0]?.text).toBe('xyz\n[characters 20 to 23 of 23: the end]')
  expect(last.structuredContent?.cut.next).toBeUndefined()
  expect(made.runs).toHaveLength(length)
  const { status, headers, body } = await send(made, `/results/${handle}?offset=5&limit=7`)
  expect(status).toBe(200)
  expect(headers.get('cache-control')).toBe('no-store')
  expect(body).toMatchObject({ text: '56789ab', offset: 5, next: 12, of: 23 })
})

it('of several pieces gives back every character, and cuts none in two', async () => {
  const made = world()
  // Pieces and pages end inside of pairs, whichever of the two offsets they begin at.
  for (const text of [`${'😀'.repeat(400_000)}`, `x${'😀'.repeat(400_000)}`]) {
    const handle = await made.keep(text)
    let read = ''
    for (let next: number | undefined = 0; next !== undefined;) {
      const { body } = await send(made, `/results/${handle}?offset=${next}&limit=99999`)
      const page = body as { text: string; next?: number }
      expect(page.text.isWellFormed()).toBe(true)
      read += page.text
      next = page.next
    }
    expect(read === text).toBe(true)
  }
})

it('has whole characters at any offset, and moves on with the smallest page', async () => {
  const made = world()
  const handle = await made.keep('a😀😀b')
  const pages: unknown[] = []
  for (let offset = 0; offset < 6; offset++) {
    pages.push((await send(made, `/results/${handle}?offset=${offset}&limit=1`)).body)
  }
  expect(pages).toMatchObject([
    { text: 'a', offset: 0, next: 1 },
    { text: '😀', offset: 1, next: 3 },
    { text: '😀', offset: 1, next: 3 },
    { text: '😀', offset: 3, next: 5 },
    { text: '😀', offset: 3, next: 5 },
    { text: 'b', offset: 5 },
  ])
})

it.each([
  ['an offset behind the end', { offset: 23 }, /"offset" must be less than 23/],
  ['a huge offset', { offset: Number.MAX_SAFE_INTEGER }, /"offset" must be less than 23/],
  ['an offset that is no place', { offset: 1.5 }, /"offset" must be a whole number/],
  ['a negative offset', { offset: -1 }, /"offset" must be a whole number/],
])('refuses %s', async (_, more, message) => {
  const made = world()
  const result = await made.keep('0123456789abcdefghijxyz')
  const { content, isError } = await made.run({ result, ...more })
  expect(content[0]?.text).toMatch(message)
  expect(isError).toBe(true)
})

it.each(['offset=-1', 'offset=1e3', 'offset=99999999999999999999', 'limit=0', 'limit=1000001'])(
  'refuses the query %s',
  async (query) => {
    const made = world()
    const handle = await made.keep('0123456789abcdefghijxyz')
    const { status, body } = await send(made, `/results/${handle}?${query}`)
    expect(status).toBe(400)
    expect(body).toMatchObject({ error: { code: 'invalid_request' } })
  },
)

it('belongs to the caller of its run', async () => {
  const made = world({ api_keys: keys('ada', 'eve') })
  const handle = await made.keep('the secret of ada', as('ada'))
  expect((await made.run({ result: handle }, as('ada'))).content[0]?.text).toMatch(/^the secret/)
  const stolen = await made.run({ result: handle }, as('eve'))
  expect(stolen.content[0]?.text).toMatch(/^There is no such result/)
  expect((await send(made, `/results/${handle}`, { headers: as('eve') })).status).toBe(404)
  expect((await send(made, `/results/${handle}`)).status).toBe(401)
  expect((await send(made, `/results/${handle}`, { headers: as('ada') })).status).toBe(200)
})

it('of the address of one component is not read at that of another', async () => {
  const made = world({ tool_components: 'code' })
  const ofAll = await made.keep('of all components')
  const ofOne = await made.keep('of one component', {}, '/mcp/x/code')
  const read = async (result: string, path: string) =>
    (await made.run({ result }, {}, path)).content[0]?.text
  expect(await read(ofAll, '/mcp/x/code')).toMatch(/^There is no such result/)
  expect(await read(ofOne, '/mcp/x/code')).toMatch(/^of one co/)
  expect(await read(ofOne, '/mcp')).toMatch(/^of one co/)
})

it.each(['', 'x', '../gateway:job:1', '5b0c0000-0000-4000-8000-000000000000', 'a:0'])(
  'has no forged handle %j',
  async (result) => {
    const made = world()
    const handle = await made.keep('0123456789')
    const { content, isError } = await made.run({
      result: result === 'a:0' ? `${handle}:0` : result,
    })
    expect(content[0]?.text).toMatch(/^There is no such result/)
    expect(isError).toBe(true)
  },
)

it('expires after an hour', async () => {
  const made = world()
  const handle = await made.keep('0123456789')
  made.clock.now += 3_599_999
  expect((await send(made, `/results/${handle}`)).status).toBe(200)
  made.clock.now += 1
  expect((await send(made, `/results/${handle}`)).status).toBe(404)
})

it('of a caller with many is deleted when the oldest of more than 20, and nothing of it stays', async () => {
  const made = world({ api_keys: keys('ada', 'eve') })
  const keep = (name: string) => made.keep('0123456789', as(name))
  const other = await keep('ada')
  const all: string[] = []
  for (let count = 0; count < 25; count++) all.push(await keep('eve'))
  const status = async (handle: string, name: string) =>
    (await send(made, `/results/${handle}`, { headers: as(name) })).status
  expect(await Promise.all(all.map((handle) => status(handle, 'eve')))).toEqual([
    ...Array<number>(5).fill(404),
    ...Array<number>(20).fill(200),
  ])
  expect(await status(other, 'ada')).toBe(200)
  const store = await made.platform.openKeyValue('default')
  const isOld = (key: string) => all.slice(0, 5).some((id) => key.includes(id))
  await vi.waitFor(async () => expect((await store.keys()).filter(isOld)).toEqual([]))
})

it('of more than 4 MiB is not kept, and neither is one with an unusable page', async () => {
  const made = world()
  await made.keep('0123456789')
  // 3.3 million characters, 4.5 million bytes.
  const body = 'x'.repeat(2_100_000) + '😀'.repeat(600_000)
  const big = await made.runs[0]?.send('/run/result?page=10', { body })
  expect(await big?.text()).toMatch(/body_too_large/)
  expect(big?.status).toBe(413)
  for (const page of ['0', 'x', '1000001', '1.5']) {
    expect((await made.run({ code: 'x', page })).content[0]?.text).toMatch(/^400 .*\\?"page\\?"/)
  }
})

it('is not kept for a request without a capability', async () => {
  const made = world()
  await made.keep('0123456789')
  const forged = await made.runs[0]?.send('/run/result?page=10', {
    body: 'x',
    headers: { 'ftl-run': 'forged' },
  })
  expect(forged?.status).toBe(401)
})
