import { MODERN, page, type Rule } from '../rule.ts'

const BASE = page('basic/index')

/** What every modern request carries, and that nothing else is needed. */
export const meta: readonly Rule[] = [
  {
    id: 'meta.required',
    revisions: MODERN,
    level: 'MUST',
    rule: 'A request without version or client capabilities in its _meta is refused: 400, -32602.',
    source: `${BASE}#meta`,
  },
  {
    id: 'meta.client-info-optional',
    revisions: MODERN,
    level: 'MUST',
    rule: 'A request without clientInfo is served.',
    source: `${BASE}#meta`,
  },
  {
    id: 'meta.stateless',
    revisions: MODERN,
    level: 'MUST',
    rule: 'Nothing is taken from an earlier request: neither its version nor its capabilities.',
    source: `${BASE}#statelessness`,
  },
  {
    id: 'meta.missing-capability',
    revisions: MODERN,
    level: 'MUST',
    rule: 'What needs a capability the client did not declare is refused: 400, -32021, naming it.',
    source: `${BASE}#meta`,
  },
]
