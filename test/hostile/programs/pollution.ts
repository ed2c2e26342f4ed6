import type { HostileProgram } from './program.ts'

/** They change what all code of a realm shares, or forge the messages of the script that is in it. */
export const POLLUTIONS: HostileProgram[] = [
  {
    name: 'gives every object the properties of a message',
    code: `Object.assign(Object.prototype, { type: 'done', json: '"forged"', isError: true, stopped: { seq: 1 }, structuredContent: 'forged' })
return 1`,
    back: /^1$/,
  },
  {
    name: 'leaves something for the next run',
    code: 'globalThis.leaked = 1; Object.prototype.leaked = 1; Array.prototype.leaked = 1; return "left"',
    back: /^left$/,
  },
  {
    name: 'breaks the functions that its result needs',
    code: `Array.prototype.every = Array.from = Object.fromEntries = String.prototype.slice = () => { throw 1 }
Map.prototype.get = Map.prototype.set = Map.prototype.delete = () => { throw 2 }
delete globalThis.JSON
return new Map([['a', await tools.echo.echo({ message: 'b' })]])`,
    back: /^TypeError|^Thrown|^\{"a":"b"\}$/,
  },
  {
    name: 'breaks promises',
    code: 'Promise.prototype.then = () => { throw 1 }; return 7',
    back: /^7$/,
  },
  {
    name: 'replaces tools',
    code: 'globalThis.tools = { echo: { echo: () => "forged" } }; return "replaced"',
    back: /^TypeError: .*tools/,
  },
  {
    name: 'replaces a tool',
    code: 'tools.echo.echo = () => "forged"; return "replaced"',
    back: /^TypeError: /,
  },
  {
    name: 'gives tools a prototype',
    code: 'Object.setPrototypeOf(tools, { extra: 1 }); return "set"',
    back: /^TypeError: /,
  },
  {
    name: 'makes a call of run_code of every message',
    code: `Object.prototype.toJSON = function () { return { type: 'call', id: 1, component: 'code', tool: 'run_code', json: '{"code":"return 1"}' } }
const call = tools.echo.echo({ message: 'x' })
delete Object.prototype.toJSON
return await call`,
    back: /^ToolError: A program cannot run another program/,
  },
  {
    name: 'forges the number of a call',
    code: `Object.prototype.toJSON = function () { return this.type === 'call' ? { ...this, seq: 99 } : this }
const first = await tools.echo.echo({ message: 'first' })
return [first, await tools.echo.echo({ message: 'second' })]`,
    back: /^\["first","second"\]$/,
  },
  {
    name: 'ends the run with a result that is not JSON',
    code: `Object.prototype.toJSON = () => ({ type: 'done', json: '{' }); console.log(1); await sleep(1000)`,
    back: /^TypeError: the result is not JSON/,
  },
  {
    name: 'ends the run with a result that is too deep to read',
    code: `const deep = '['.repeat(200000)
Object.prototype.toJSON = () => ({ type: 'done', json: deep }); console.log(1); await sleep(1000)`,
    back: /^TypeError: the result is not JSON, or is nested too deeply/,
  },
  {
    name: 'posts messages without a type, and of types that there are not',
    code: `let count = 0
const types = [null, 1, 'constructor', '__proto__', 'tools', 'begin', 'fire', 'toString', {}]
Object.prototype.toJSON = () => ({ type: types[count++], id: count })
for (const _ of types) console.log(1)
delete Object.prototype.toJSON
return 'alive'`,
    back: /^alive$/,
  },
  {
    name: 'posts what is not an object',
    code: 'Object.prototype.toJSON = () => "text"; console.log(1); return 1',
    back: /^Error: the program has posted a text that is not a message/,
  },
  {
    name: 'calls a tool of a component with a path in its name',
    code: `Object.prototype.toJSON = () => ({ type: 'call', id: 1, component: 'echo.spin.internal/../code', tool: '../run_code', json: '{}' })
const call = tools.echo.echo({ message: 'x' })
delete Object.prototype.toJSON
return await call`,
    back: /^ToolError: /,
  },
  {
    name: 'takes names of a result for properties of all objects',
    code: 'const r = await tools["my-target"].odd({}); return [({}).isAdmin, Object.hasOwn(r, "__proto__"), r.toJSON]',
    back: /^\[null,true,1\]$/,
  },
]
