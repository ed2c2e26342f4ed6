import type { HostileProgram } from './program.ts'

/** They return, log, throw and send values that do something when they are read. */
export const VALUES: HostileProgram[] = [
  {
    name: 'returns an object whose getter never ends',
    code: 'return { get a() { for (;;); } }',
    back: /^TimeoutError: the program has computed/,
  },
  {
    name: 'returns an object whose toJSON throws',
    code: 'return { toJSON() { throw new Error("mine") } }',
    back: /^Error: mine/,
  },
  {
    name: 'returns a proxy that throws when it is read',
    code: 'return { a: new Proxy({}, { ownKeys() { throw new Error("no keys") } }) }',
    back: /^Error: no keys/,
  },
  {
    name: 'returns a promise of its own kind that never settles',
    code: 'return { then() {} }',
    back: /^Error: the program waits for something that never happens/,
  },
  {
    name: 'returns a promise of its own kind that settles twice',
    code: 'return { then(resolve) { resolve(1); resolve(2); throw new Error("3") } }',
    back: /^1$/,
  },
  {
    name: 'returns a revoked proxy',
    code: 'const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return [proxy]',
    back: /^TypeError: /,
  },
  {
    name: 'returns what refers to itself',
    code: 'const a = { b: {} }; a.b.a = a; return a',
    back: /^TypeError: the result refers to itself/,
  },
  {
    name: 'sends arguments whose getter throws',
    code: 'return await tools.echo.echo({ get message() { throw new Error("getter") } })',
    back: /^Error: getter/,
  },
  {
    name: 'sends a proxy as arguments',
    code: 'return await tools["my-target"].value(new Proxy({ a: 1n }, { get: (o, key) => o[key] }))',
    back: /^\{"a":"1"\}$/,
  },
  {
    name: 'sends arguments that refer to themselves',
    code: 'const a = {}; a.a = a; return await tools["my-target"].value(a)',
    back: /^TypeError: an argument refers to itself/,
  },
  {
    name: 'gives arrays a class of its own by Symbol.species',
    code: 'class Bad extends Array { static get [Symbol.species]() { throw new Error("species") } } return Bad.from([1, 2])',
    back: /^\[1,2\]$/,
  },
  {
    name: 'logs values that throw when they are read',
    code: 'console.log({ toJSON() { throw 1 } }, new Proxy(() => {}, {}), Object.create(null), Symbol("s")); return "ok"',
    back: /^ok\n\nConsole:\n\[cannot be shown\] /,
  },
  {
    name: 'logs an error whose stack throws',
    code: 'console.log(Object.defineProperty(new Error("e"), "stack", { get() { throw 1 } })); return "ok"',
    back: /^ok|^Thrown: 1/,
  },
  {
    name: 'throws an error whose message never ends',
    code: 'throw { get message() { for (;;); } }',
    back: /^TimeoutError: the program has computed/,
  },
  {
    name: 'throws a proxy that throws',
    code: 'throw new Proxy(new Error("x"), { get() { throw 1 }, getPrototypeOf() { throw 2 } })',
    back: /^Error: an error that cannot be read/,
  },
  {
    name: 'throws an error that is its own cause',
    code: 'const e = new Error("round"); e.cause = e; throw e',
    back: /^Error: round \(cause: round\)/,
  },
  { name: 'throws nothing', code: 'throw undefined', back: /^Thrown: undefined/ },
  {
    name: 'forges the place of its error',
    code: 'const e = new Error("x"); e.stack = "    at f (program:99999:1)"; throw e',
    back: /^Error: x\n {4}at line 99998, column 1$/,
  },
  {
    name: 'forges the tool of its error',
    code: 'const e = new Error("x"); e.tool = "bank.pay\\u001b[2J"; throw e',
    back: /^Error: x/,
  },
  {
    name: 'keeps objects of each run by weak references',
    code: 'let count = 0; const r = new FinalizationRegistry(() => count++); for (let i = 0; i < 1e4; i++) r.register({}, i); await sleep(5); return typeof new WeakRef(r).deref()',
    back: /^object$/,
  },
  {
    name: 'waits for shared memory',
    code: 'return Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)',
    back: /^ReferenceError: Atomics is not defined|^TypeError/,
  },
]
