/** Random programs of nasty operations: the same for the same seed. */

/** xorshift32. */
function randomness(seed: number): (below: number) => number {
  let x = seed | 1
  return (below) => {
    x ^= x << 13
    x ^= x >>> 17
    x ^= x << 5
    return (x >>> 0) % below
  }
}

const VALUES = [
  '0',
  '-0',
  '-1',
  '1.5',
  'NaN',
  'Infinity',
  '2**31',
  '2**32-1',
  '2**53',
  '-(2**31)',
  '1n',
  '2n**200n',
  "''",
  "'a'",
  "'\\ud800'",
  "'x'.repeat(5000)",
  'null',
  'undefined',
  'true',
  'Symbol()',
  'Symbol.iterator',
  '[]',
  '[1,2,3]',
  '[,,1]',
  'new Array(50)',
  '{}',
  'Object.create(null)',
  'new Proxy({}, {})',
  'new Proxy([], {})',
  'new Proxy(() => 1, {})',
  '() => 1',
  'function () { return this }',
  'class {}',
  'async () => 1',
  '(function* () { yield 1 })()',
  '/a(b)?/gu',
  'new Date(NaN)',
  'new Date(0)',
  'new Map([[1, 2]])',
  'new Set([1])',
  'new WeakMap()',
  'new ArrayBuffer(8)',
  'new ArrayBuffer(8, { maxByteLength: 64 })',
  'new Uint8Array(16)',
  'new Float64Array(4)',
  'new DataView(new ArrayBuffer(8))',
  'new Error("e", { cause: 1 })',
  'Promise.resolve(1)',
  'globalThis',
  'Math',
  'JSON',
  'Reflect',
  'new (class extends Array {})(3)',
  'Object.freeze([1])',
  'new String("ab")',
  'new Number(1)',
  'arguments',
  '{ valueOf() { throw 1 } }',
  '{ get length() { return 2**32 } }',
  '{ length: 5, 0: 1 }',
  '{ toString() { return "k" } }',
  '{ then(r) { r(1) } }',
  '{ [Symbol.iterator]() { return { next() { return { done: true } } } } }',
  'detached()',
  'resized()',
]
const GLOBALS = [
  'Object',
  'Function',
  'Array',
  'String',
  'Number',
  'Boolean',
  'Symbol',
  'BigInt',
  'Date',
  'RegExp',
  'Map',
  'Set',
  'WeakMap',
  'WeakSet',
  'WeakRef',
  'FinalizationRegistry',
  'Promise',
  'Proxy',
  'Reflect',
  'Math',
  'JSON',
  'ArrayBuffer',
  'DataView',
  'Uint8Array',
  'Int32Array',
  'Float64Array',
  'BigInt64Array',
  'Uint8ClampedArray',
  'Error',
  'AggregateError',
  'Iterator',
  'URL',
  'URLSearchParams',
  'Headers',
  'Request',
  'Response',
  'TextEncoder',
  'TextDecoder',
  'Blob',
  'File',
  'FormData',
  'AbortController',
  'AbortSignal',
  'EventTarget',
  'Event',
  'ReadableStream',
  'WritableStream',
  'TransformStream',
  'crypto',
  'DOMException',
  'atob',
  'btoa',
  'structuredClone',
  'queueMicrotask',
  'console',
]

export function program(seed: number): string {
  const pick = randomness(seed * 2_654_435_761)
  const one = (list: readonly string[]) => list[pick(list.length)] ?? 'undefined'
  const value = (depth: number): string => {
    if (depth > 0 && pick(4) === 0) return `any(${value(depth - 1)}, ${pick(1000)})`
    if (depth > 0 && pick(6) === 0)
      return `{ get a() { ${statement(depth - 1)}; return ${value(depth - 1)} } }`
    return one(VALUES)
  }
  const list = (depth: number) =>
    Array.from({ length: pick(4) }, () => `(${value(depth)})`).join(', ')
  const statement = (depth: number): string => {
    const name = one(GLOBALS)
    switch (pick(10)) {
      case 0:
        return `keep(new (g.${name})(${list(depth)}))`
      case 1:
        return `keep((g.${name})(${list(depth)}))`
      case 2:
        return `call(g.${name}, ${pick(1000)}, [${list(depth)}])`
      case 3:
        return `call(g.${name}?.prototype, ${pick(1000)}, [${list(depth)}])`
      case 4:
        return `call(kept(${pick(1000)}), ${pick(1000)}, [${list(depth)}])`
      case 5:
        return `call(g.${name}?.prototype, ${pick(1000)}, [${list(depth)}], kept(${pick(1000)}))`
      case 6:
        return `Object.setPrototypeOf(kept(${pick(1000)}), ${value(depth)})`
      case 7:
        return `kept(${pick(1000)})[any(${value(depth)}, ${pick(99)})] = ${value(depth)}`
      case 8:
        return `String(kept(${pick(1000)})) + JSON.stringify(kept(${pick(1000)}))`
      default:
        return `keep(${value(depth)})`
    }
  }
  return Array.from({ length: 3 + pick(12) }, () => `t(() => { ${statement(2)} })`).join('\n')
}

/**
 * What a program needs. A name that is picked by number is one of those the object has; none that stops the engine on
 * purpose is called (there is no such function), nor one that would print.
 */
export const PROGRAM_PRELUDE = `
const g = globalThis
let all = []
const keep = (value) => { if (all.length < 200) all.push(value); return value }
const kept = (n) => all[n % (all.length || 1)]
const t = (work) => { try { const value = work(); if (value instanceof Promise) value.catch(() => {}) } catch {} }
const any = (value, n) => { try { const keys = Reflect.ownKeys(value); return value[keys[n % keys.length]] } catch { return n } }
const detached = () => { const b = new ArrayBuffer(8); const v = new Uint8Array(b); b.transfer(); return v }
const resized = () => { const b = new ArrayBuffer(8, { maxByteLength: 16 }); const v = new Uint8Array(b, 4); b.resize(2); return v }
const call = (on, n, list, self = on) => {
  const names = []
  for (let p = on; p !== null && p !== undefined && names.length < 300; p = Object.getPrototypeOf(p)) names.push(...Reflect.ownKeys(Object(p)))
  if (names.length === 0) return
  const name = names[n % names.length]
  const f = on[name]
  if (typeof f === 'function' && on !== g.console) keep(Reflect.apply(f, self, list))
}
const run = (seed, source) => {
  all = []
  print('> ' + seed)
  try { new Function('g', 'keep', 'kept', 't', 'any', 'detached', 'resized', 'call', source)(g, keep, kept, t, any, detached, resized, call) } catch {}
}
const print = (text) => g.realLog(text)
`
