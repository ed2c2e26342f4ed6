/** What servers answer that offer tools only: to what they have, and to what they have not. */
import { type Case, post } from './case.ts'
import { MESSAGES, type Message } from './messages.ts'
import { modern } from './modern-request.ts'

const ASKED =
  /^((tools|prompts|resources|resources\/templates)-list|(call|prompt|read)-(good|unknown)|complete-(prompt|template))$/

const LEVEL: Message = { name: 'set-level', method: 'logging/setLevel', params: { level: 'info' } }
const SUBSCRIBE: Message = {
  name: 'subscribe',
  method: 'resources/subscribe',
  params: { uri: 'test://static' },
}

const messages = MESSAGES.filter(({ name }) => ASKED.test(name))

export const TOOLS_ONLY_CASES: readonly Case[] = [
  ...[...messages, LEVEL, SUBSCRIBE].map(({ name, method, params }) =>
    post(
      `legacy/${name}`,
      { jsonrpc: '2.0', id: 1, method, params },
      { headers: { 'mcp-protocol-version': '2025-11-25' } },
    ),
  ),
  post('initialize', {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: '2025-11-25',
      clientInfo: { name: 'c', version: '1' },
      capabilities: {},
    },
  }),
  ...[...messages, { name: 'discover', method: 'server/discover' }].map((message) =>
    modern(message.name, message),
  ),
].map((one) => ({ ...one, id: `tools-only/${one.id}`, toolsOnly: true }))
