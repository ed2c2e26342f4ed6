/** A token that is valid, and permits too little. */
import { parameterOf } from '../challenge-header.ts'
import { accepted, seenOf } from '../expectations.ts'
import type { Lab } from '../lab.ts'
import { all, type Finding, MCP, rfc, type Row, untestable, verdict } from '../row.ts'

const NONE = untestable('the server needs no scope (--scope)')
const HANDLING = `${MCP}#scope-challenge-handling`

const withScope = (lab: Lab, scope: string | undefined) =>
  lab.send({ token: lab.token({ claims: { scope } }) })

/** A row about the answer to a token without any scope. */
function challenge(
  id: string,
  sentence: string,
  judge: (lab: Lab, value: (name: string) => string | undefined) => Finding,
): Row {
  return {
    id,
    level: 'SHOULD',
    sentence,
    source: HANDLING,
    async check(lab) {
      if (lab.target.scopes.length === 0) return NONE
      const read = lab.challengeOf(await withScope(lab, 'unrelated'))
      return judge(lab, (name) => parameterOf(read, name))
    },
  }
}

export const scopes: readonly Row[] = [
  {
    id: 'scope.insufficient',
    level: 'MUST',
    sentence:
      'Servers MUST return appropriate HTTP status codes for authorization errors: 403 Forbidden, invalid scopes or insufficient permissions.',
    source: `${MCP}#error-handling`,
    async check(lab) {
      if (lab.target.scopes.length === 0) return NONE
      const findings = []
      for (const scope of [undefined, '', 'unrelated']) {
        const answer = await withScope(lab, scope)
        const what = scope === undefined ? 'no scope' : `scope "${scope}"`
        findings.push(verdict(answer.status === 403, seenOf(answer, what)))
      }
      return all(findings)
    },
  },
  challenge(
    'scope.error',
    'When a client makes a request with an access token with insufficient scope during runtime operations, the server SHOULD respond with error="insufficient_scope".',
    (_, value) =>
      verdict(value('error') === 'insufficient_scope', `error="${value('error') ?? ''}"`),
  ),
  challenge(
    'scope.all-at-once',
    'Servers SHOULD include all scopes required for the current operation in a single challenge.',
    ({ target }, value) => {
      const named = value('scope')?.split(' ') ?? []
      return verdict(
        target.scopes.every((needed) => named.includes(needed)),
        `scope="${value('scope') ?? ''}"`,
      )
    },
  ),
  challenge(
    'scope.resource-metadata',
    'resource_metadata - the URI of the Protected Resource Metadata document (for consistency with 401 responses).',
    (_, value) =>
      verdict(value('resource_metadata') !== undefined, value('resource_metadata') ?? 'absent'),
  ),
  {
    id: 'scope.some',
    level: 'MUST',
    sentence:
      'insufficient_scope: The request requires higher privileges than provided by the access token. The resource server SHOULD respond with the HTTP 403 (Forbidden) status code.',
    source: rfc(6750, '3.1'),
    async check(lab) {
      const [first, ...others] = lab.target.scopes
      if (first === undefined || others.length === 0)
        return untestable('needs two scopes (--scope)')
      return all([
        verdict((await withScope(lab, first)).status === 403, `${first} alone`),
        verdict((await withScope(lab, others.join(' '))).status === 403, `without ${first}`),
      ])
    },
  },
  {
    id: 'scope.exact-words',
    level: 'MUST',
    sentence:
      'The value of the scope parameter is expressed as a list of space-delimited, case-sensitive strings.',
    source: rfc(6749, '3.3'),
    async check(lab) {
      const all_ = lab.target.scopes
      if (all_.length === 0) return NONE
      const findings = []
      for (const [what, scope] of [
        ['longer', all_.map((one) => `${one}x`).join(' ')],
        ['in upper case', all_.join(' ').toUpperCase()],
        ['with commas', `${all_.join(',')},x`],
      ] as const) {
        const answer = await withScope(lab, scope)
        findings.push(verdict(answer.status === 403, seenOf(answer, what)))
      }
      return all(findings)
    },
  },
  {
    id: 'scope.more-is-fine',
    level: 'MUST',
    sentence:
      'The strings are defined by the authorization server. If the value contains multiple space-delimited strings, their order does not matter, and each string adds an additional access range to the requested scope.',
    source: rfc(6749, '3.3'),
    check: (lab) => {
      const scope = ['more', ...[...lab.target.scopes].reverse(), 'files:read'].join(' ')
      return accepted(lab, { token: lab.token({ claims: { scope } }) }, scope)
    },
  },
  {
    id: 'scope.advertised',
    level: 'SHOULD',
    sentence:
      'The scopes included in the WWW-Authenticate challenge MAY match scopes_supported, be a subset or superset of it. (So a scope that clients only request must not be one that every token needs.)',
    source: `${MCP}#scope-selection-strategy`,
    async check(lab) {
      const { scopes: needed } = lab.target
      const challenged = parameterOf(lab.challengeOf(await lab.send()), 'scope')?.split(' ') ?? []
      const more = challenged.filter((scope) => !needed.includes(scope))
      if (more.length === 0)
        return untestable('the server advertises no scope that it does not need')
      return accepted(lab, { token: lab.token() }, `without ${more.join(' ')}`)
    },
  },
  {
    id: 'scope.hierarchies',
    level: 'MUST',
    sentence:
      'Servers MUST account for scope hierarchies, where a broader scope implies narrower ones, when deciding whether a token is sufficient for an operation.',
    source: `${MCP}#step-up-authorization-flow`,
    check: () => untestable('only the server’s own documentation says which scope implies which'),
  },
]
