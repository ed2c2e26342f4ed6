import { type HostileProgram, OUTSIDE, WALK } from './program.ts'

/** They look for a way out of their realm. */
export const ESCAPES: HostileProgram[] = [
  {
    name: 'sends a request of its own',
    code: 'return await fetch("http://echo.spin.internal/")',
    back: /^ReferenceError: fetch is not defined/,
  },
  {
    name: 'looks for what a host or a runner has, by name',
    code: `return ${OUTSIDE}.filter((name) => name in globalThis)`,
    back: /^\[\]$/,
  },
  {
    name: 'walks everything it can reach, for functions of the host or the runner',
    code: `${WALK}
const names = new Set(${OUTSIDE})
return [...walk(globalThis, tools, search, console, setTimeout)].filter((f) => typeof f === 'function' && names.has(f.name)).map((f) => f.name)`,
    back: /^\[\]$/,
  },
  {
    name: 'walks everything it can reach, for something like a capability',
    code: `${WALK}
const found = []
for (const at of walk(globalThis, tools, search, console)) for (const key of Reflect.ownKeys(at)) {
  const { value } = Object.getOwnPropertyDescriptor(at, key)
  if (/ftl-run|[\\w-]{43}/.test(String(key)) || (typeof value === 'string' && /ftl-run|\\.[\\w-]{43}$/.test(value))) found.push(key)
}
return found.length`,
    back: /^0$/,
  },
  {
    name: 'imports an interface of the host',
    code: 'return await import("fermyon:spin/key-value@2.0.0")',
    back: /^ReferenceError: a program cannot import fermyon:spin\/key-value/,
  },
  {
    name: 'imports the native realm',
    code: 'return await import("ftl:engine/realm")',
    back: /^ReferenceError: a program cannot import ftl:engine\/realm/,
  },
  {
    name: 'imports the native realm at the top of a module',
    code: 'import * as realm from "ftl:engine/realm"\nexport default () => Object.keys(realm)',
    back: /^Error: a program cannot import ftl:engine\/realm\n {4}at line 1/,
  },
  {
    name: 'imports code from an address',
    code: 'return await import("data:text/javascript,export default 1")',
    back: /a program cannot import data:/,
  },
  {
    name: 'makes a function of text',
    code: 'return Function("return typeof fetch + typeof post")()',
    back: /^undefinedundefined$/,
  },
  {
    name: 'makes an async function of text',
    code: 'const f = (async () => {}).constructor("return [globalThis === this, typeof fetch]"); return await f.call(globalThis)',
    back: /^\[true,"undefined"\]$/,
  },
  {
    name: 'makes a function of text by the constructor of a tool',
    code: 'return tools.echo.echo.constructor("return [this === globalThis, typeof fetch, typeof post]").call(globalThis)',
    back: /^\[true,"undefined","undefined"\]$/,
  },
  {
    name: 'takes the realm of an error that came from outside',
    code: 'try { await tools["my-target"].fail({}) } catch (e) { return [e.constructor.constructor("return this")() === globalThis, e instanceof Error] }',
    back: /^\[true,true\]$/,
  },
  {
    name: 'takes the realm of a result that came from outside',
    code: 'const r = await tools["my-target"].value({ a: [1] }); return [r.constructor === Object, r.a.constructor === Array]',
    back: /^\[true,true\]$/,
  },
  {
    name: 'evaluates text in the global scope',
    code: 'return (0, eval)("typeof post + typeof stringify + typeof inside")',
    back: /^undefinedundefinedundefined$/,
  },
  {
    name: 'reads the symbols by which packages of the host find each other',
    code: 'return ["ftl.variable", "ftl.keepShapes", "ftl.textWithin"].map((name) => typeof globalThis[Symbol.for(name)])',
    back: /^\["undefined","undefined","undefined"\]$/,
  },
  {
    name: 'asks who called it',
    code: 'function f() { return f.caller } return String(f())',
    back: /^TypeError: |^undefined$|^null$/,
  },
  {
    name: 'closes the function that is around it',
    code: '})(); globalThis.escaped = typeof fetch; (async () => {',
    back: /^The program returned nothing\.$/,
  },
  {
    name: 'closes the parenthesis that is around it',
    code: '1)), (globalThis.escaped = typeof fetch, async () => escaped)((',
    back: /^undefined$|^SyntaxError/,
  },
  {
    name: 'prepares stacks, to get the functions in them',
    code: `Error.prepareStackTrace = (_, frames) => frames
const frames = new Error().stack
return Array.isArray(frames) ? frames.flatMap((frame) => [frame.getFunction?.(), frame.getThis?.()]).filter((f) => f && f.constructor.constructor('return this')() !== globalThis).length : 0`,
    back: /^0$/,
  },
  {
    name: 'reads the names of files in stacks',
    code: 'return [...new Set(new Error().stack.match(/\\(([\\w:./-]+):\\d+:\\d+\\)/g)?.map((at) => at.split(":")[0]))].sort()',
    back: /^\["\(program","\(realm"\]$|^\["\(program"\]$/,
  },
  {
    name: 'replaces then, to see the promises of the runner',
    code: `const seen = []
const { then } = Promise.prototype
Promise.prototype.then = function (...args) { seen.push(String(args[0]).slice(0, 200)); return then.apply(this, args) }
await tools.echo.echo({ message: 'x' })
return seen.filter((text) => /ftl-run|capability|fetch/.test(text)).length`,
    back: /^0$/,
  },
  {
    name: 'sets a setter on arrays, to see the messages of the runner',
    code: `const seen = []
Object.defineProperty(Array.prototype, 0, { configurable: true, set(value) { seen[seen.length + 1] = value } })
try { await tools.echo.echo({ message: 'x' }) } finally { delete Array.prototype[0] }
return JSON.stringify(seen).includes('ftl-run')`,
    back: /^false$/,
  },
  {
    name: 'replaces JSON, to see what comes in',
    code: `const seen = []
const { parse } = JSON
JSON.parse = (text) => { seen.push(text); return parse(text) }
await tools.echo.echo({ message: 'x' })
return seen`,
    back: /^\[\]$/,
  },
]
