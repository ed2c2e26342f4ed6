import type { HostileProgram } from './program.ts'

const COMPUTED = /^TimeoutError: the program has computed for more than 300 ms/
const NO_MEMORY =
  /out of memory|has used its 16 MB|no memory or stack left|^RangeError: invalid|^RangeError: .*length|BigInt is too large/
const ENDED = new RegExp(`${COMPUTED.source}|${NO_MEMORY.source}`)

/** They want all time, memory, stack or output. */
export const EXHAUSTIONS: HostileProgram[] = [
  { name: 'computes without end', code: 'for (;;) {}', back: COMPUTED },
  {
    name: 'catches the error that ends it, without end',
    code: 'for (;;) { try { for (;;) {} } catch {} finally { continue } }',
    back: COMPUTED,
  },
  {
    name: 'computes without end in an async function that catches',
    code: 'const f = async () => { try { for (;;) {} } catch { return f() } }; return await f().catch(f)',
    back: COMPUTED,
  },
  {
    name: 'waits for what is there already, without end',
    code: 'for (;;) await null',
    back: COMPUTED,
  },
  {
    name: 'makes a chain of promises without end',
    code: 'const f = () => Promise.resolve().then(f); await f()',
    back: ENDED,
  },
  {
    name: 'floods the queue of jobs',
    code: 'for (;;) queueMicrotask(() => {})',
    back: ENDED,
  },
  {
    name: 'begets jobs without end',
    code: 'const f = () => { queueMicrotask(f); queueMicrotask(f) }; f(); await sleep(10)',
    back: ENDED,
  },
  {
    name: 'floods the queue with rejections',
    code: 'for (;;) Promise.reject(new Error("x"))',
    back: ENDED,
  },
  {
    name: 'sets more timers than it may',
    code: 'for (let i = 0; i < 1e4; i++) setTimeout(() => {}, 1e6); await sleep(1)',
    back: /^RangeError: a program may have 1000 timers at once/,
  },
  {
    name: 'computes a little in each of many timers',
    code: 'for (;;) { for (let i = 0; i < 1e5; i++); await sleep(0) }',
    back: COMPUTED,
  },
  {
    name: 'waits longer than it may',
    code: 'await sleep(1e9)',
    timeoutMs: 200,
    back: /^TimeoutError: the program has not ended after 200 ms/,
  },
  {
    name: 'sets an interval, and never ends',
    code: 'setInterval(() => {}, 1); await new Promise(() => {})',
    timeoutMs: 200,
    back: /^TimeoutError: the program has not ended after 200 ms/,
  },
  {
    name: 'waits for a tool that takes too long',
    code: 'await tools["my-target"].slow({ ms: 60000 })',
    timeoutMs: 300,
    back: /^TimeoutError: the program has not ended after 300 ms/,
  },
  {
    name: 'waits for what never happens',
    code: 'await new Promise(() => {})',
    back: /^Error: the program waits for something that never happens/,
  },
  {
    name: 'fills an array',
    code: 'const all = []; for (;;) all.push(new Array(1e5).fill(1))',
    back: ENDED,
  },
  {
    name: 'catches that it has no memory, and goes on',
    code: 'const all = []; for (;;) try { for (;;) all.push("x".repeat(1e5) + all.length) } catch {}',
    back: COMPUTED,
  },
  {
    name: 'makes a string of a gigabyte',
    code: 'return "x".repeat(2 ** 30).length',
    back: NO_MEMORY,
  },
  {
    name: 'doubles a string',
    code: 'let text = "ab"; for (;;) text += text + text.slice(1)',
    back: ENDED,
  },
  {
    name: 'makes buffers of a gigabyte',
    code: `return [() => new ArrayBuffer(2 ** 30), () => new SharedArrayBuffer(2 ** 30), () => new ArrayBuffer(8, { maxByteLength: 2 ** 30 }).resize(2 ** 30), () => new Float64Array(2 ** 27)]
  .map((make) => { try { make(); return 'made' } catch (e) { return e.name } })`,
    back: /^\["(Internal|Range)Error","(Internal|Range)Error","(Internal|Range)Error","(Internal|Range)Error"\]$/,
  },
  {
    name: 'calls itself without end',
    code: 'const f = () => f() + 1; return f()',
    back: /^RangeError: Maximum call stack size exceeded/,
  },
  {
    name: 'calls itself by getters, proxies, conversions and sorting',
    code: `const o = { get a() { return this.a }, toString() { return String(this) } }
const p = new Proxy({}, { get: (_, key, self) => self[key] })
const s = () => [2, 1].sort(s)
return [() => o.a, () => String(o), () => p.x, s].map((f) => { try { f(); return 'ended' } catch (e) { return e.name } })`,
    back: /^\["RangeError","RangeError","RangeError","RangeError"\]$/,
  },
  {
    name: 'returns what is nested too deeply',
    code: 'let a = []; for (let i = 0; i < 1e5; i++) a = [a]; return a',
    back: /^RangeError: the result is nested too deeply/,
  },
  {
    name: 'parses what is nested too deeply',
    code: 'return JSON.parse("[".repeat(1e6))',
    back: /^(RangeError|SyntaxError|InternalError): /,
  },
  {
    name: 'compiles what is nested too deeply',
    code: 'return Function("(".repeat(1e5))',
    back: /^(RangeError|SyntaxError|InternalError): /,
  },
  {
    name: 'matches a pattern that takes for ever',
    code: 'return /^(a+)+$/.test("a".repeat(50) + "!")',
    back: COMPUTED,
  },
  {
    name: 'searches an array of 2^53 places that are empty',
    code: 'return Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)',
    back: COMPUTED,
  },
  {
    name: 'fills, sorts and joins arrays without an end',
    code: `const o = { length: 2 ** 53 - 1 }
return ['fill', 'reverse', 'includes', 'lastIndexOf', 'copyWithin', 'some'].map((name) => Array.prototype[name].call(o, () => false))`,
    back: ENDED,
  },
  {
    name: 'computes an integer of a gigabyte',
    code: 'let n = 3n; for (;;) n = n * n',
    back: ENDED,
  },
  {
    name: 'reads a generator without an end',
    code: 'for (const _ of (function* () { for (;;) yield 1 })());',
    back: COMPUTED,
  },
  {
    name: 'reads an async generator without an end',
    code: 'for await (const _ of (async function* () { for (;;) yield 1 })());',
    back: ENDED,
  },
  {
    name: 'has a thousand lines of log for each millisecond',
    code: 'for (;;) console.log("x".repeat(4000))',
    back: /^RangeError: the program has posted more than 8 MB at once|computed for more than 300 ms/,
  },
  {
    name: 'logs more than is shown',
    code: 'for (let i = 0; i < 100; i++) console.log("x".repeat(3000)); return 1',
    back: /^1\n\nConsole:\n(x+\n)+\[\d+ more entries are left out or cut\]$/,
  },
  {
    name: 'reports progress a hundred thousand times',
    code: 'for (let i = 0; i < 1e5; i++) progress(i, 1e5, "x".repeat(100)); return "done"',
    back: /^done$|^RangeError: the program has posted more than 8 MB at once|computed for more than/,
  },
  {
    name: 'returns more than is shown',
    code: 'return "x".repeat(3e6)',
    back: /^x{100000}\n\[cut: 100000 of 3000000 characters\. Next page: run_code with \{"result":/,
  },
  {
    name: 'is longer than a program may be',
    code: `return "${'x'.repeat(100_000)}".length`,
    back: /^RangeError: the program has 100016 bytes, and may have 100000/,
  },
]
