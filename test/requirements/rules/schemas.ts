import { ALL, page, type Rule } from '../rule.ts'

const BASE = page('basic/index')
const NEWER = ['2026-07-28', '2025-11-25'] as const

/** JSON Schema, as tools publish it. */
export const schemas: readonly Rule[] = [
  {
    id: 'schema.default-dialect',
    revisions: NEWER,
    level: 'MUST',
    rule: 'A schema without $schema is read as JSON Schema 2020-12.',
    source: `${BASE}#implementation-requirements`,
  },
  {
    id: 'schema.declared-dialect',
    revisions: NEWER,
    level: 'MUST',
    rule: 'A schema with $schema is read in the dialect it names.',
    source: `${BASE}#implementation-requirements`,
  },
  {
    id: 'schema.unknown-dialect',
    revisions: NEWER,
    level: 'MUST',
    rule: 'A dialect that is not supported ends in an error that says so.',
    source: `${BASE}#implementation-requirements`,
  },
  {
    id: 'schema.no-network',
    revisions: ['2026-07-28'],
    level: 'MUST',
    rule: 'A $ref to the network is not fetched.',
    source: `${BASE}#ref-resolution`,
  },
  {
    id: 'schema.unresolved-ref',
    revisions: ['2026-07-28'],
    level: 'SHOULD',
    rule: 'A schema with such a $ref is refused and does not let everything pass.',
    source: `${BASE}#ref-resolution`,
  },
  {
    id: 'schema.bounded',
    revisions: ['2026-07-28'],
    level: 'SHOULD',
    rule: 'A schema without end, or with very many branches, costs an error and not the server.',
    source: `${BASE}#composition-keyword-resource-use`,
  },
  {
    id: 'schema.kept',
    revisions: ALL,
    level: 'MUST',
    rule: 'An input schema reaches the client with all its keywords.',
    source: page('server/tools#tool'),
  },
]
