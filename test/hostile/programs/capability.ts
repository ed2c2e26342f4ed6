import type { HostileProgram } from './program.ts'

/** They want to do more than the caller of run_code may do. */
export const CAPABILITIES: HostileProgram[] = [
  {
    name: 'calls the gateway as if it were a tool',
    code: 'return await tools["mcp-gateway"].anything({})',
    back: /^TypeError: cannot read property 'anything' of undefined/,
  },
  {
    name: 'runs a program in a program',
    code: 'return [typeof tools.code?.run_code, Object.keys(tools).includes("code")]',
    back: /^\["undefined",false\]$/,
  },
  {
    name: 'runs a program past the gateway, by a tool that can reach the code component',
    code: 'return await tools["my-target"].again({})',
    back: /run_code must be called through the gateway/,
  },
  {
    name: 'has a tool call the gateway without a capability',
    code: 'return await tools["my-target"].forge({ path: "/run/call" })',
    back: /^401 .*"run_invalid"/,
  },
  {
    name: 'has a tool call the gateway with a capability of its own making',
    code: `const grant = btoa(JSON.stringify({ run: 'x', startedAt: 0, deadline: 1e15, maxCalls: 1e9, attempt: 0, nonce: 'x', origin: '', request: '', client: {} })).replace(/=+$/, '')
return await tools["my-target"].forge({ path: "/run/call", capability: grant + '.' + 'A'.repeat(43) })`,
    back: /^401 .*"run_invalid"/,
  },
  {
    name: 'has a tool list what a run may call, with a long text for a capability',
    code: 'return await tools["my-target"].forge({ path: "/run/tools", capability: "A".repeat(10000) })',
    back: /^4\d\d /,
  },
  {
    name: 'makes more calls than it may',
    code: `const calls = await Promise.allSettled(Array.from({ length: 104 }, () => tools["my-target"].value({})))
return calls.filter(({ reason }) => reason?.code === 'too_many_calls').length`,
    back: /^4$/,
  },
  {
    name: 'calls a tool with arguments that are not an object',
    code: 'return await tools.echo.echo("text")',
    back: /^TypeError: the arguments of echo.echo must be an object/,
  },
  {
    name: 'calls a tool with arguments that it refuses',
    code: 'return await tools.echo.echo({ message: 1 })',
    back: /^ToolError: .*\n? *in echo\.echo/s,
  },
  {
    name: 'swallows the error of a tool, which names no path and no stack of the host',
    code: 'try { await tools["my-target"].fail({}) } catch (e) { return JSON.stringify({ ...e, message: e.message }) }',
    back: /^\{"code":"tool_error","tool":"my-target\.fail","message":"the printer has no paper"\}$/,
  },
]
