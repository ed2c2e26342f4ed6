/** Programs through the gateway, on the real host. Those that mean harm are in test/hostile/programs. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CodeHost, startCode } from './code-host.ts'

let host: CodeHost

interface Traced {
  ms: number
  calls: { tool: string; start: number; ms?: number }[]
}

interface Pages {
  result: string
  cut: { handle: string; next?: number }
}

beforeAll(async () => {
  host = await startCode()
})
afterAll(async () => {
  expect(host.problems).toEqual([])
  await host.close()
})

describe('the forms of a program', () => {
  it.each([
    ['statements with return', 'const a = 40; return a + 2', '42'],
    ['an expression', 'Math.max(1, 42)', '42'],
    ['an expression with await and a semicolon', 'await Promise.resolve(42);\n', '42'],
    ['an object', '{ a: 1 }', '{"a":1}'],
    ['an async arrow function', 'async () => {\n  return 42\n}', '42'],
    ['an arrow function that takes tools', 'async (t) => t.echo.echo({ message: "42" })', '42'],
    ['a function', 'async function main() { return 42 }', '42'],
    ['a module', 'const a = 40\nexport default async function main() { return a + 2 }', '42'],
    [
      'a module of types',
      'export interface A { a: number }\nexport default (): A => ({ a: 1 })',
      '{"a":1}',
    ],
    [
      'TypeScript',
      'enum E { A = "x" }\nconst f = <T,>(a: T): T => a\nreturn f<E>(E.A) satisfies E',
      'x',
    ],
    ['nothing', '', 'The program returned nothing.'],
  ])('%s', async (_, code, text) => {
    expect(await host.run(code)).toBe(text)
  })
})

it('values that JSON has no form for follow one rule', async () => {
  const { structuredContent } = await host.result(`return {
  missing: undefined, big: 10n, day: new Date(0), not: NaN, f() {}, list: [undefined, () => 1, Symbol('s')],
  map: new Map([['a', new Set([1])]]), pairs: new Map([[1, 2]]), bytes: new Uint8Array([1, 2]), error: new TypeError('t'), expr: /x/g,
}`)
  expect(structuredContent?.['result']).toEqual({
    ...{ big: '10', day: '1970-01-01T00:00:00.000Z', not: null, list: [null, null, null] },
    ...{ map: { a: [1] }, pairs: [[1, 2]], bytes: [1, 2], expr: {} },
    error: { name: 'TypeError', message: 't' },
  })
})

describe('a tool', () => {
  it.each([
    ['returns its value', 'return await tools["my-target"].value({ a: [1] })', '{"a":[1]}'],
    ['returns its text without a value', 'return await tools.echo.echo({ message: "hi" })', 'hi'],
    [
      'throws an error that names it',
      'try { await tools["my-target"].fail() } catch (e) { return [e.name, e instanceof ToolError, e.code, e.tool, e.message] }',
      '["ToolError",true,"tool_error","my-target.fail","the printer has no paper"]',
    ],
    [
      'is found',
      'const { tools: [first] } = await search("message echo"); return first.name',
      'echo.echo',
    ],
    [
      'is described',
      'return (await describe("echo.echo")).declarations.includes("echo(args: {")',
      'true',
    ],
  ])('%s', async (_, code, text) => {
    expect(await host.run(code)).toBe(text)
  })
})

it('ten calls run at once, and the others wait', async () => {
  const order = (long: number) =>
    host.run(`const ended = []
const call = (name, ms) => tools['my-target'].slow({ ms }).then(() => ended.push(name))
const calls = (count, name, ms) => Array.from({ length: count }, () => call(name, ms))
await Promise.all([...calls(${long}, 'long', 1500), ...calls(5, 'short', 1)])
return ended.indexOf('long')`)
  // Beside nine long ones there is a place in which the short ones take turns. Beside ten there is none.
  expect(await order(9)).toBe('5')
  expect(await order(10)).toBe('0')
})

describe('an error has its line and column', () => {
  it.each([
    ['of JavaScript', 'const a = 1\n  null.x', 2, 3],
    ['of the first line', 'null.x', 1, 1],
    [
      'of TypeScript',
      'const a: { x: number } | null = null as any as null\ninterface B {}\nconst b = 1; (a as any).x.y',
      3,
      15,
    ],
    [
      'of a module',
      'interface B {}\nexport default async function f(): Promise<void> {\n  const b: any = undefined; b.x\n}',
      3,
      29,
    ],
    ['of syntax', 'const a = 1\nreturn a +\n* 2', 3, 1],
  ])('%s', async (_, code, line, column) => {
    const { structuredContent, isError, content } = await host.result(code)
    expect(isError).toBe(true)
    const { error } = structuredContent as { error: { line: number; column: number } }
    expect(error).toMatchObject({ line })
    // QuickJS names the place of the access, not of the object.
    expect(Math.abs(error.column - column)).toBeLessThanOrEqual(2)
    expect(content?.[0]?.text).toContain(`\n> ${line} | `)
  })

  it('and the name of the tool that failed', async () => {
    const { structuredContent } = await host.result('\n\nawait tools["my-target"].fail({})')
    expect(structuredContent).toMatchObject({
      error: { name: 'ToolError', tool: 'my-target.fail', line: 3 },
      calls: 1,
    })
  })
})

it('a rejection that the program does not handle is an error', async () => {
  expect(await host.run('Promise.reject(new Error("lost")); await sleep(20); return 1')).toMatch(
    /^Error: lost\n {4}at line 1/,
  )
  expect(
    await host.run('const p = Promise.reject(1); await null; return await p.catch(() => "kept")'),
  ).toBe('kept')
})

it('shows the console, with levels', async () => {
  const { structuredContent, content } = await host.result(
    'console.log("a", { b: 1 }); console.warn("careful"); return 1',
  )
  expect(content?.[0]?.text).toBe('1\n\nConsole:\na {"b":1}\n[warning] careful')
  expect(structuredContent).toEqual({
    result: 1,
    calls: 0,
    console: [
      { level: 'info', text: 'a {"b":1}' },
      { level: 'warning', text: 'careful' },
    ],
  })
})

it('timers fire in order, and clearing one stops it', async () => {
  const code = `const seen = []
const never = setTimeout(() => seen.push('never'), 15)
setTimeout((text) => seen.push(text), 20, 'b'); setTimeout(() => seen.push('a'), 1)
const every = setInterval(() => { seen.push('i'); if (seen.filter((x) => x === 'i').length === 2) clearInterval(every) }, 5)
clearTimeout(never)
await sleep(60)
return seen.sort().join('')`
  expect(await host.run(code)).toBe('abii')
})

it('the clock begins with the run, stands still while it computes, and goes on with timers', async () => {
  const before = Date.now()
  const code = `const start = Date.now()
for (let i = 0; i < 1e5; i++);
const still = Date.now() === start && +new Date() === start
await sleep(50)
return [start, still, Date.now() - start, new Date(5).getTime(), typeof Date(), Math.random()]`
  const runs = [await host.result(code), await host.result(code)]
  const [first, second] = runs.map(
    ({ structuredContent }) => structuredContent?.['result'] as unknown[],
  )
  expect(first?.[0]).toBeGreaterThanOrEqual(before)
  expect(first?.slice(1, 5)).toEqual([true, 50, 5, 'string'])
  expect(first?.[5]).not.toBe(second?.[5])
})

describe('a result that is too long for one answer', () => {
  it('is kept, and read by page to the same value', async () => {
    const code = 'return Array.from({ length: 20_000 }, (_, i) => ({ i, face: "😀" }))'
    const { content, structuredContent } = await host.result(code)
    const { cut, ...report } = structuredContent as unknown as Pages
    expect(report).toMatchObject({ calls: 0 })
    expect(cut).toMatchObject({ shown: report.result.length, next: report.result.length })
    const hint = /\[cut: \d+ of \d+ characters\. Next page: run_code with (\{.*?\})\. Return less/
    const [, args = ''] = hint.exec(content?.[0]?.text ?? '') ?? []
    let text = report.result
    for (let next = JSON.parse(args) as object | undefined; next;) {
      const page = (await host.call(next)).structuredContent as unknown as Pages
      text += page.result
      next = page.cut.next === undefined ? undefined : { result: cut.handle, offset: page.cut.next }
    }
    const all = JSON.parse(text) as object[]
    expect(all).toHaveLength(20_000)
    expect(all.at(-1)).toEqual({ i: 19_999, face: '😀' })
  })

  it('is kept as text if it is text, and over 4 MiB it is not kept', async () => {
    const ofText = await host.result('return "\'\\"x".repeat(50_000)')
    expect(ofText.structuredContent).toMatchObject({
      result: expect.stringMatching(/^'"x'"x/) as string,
      cut: { shown: 100_000, of: 150_000, form: 'text' },
    })
    const tooLong = await host.run('return "x".repeat(4.3e6)')
    expect(tooLong.slice(100_000)).toBe(
      '\n[cut: 100000 of 4300000 characters. Return less, such as the fields and rows you need]',
    )
  })

  it('is not read with a program at once, nor without a handle', async () => {
    for (const args of [{}, { code: '1', result: 'x' }, { result: 'x' }]) {
      expect((await host.call(args)).isError).toBe(true)
    }
  })
})

describe('the trace of a run', () => {
  const code = `await Promise.all([tools.echo.echo({ message: 'a' }), search('echo')])
try { await tools['my-target'].fail({}) } catch {}
return await tools.echo.echo({ message: 'b'.repeat(3_000) })`

  it('has its calls in their order, with times, arguments, results and errors', async () => {
    const { _meta } = await host.result(code, { trace: true })
    const { ms, calls } = _meta?.['ftl/trace'] as Traced
    expect(calls).toMatchObject([
      { tool: 'echo.echo', outcome: 'ok', args: '{"message":"a"}', result: '"a"' },
      { tool: 'search', outcome: 'ok' },
      { tool: 'my-target.fail', outcome: 'tool_error' },
      { tool: 'echo.echo', outcome: 'ok', isCut: true },
    ])
    // The last two began one after the other.
    const [, , third, last] = calls
    expect(last?.start).toBeGreaterThanOrEqual((third?.start ?? 0) + (third?.ms ?? Infinity))
    expect(ms).toBeGreaterThanOrEqual((last?.start ?? Infinity) + (last?.ms ?? Infinity))
  })

  it('is there for a run that fails, too, and for no model that did not ask', async () => {
    const failed = await host.result('await tools.echo.echo({ message: "a" }); throw 1', {
      trace: true,
    })
    expect(failed).toMatchObject({ isError: true, _meta: { 'ftl/trace': { calls: [{}] } } })
    expect(await host.result(code)).not.toHaveProperty('_meta')
  })
})

it('reports progress to a client that asks for it', async () => {
  const response = await fetch(`${host.url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: {
        name: 'run_code',
        arguments: { code: 'progress(1, 2, "half"); await sleep(50); return "end"' },
        _meta: { progressToken: 'p' },
      },
    }),
  })
  const text = await response.text()
  expect(text).toContain('"progress":1,"total":2,"message":"half"')
  expect(text).toContain('"text":"end"')
})
