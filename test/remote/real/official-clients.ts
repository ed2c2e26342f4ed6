/** The official clients, which list the tools of an endpoint and take the same steps at it. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import {
  Client as Client2,
  StreamableHTTPClientTransport as Transport2,
} from '@modelcontextprotocol/client'
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as Transport1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { installPythonPackage } from '../../support/python-package.ts'

/** What a client asks for after it has listed the tools. */
export type Step = { arguments?: Record<string, string | number | boolean> } & (
  | { call: string; progress?: true }
  | { read: string }
  | { prompt: string }
  | { complete: string; argument: { name: string; value: string } }
)

export interface Outcome {
  result?: Record<string, unknown>
  /** Of a request that failed. */
  error?: string
  progress: number[]
}

export interface ListedTool {
  name: string
  description?: string | undefined
  inputSchema: object
  outputSchema?: object | undefined
}

/** All that a client got. */
interface Reading {
  tools: ListedTool[]
  outcomes: Outcome[]
}

export type Reader = (url: string, steps: readonly Step[]) => Promise<Reading>

const ME = { name: 'real-servers', version: '1' }
const PYTHON = ['mcp', '2.3.0'] as const
/** A whole reading in Python. */
const LIMIT_MS = 180_000

/** What both clients for TypeScript have, whose types differ in details. */
interface Requests {
  listTools(params?: {
    cursor?: string | undefined
  }): Promise<{ tools: ListedTool[]; nextCursor?: string | undefined }>
  readResource(params: { uri: string }): Promise<object>
  getPrompt(params: { name: string; arguments?: Record<string, string> }): Promise<object>
  complete(params: {
    ref: { type: 'ref/prompt'; name: string }
    argument: { name: string; value: string }
  }): Promise<object>
  close(): Promise<void>
}

interface Call {
  name: string
  arguments: Record<string, unknown>
}
interface Following {
  onprogress?: (progress: { progress: number }) => void
}
type CallTool = (call: Call, options: Following) => Promise<object>

async function allTools(client: Pick<Requests, 'listTools'>): Promise<ListedTool[]> {
  const tools: ListedTool[] = []
  let cursor: string | undefined
  do {
    const page = await client.listTools({ cursor })
    tools.push(...page.tools)
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return tools
}

/** SDK 1.x. */
export const readV1: Reader = async (url, steps) => {
  const client = new Client1(ME)
  await client.connect(new Transport1(new URL(url)))
  const call: CallTool = (call, options) => client.callTool(call, undefined, options)
  return readingOf(client, call, steps)
}

/** SDK 2.x, which asks for revision 2026-07-28 first. */
export const readV2: Reader = async (url, steps) => {
  const client = new Client2(ME, { versionNegotiation: { mode: 'auto' } })
  await client.connect(new Transport2(new URL(url)))
  return readingOf(client, (call, options) => client.callTool(call, options), steps)
}

async function readingOf(
  client: Requests,
  callTool: CallTool,
  steps: readonly Step[],
): Promise<Reading> {
  const tools = await allTools(client)
  const outcomes: Outcome[] = []
  for (const step of steps) outcomes.push(await outcomeOf(client, callTool, step))
  await client.close()
  return { tools, outcomes }
}

async function outcomeOf(client: Requests, callTool: CallTool, step: Step): Promise<Outcome> {
  const progress: number[] = []
  try {
    const result = await take(client, callTool, step, progress)
    return { result: { ...result }, progress }
  } catch (error) {
    return { error: String(error), progress }
  }
}

function take(
  client: Requests,
  callTool: CallTool,
  step: Step,
  progress: number[],
): Promise<object> {
  const { arguments: args = {} } = step
  if ('call' in step) {
    const onprogress = (each: { progress: number }) => void progress.push(each.progress)
    return callTool({ name: step.call, arguments: args }, step.progress ? { onprogress } : {})
  }
  if ('read' in step) return client.readResource({ uri: step.read })
  if ('prompt' in step) {
    return client.getPrompt({ name: step.prompt, arguments: args as Record<string, string> })
  }
  const ref = { type: 'ref/prompt' as const, name: step.complete }
  return client.complete({ ref, argument: step.argument })
}

/** The client for Python. @returns why there is none, if it cannot be installed. */
export async function pythonReader(): Promise<Reader | string> {
  const installed = await installPythonPackage(...PYTHON)
  if ('missing' in installed) return installed.missing
  const script = fileURLToPath(new URL('official-client.py', import.meta.url))
  return async (url, steps) => {
    const line = [script, url, JSON.stringify(steps)]
    const options = { maxBuffer: 64 * 1024 * 1024, timeout: LIMIT_MS }
    const { stdout } = await promisify(execFile)(join(installed.bin, 'python'), line, options)
    return JSON.parse(stdout) as Reading
  }
}

/** What a process lists, without anything of ours between it and the client. */
export async function toolsOfProcess({
  command,
  args = [],
  env = {},
}: {
  command: string
  args?: string[]
  env?: Record<string, string>
}): Promise<ListedTool[]> {
  const client = new Client1(ME)
  const inherited = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  )
  const all = { ...(Object.fromEntries(inherited) as Record<string, string>), ...env }
  await client.connect(new StdioClientTransport({ command, args, env: all, stderr: 'ignore' }))
  try {
    return await allTools(client)
  } finally {
    await client.close()
  }
}
