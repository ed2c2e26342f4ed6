// The same calls and assertions on the code of a component and on its built wasm: what the test kit simulates holds in
// both, on the real host.
import { join } from 'node:path'
import { createTool, ToolResponse } from 'ftl-sdk'
import {
  testComponent,
  type TestComponentOptions,
  testTool,
  textOf,
  ToolFailed,
} from 'ftl-sdk/testing'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import * as z from 'zod'
import * as world from './app/world.ts'
import { openWorkshop } from './workshop.ts'

const shout = createTool({
  metadata: { name: 'shout', inputSchema: z.object({ text: z.string() }) },
  handler: ({ text }) => ToolResponse.text(text.toUpperCase()),
})

const options: TestComponentOptions = {
  name: 'world',
  variables: { key: 'k{{ 1 }}' },
  fetch: {
    'https://api.weather.example/*': (request) =>
      new URL(request.url).searchParams.get('city') === 'Oslo'
        ? { temperature: 21 }
        : new Response('no', { status: 404 }),
    'POST https://shop.example/orders': async (request) =>
      new Response(`got ${await request.text()}`, { status: 201 }),
  },
  files: { '/config/styles/plain.json': '{"a":1}', '/config/b.txt': 'b' },
  kv: { total: 41, kept: 'x' },
  stores: { other: { old: '1', young: '2' } },
  components: { shout: { tool: shout } },
  principal: 'ada',
}

const MINUTE = 60_000

const entry = new URL('./app/world.ts', import.meta.url)

describe.each(['code', 'wasm'])('the %s of a component', (what) => {
  let built: ReturnType<ReturnType<typeof testComponent>['built']>

  beforeAll(async () => {
    const component = testComponent(world, options)
    const nothing = async () => {}
    built =
      what === 'wasm'
        ? component.built({ entry })
        : Object.assign(Object.create(component) as typeof component, {
            ready: nothing,
            close: nothing,
          })
    await built.ready()
  }, MINUTE)
  afterAll(() => built.close())

  it('gets the answers of the network, the variables and the time of the test', async () => {
    const since = built.requests.length
    const text = textOf(await built.call('weather', { city: 'Oslo' }))
    expect(text).toBe('21 in Oslo at 2026-01-01T00:00:00.000Z')
    const request = built.requests[since]
    expect(request?.url).toBe('https://api.weather.example/now?city=Oslo')
    expect(request?.headers.get('x-key')).toBe('k{{ 1 }}')
    built.advance(90_000)
    expect(textOf(await built.call('weather', { city: 'Oslo' }))).toContain('00:01:30.000Z')
  })

  it('refuses arguments, and reports its errors with their data', async () => {
    expect(await built.call('weather', { city: 'O' })).toMatchObject({ isError: true })
    expect(await built.call('weather', { city: 'Rome' })).toMatchObject({
      isError: true,
      content: [{ text: 'refused: 404' }],
      _meta: { status: 404 },
    })
  })

  it('draws the ids of the test, and sends bodies', async () => {
    const text = textOf(await built.call('order'))
    expect(text).toMatch(/^201 got \{"id":"00000000-0000-4000-8000-00000000000\d"\}$/)
    const sent = built.requests.at(-1)
    expect(sent?.method).toBe('POST')
    expect(await sent?.json()).toEqual({ id: expect.stringContaining('-4000-8000-') as string })
  })

  it('reads and writes the stores of the test, which may change between calls', async () => {
    expect(textOf(await built.call('count'))).toBe('42')
    expect(built.kv.json('total')).toBe(42)
    expect(built.kv.text('kept')).toBe('x')
    expect(await built.platform.store('other').keys()).toEqual(['young'])
    await built.kv.set('total', '99')
    expect(textOf(await built.call('count'))).toBe('100')
    await built.kv.delete('total')
    expect(textOf(await built.call('count'))).toBe('1')
    expect(built.kv.json('total')).toBe(1)
  })

  it('reads the files of the test', async () => {
    expect(textOf(await built.call('files'))).toBe('{"a":1} b.txt,styles')
  })

  it('calls the other components of the test', async () => {
    expect(textOf(await built.call('neighbour'))).toBe('HELLO')
  })

  it('reports progress and log lines, also before an error', async () => {
    expect(textOf(await built.call('steps', { fail: false }))).toBe('done')
    expect(built.progress).toEqual([{ progress: 1, total: 2, message: 'half' }])
    expect(built.logs).toMatchObject([{ level: 'info', data: { at: 'half' } }])
    expect(await built.call('steps', { fail: true })).toMatchObject({
      isError: true,
      _meta: { code: 7 },
    })
    expect(built.progress).toHaveLength(1)
  })

  it('rejects with the error of a handler, and its line', async () => {
    const error = await built.call('broken').catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ToolFailed)
    const { message, cause } = error as ToolFailed
    expect(message).toMatch(/^tool broken: [^]*RangeError: beyond the end[^]*world\.ts:\d+/)
    expect(cause).toMatchObject({ name: 'RangeError', message: 'beyond the end' })
    expect(built.console).toContainEqual({ level: 'log', text: 'before' })
  })

  it('asks the client of the test', async () => {
    const answers = { answer: { action: 'accept', content: { size: 'm' } } }
    expect(textOf(await built.call('ask', {}, { answers }))).toBe('ada: accept m')
    await expect(built.call('ask')).rejects.toThrow('the tool asks its client for answer')
  })

  it('follows a job in the time of the test', async () => {
    const job = await built.startJob('boil', { seconds: 3600 })
    expect((await job.poll(600_000)).progress).toEqual({ value: -3000 })
    expect((await job.cancel()).status).toBe('cancelled')
    expect(textOf(await built.call('boil', { seconds: 60 }))).toBe('boiled')
  })

  it('continues after the response, and settles', async () => {
    await built.call('later', { fail: false })
    expect(built.kv.json('later')).toBeUndefined()
    await built.settled()
    expect(built.kv.json('later')).toBe(true)
    await built.call('later', { fail: true })
    await expect(built.settled()).rejects.toThrow('could not be written')
  })

  it('answers any request of the contract', async () => {
    const names = (await built.offer()).tools?.map(({ name }) => name)
    expect(names).toEqual(world.tools.tools.map(({ description }) => description.name))
    expect((await built.fetch('/nothing', { method: 'POST' })).status).toBe(404)
  })
})

describe('what only the wasm does', () => {
  const built = testComponent(world, options).built({ entry })
  afterAll(() => built.close())

  it('ends a call with 500 when nothing is left to wait for', { timeout: MINUTE }, async () => {
    await built.ready()
    const started = performance.now()
    const response = await built.fetch('/settles', {
      method: 'POST',
      headers: { 'ftl-deadline': '600000' },
    })
    expect(response.status).toBe(500)
    // Long before its deadline.
    expect(performance.now() - started).toBeLessThan(10_000)
    await built.settled()
    expect(built.console).toContainEqual({
      level: 'error',
      text: expect.stringMatching(
        /waits for something that never happens.*promise that is never settled/,
      ) as string,
    })
  })

  it('follows a redirect, and asks the handlers for its target', async () => {
    const redirecting = testComponent(world, {
      fetch: {
        'https://a.example/': () => Response.redirect('https://b.example/x', 302),
        'https://b.example/x': 'there',
      },
    }).built({ entry })
    expect(textOf(await redirecting.call('get', { url: 'https://a.example/' }))).toBe('200 there')
    expect(redirecting.requests.map(({ url }) => url)).toEqual([
      'https://a.example/',
      'https://b.example/x',
    ])
    await redirecting.close()
  })

  it('logs a rejection that nothing handles, with its message and line', async () => {
    expect(textOf(await built.call('rejects'))).toBe('ok')
    await expect(built.settled()).rejects.toMatchObject({
      name: 'SyntaxError',
      message: 'nothing handles this',
      stack: expect.stringMatching(/world\.ts:\d+:\d+/) as string,
    })
  })
})

describe('what built() cannot do', () => {
  const refused = async (component: ReturnType<typeof testComponent>, how = { entry }) => {
    const built = component.built(how)
    onTestFinished(() => built.close())
    return await built.call('weather', { city: 'Oslo' }).then(
      () => 'nothing was wrong',
      (error: unknown) => (error as Error).message,
    )
  }

  it.each<[string, TestComponentOptions, string]>([
    ['a request without a handler', { fetch: {} }, 'this test has no handler for it'],
    [
      'a handler that throws',
      {
        variables: { key: 'k' },
        fetch: () => {
          throw new TypeError('the line is dead')
        },
      },
      'failed in the test: the line is dead',
    ],
    ['a variable no component can have', { variables: { Key: 'k' } }, 'variables: "Key" cannot be'],
    ['a name no component can have', { name: 'My_Tool' }, 'name: "My_Tool" cannot be a component'],
    ['a file at the root', { files: { '/x.txt': '' } }, 'files: "/x.txt" cannot be mounted'],
    ['a relative file', { files: { 'x/y.txt': '' } }, 'files: "x/y.txt" cannot be mounted'],
    ['a file above the root', { files: { '/a/../../y/x': '' } }, 'nothing was wrong'],
  ])('is reported: %s', { timeout: MINUTE }, async (_, given, words) => {
    const component = testComponent(world, {
      fetch: { 'https://api.weather.example/*': { temperature: 1 } },
      variables: { key: 'k' },
      ...given,
    })
    expect(await refused(component)).toContain(words)
  })

  it(
    'names the entry that is not there, and the components there are',
    { timeout: MINUTE },
    async () => {
      const component = testComponent(world)
      const nowhere = new URL('./app/nowhere.ts', import.meta.url)
      expect(await refused(component, { entry: nowhere })).toMatch(/there is no .*nowhere\.ts/)
      const other = component.built({ component: 'nowhere' })
      onTestFinished(() => other.close())
      await expect(other.ready()).rejects.toThrow(/no such component .* it has .*echo/)
    },
  )

  it('does not take the wrong component', { timeout: MINUTE }, async () => {
    const built = testTool(createTool({ metadata: { name: 'echo-2' }, handler: () => '' })).built({
      component: 'echo',
    })
    onTestFinished(() => built.close())
    await expect(built.call()).rejects.toThrow('404')
  })

  it('reports why the component does not build', { timeout: MINUTE }, async () => {
    const workshop = await openWorkshop({ 'main.ts': "import 'nope'\nexport const tool = 1\n" })
    try {
      const module = join(workshop.folder, 'main.ts')
      const built = testComponent(world).built({ entry: module })
      onTestFinished(() => built.close())
      await expect(built.ready()).rejects.toThrow(/main\.ts:1:8: [^]*npm install nope/)
      await workshop.write(
        'main.ts',
        "import { createTool } from 'ftl-sdk'\nexport const tool = createTool({ metadata: { name: 'weather' }, handler: () => 'mended' })\n",
      )
      expect(textOf(await built.call('weather'))).toBe('mended')
    } finally {
      await workshop.close()
    }
  })

  it(
    'runs more components than it keeps, each with its own state',
    { timeout: MINUTE },
    async () => {
      const all = [1, 2, 3, 4, 5].map((total) =>
        testComponent(world, { kv: { total }, stores: { other: {} } }).built({ entry }),
      )
      for (const each of all) await each.call('count')
      // The first one was stopped for the last one, and starts again with what it had.
      expect(textOf(await (all[0] as (typeof all)[0]).call('count'))).toBe('3')
      expect(textOf(await (all[4] as (typeof all)[0]).call('count'))).toBe('7')
      await Promise.all(all.map((each) => each.close()))
    },
  )
})
