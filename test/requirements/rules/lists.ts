import { ALL, MODERN, page, type Rule } from '../rule.ts'

const PAGINATION = page('server/utilities/pagination')
const CACHING = page('server/utilities/caching')

export const pagination: readonly Rule[] = [
  {
    id: 'pagination.pages',
    revisions: ALL,
    level: 'MUST',
    rule: 'Following nextCursor shows every item of each of the four lists once; the last page has none.',
    source: `${PAGINATION}#response-format`,
  },
  {
    id: 'pagination.stable-cursors',
    revisions: ALL,
    level: 'SHOULD',
    rule: 'A cursor gives the same page every time.',
    source: `${PAGINATION}#implementation-guidelines`,
  },
  {
    id: 'pagination.invalid-cursor',
    revisions: ALL,
    level: 'SHOULD',
    rule: 'A cursor that was never given out is refused with -32602.',
    source: `${PAGINATION}#error-handling`,
  },
]

export const caching: readonly Rule[] = [
  {
    id: 'caching.hints',
    revisions: MODERN,
    level: 'MUST',
    rule: 'The results of discover, the four lists and resources/read say how long and by whom they may be kept.',
    source: `${CACHING}#cacheable-results`,
  },
  {
    id: 'caching.ttl',
    revisions: MODERN,
    level: 'MUST',
    rule: 'The time is a whole number of milliseconds, not negative.',
    source: `${CACHING}#time-to-live-ttl-field`,
  },
  {
    id: 'caching.scope',
    revisions: MODERN,
    level: 'MUST',
    rule: 'The scope is public or private.',
    source: `${CACHING}#cache-scope-field`,
  },
  {
    id: 'caching.every-page',
    revisions: MODERN,
    level: 'MUST',
    rule: 'Every page of a list has its own hints.',
    source: `${CACHING}#interaction-with-pagination`,
  },
]
