import { ALL, LEGACY, MODERN, page, pageOf, type Rule, STREAMABLE } from '../rule.ts'

const PROGRESS = page('basic/patterns/progress')
const LOGGING = page('server/utilities/logging')
const SUBSCRIPTIONS = page('basic/patterns/subscriptions')

export const progress: readonly Rule[] = [
  {
    id: 'progress.only-asked',
    revisions: STREAMABLE,
    level: 'MUST',
    rule: 'Progress is sent only to a request that brought a token.',
    source: `${PROGRESS}#behavior-requirements`,
  },
  {
    id: 'progress.token',
    revisions: STREAMABLE,
    level: 'MUST',
    rule: 'It names the token of the request, in the same JSON type.',
    source: `${PROGRESS}#progress-flow`,
  },
  {
    id: 'progress.increases',
    revisions: STREAMABLE,
    level: 'MUST',
    rule: 'Its value grows with every notification, whatever the tool reports.',
    source: `${PROGRESS}#progress-flow`,
  },
  {
    id: 'progress.fields',
    revisions: STREAMABLE,
    level: 'MAY',
    rule: 'Total, message and fractions that the tool reports reach the client.',
    source: `${PROGRESS}#progress-flow`,
  },
  {
    id: 'progress.stops',
    revisions: STREAMABLE,
    level: 'MUST',
    rule: 'It stops once the request is answered.',
    source: `${PROGRESS}#implementation-notes`,
  },
]

export const logging: readonly Rule[] = [
  {
    id: 'logging.capability',
    revisions: ALL,
    level: 'MUST',
    rule: 'A server that sends log messages declares the capability logging.',
    source: `${LOGGING}#capabilities`,
  },
  {
    id: 'logging.only-asked',
    revisions: MODERN,
    level: 'MUST',
    rule: 'Log messages are sent only to a request that brought a level.',
    source: `${LOGGING}#per-request-log-level`,
  },
  {
    id: 'logging.level',
    revisions: MODERN,
    level: 'MUST',
    rule: 'They are of that level or above it.',
    source: `${LOGGING}#per-request-log-level`,
  },
  {
    id: 'logging.before-answer',
    revisions: STREAMABLE,
    level: 'MUST',
    rule: 'They come on the stream of their request, before its answer.',
    source: `${LOGGING}#per-request-log-level`,
  },
  {
    id: 'logging.unknown-level',
    revisions: ALL,
    level: 'SHOULD',
    rule: 'A level that does not exist is refused with -32602.',
    source: `${LOGGING}#error-handling`,
  },
  {
    id: 'logging.set-level',
    revisions: LEGACY,
    level: 'MUST',
    rule: 'logging/setLevel is answered with an empty result.',
    source: pageOf('2025-11-25', 'server/utilities/logging#setting-log-level'),
  },
  {
    id: 'logging.set-level-kept',
    revisions: LEGACY,
    level: 'SHOULD',
    rule: 'Later requests get only messages of the level that was set.',
    source: pageOf('2025-11-25', 'server/utilities/logging#message-flow'),
    unmet: 'There is no session to keep the level in.',
  },
]

export const subscriptions: readonly Rule[] = [
  {
    id: 'subscriptions.acknowledged',
    revisions: MODERN,
    level: 'MUST',
    rule: 'subscriptions/listen is acknowledged before anything else is sent.',
    source: `${SUBSCRIPTIONS}#acknowledgment`,
  },
  {
    id: 'subscriptions.filter',
    revisions: MODERN,
    level: 'MUST',
    rule: 'The acknowledgment names what will be sent: nothing, because no change is announced.',
    source: `${SUBSCRIPTIONS}#acknowledgment`,
  },
  {
    id: 'subscriptions.id',
    revisions: MODERN,
    level: 'MUST',
    rule: 'Every message names the request that opened the stream.',
    source: `${SUBSCRIPTIONS}#receiving-notifications`,
  },
  {
    id: 'subscriptions.ends',
    revisions: MODERN,
    level: 'MUST',
    rule: 'A stream on which nothing can come is closed.',
    source: `${SUBSCRIPTIONS}#cancellation`,
  },
  {
    id: 'subscriptions.graceful',
    revisions: MODERN,
    level: 'SHOULD',
    rule: 'A subscription that the server ends, such as when it stops, ends with the result of its request.',
    source: `${SUBSCRIPTIONS}#graceful-closure`,
  },
]
