/** A call as a command or a program. Arguments are data of strangers: each snippet quotes them for its own language. */
import type { Json } from '../../form/schema/values.ts'

export interface Call {
  /** Of the gateway. */
  origin: string
  tool: string
  args: Json
}

export interface Snippet {
  name: string
  of: (call: Call) => string
}

export const SNIPPETS: readonly Snippet[] = [
  { name: 'curl', of: curl },
  { name: 'ftl call', of: ftlCall },
  { name: 'MCP JSON', of: mcpJson },
  { name: 'TypeScript', of: typeScript },
  { name: 'Python', of: python },
]

/** In single quotes a shell changes nothing; a single quote itself goes between two of them. */
function shell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

function curl({ origin, tool, args }: Call): string {
  const body = JSON.stringify({ tool, params: args })
  return `curl -sS ${shell(`${origin}/invoke`)} \\\n  -H 'content-type: application/json' \\\n  --data-raw ${shell(body)}`
}

function ftlCall({ origin, tool, args }: Call): string {
  return `npx ftl call ${shell(tool)} ${shell(JSON.stringify(args))} --url ${shell(`${origin}/mcp`)}`
}

function mcpJson({ tool, args }: Call): string {
  const params = { name: tool, arguments: args }
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }, null, 2)
}

/** JSON is JavaScript, but for a key `__proto__`, which would set a prototype: such arguments are parsed. */
function typeScript({ origin, tool, args }: Call): string {
  const json = JSON.stringify(args, null, 2)
  const written = json.includes('"__proto__"')
    ? `JSON.parse(${JSON.stringify(JSON.stringify(args))})`
    : json
  return [
    "import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'",
    '',
    "const client = new Client({ name: 'my-program', version: '1.0.0' })",
    `await client.connect(new StreamableHTTPClientTransport(new URL(${JSON.stringify(`${origin}/mcp`)})))`,
    `const result = await client.callTool({`,
    `  name: ${JSON.stringify(tool)},`,
    `  arguments: ${indented(written)},`,
    `})`,
    'console.log(JSON.stringify(result))',
    'await client.close()',
  ].join('\n')
}

function indented(text: string): string {
  return text.replaceAll('\n', '\n  ')
}

/** Python parses the arguments from JSON in ASCII: a literal of JSON has no quoting that Python reads otherwise. */
function python({ origin, tool, args }: Call): string {
  const body = ascii(JSON.stringify(JSON.stringify({ tool, params: args })))
  return [
    'import json',
    'import urllib.request',
    '',
    `body = ${body}`,
    'request = urllib.request.Request(',
    `    ${ascii(JSON.stringify(`${origin}/invoke`))},`,
    '    data=body.encode(),',
    '    headers={"content-type": "application/json"},',
    ')',
    'with urllib.request.urlopen(request) as response:',
    '    print(json.dumps(json.load(response)))',
  ].join('\n')
}

/** Python joins no surrogates: a character beyond the first plane is one escape of its own. */
function ascii(text: string): string {
  return text.replace(/[\u{7f}-\u{10ffff}]/gu, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16)
    return code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`
  })
}
