import { REFERENCE, type Rule } from '../rule.ts'

const DOCUMENT = 'test/fixtures/seeds/api-reference.md'

/** The API reference of this gateway, for clients that name no revision. */
export const reference: readonly Rule[] = [
  {
    id: 'reference.initialize',
    revisions: REFERENCE,
    level: 'MUST',
    rule: 'initialize with 0.1.0 is answered with 0.1.0, the capability tools and the name of the gateway.',
    source: `${DOCUMENT}#initialize`,
  },
  {
    id: 'reference.list',
    revisions: REFERENCE,
    level: 'MUST',
    rule: 'tools/list needs no params and no handshake.',
    source: `${DOCUMENT}#toolslist`,
  },
  {
    id: 'reference.call',
    revisions: REFERENCE,
    level: 'MUST',
    rule: 'tools/call answers with the content of the tool and nothing else.',
    source: `${DOCUMENT}#toolscall`,
  },
  {
    id: 'reference.standard-errors',
    revisions: REFERENCE,
    level: 'MUST',
    rule: 'The five JSON-RPC codes have the messages of its table.',
    source: `${DOCUMENT}#standard-json-rpc-errors`,
  },
  {
    id: 'reference.tool-not-found',
    revisions: REFERENCE,
    level: 'MUST',
    rule: 'A tool that is not there is -32001, with its name in data.tool.',
    source: `${DOCUMENT}#mcp-specific-errors`,
  },
  {
    id: 'reference.tool-error',
    revisions: REFERENCE,
    level: 'MUST',
    rule: 'A tool that fails is -32002, with its name in data.tool.',
    source: `${DOCUMENT}#mcp-specific-errors`,
  },
  {
    id: 'reference.invalid-arguments',
    revisions: REFERENCE,
    level: 'MUST',
    rule: 'Arguments that do not fit are -32602, with -32003 and the name of the tool in data.',
    source: `${DOCUMENT}#mcp-specific-errors`,
  },
  {
    id: 'reference.gateway-error',
    revisions: REFERENCE,
    level: 'MUST',
    rule: 'A component that does not answer is -32004, with the name of the tool in data.tool.',
    source: `${DOCUMENT}#mcp-specific-errors`,
  },
]
