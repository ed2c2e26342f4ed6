import { ALL, LEGACY, MODERN, page, pageOf, type Rule } from '../rule.ts'

const VERSIONING = page('basic/versioning')
const HTTP = page('basic/transports/streamable-http')
const LIFECYCLE = pageOf('2025-11-25', 'basic/lifecycle')
const OLD_HTTP = pageOf('2025-11-25', 'basic/transports')

/** Both eras at one endpoint, and which revision a request speaks. */
export const versioning: readonly Rule[] = [
  {
    id: 'version.discover',
    revisions: MODERN,
    level: 'MUST',
    rule: 'server/discover is implemented, and may come first, last or never.',
    source: `${VERSIONING}#protocol-version-negotiation`,
  },
  {
    id: 'version.discover-result',
    revisions: MODERN,
    level: 'MUST',
    rule: 'It tells the versions and the capabilities of the server.',
    source: page('server/discover#discoverresult'),
  },
  {
    id: 'version.unsupported',
    revisions: MODERN,
    level: 'MUST',
    rule: 'A version that is not served is refused: 400, -32022, with the versions that are.',
    source: `${HTTP}#protocol-version-header`,
  },
  {
    id: 'version.supported-served',
    revisions: MODERN,
    level: 'MUST',
    rule: 'Every version of that list is in server/discover and is served.',
    source: `${VERSIONING}#protocol-version-negotiation`,
  },
  {
    id: 'version.unknown-method',
    revisions: MODERN,
    level: 'MUST',
    rule: 'A method the server does not have is answered with 404 and -32601.',
    source: `${HTTP}#protocol-version-header`,
  },
  {
    id: 'version.removed-methods',
    revisions: MODERN,
    level: 'MUST',
    rule: 'The methods that the revision took away are unknown methods.',
    source: page('changelog#major-changes'),
  },
  {
    id: 'version.both-eras',
    revisions: ALL,
    level: 'MAY',
    rule: 'One endpoint serves both eras, whatever another client of it speaks.',
    source: `${VERSIONING}#backward-compatibility-with-initialization-based-versions`,
  },
  {
    id: 'version.body-decides',
    revisions: MODERN,
    level: 'MUST',
    rule: 'A request with the version in its _meta is served by that revision, without a handshake.',
    source: `${VERSIONING}#backward-compatibility-with-initialization-based-versions`,
  },
  {
    id: 'version.legacy-as-agreed',
    revisions: LEGACY,
    level: 'MUST',
    rule: 'A client that opens with initialize gets results of its own revision, without modern fields.',
    source: `${LIFECYCLE}#operation`,
  },
  {
    id: 'version.unknown-extension',
    revisions: MODERN,
    level: 'MUST',
    rule: 'A client that declares an extension the server does not have is served by the core protocol.',
    source: `${VERSIONING}#extension-negotiation`,
  },
  {
    id: 'version.initialize',
    revisions: LEGACY,
    level: 'MUST',
    rule: 'initialize is answered with the capabilities and the name of the server.',
    source: `${LIFECYCLE}#initialization`,
  },
  {
    id: 'version.initialize-same',
    revisions: LEGACY,
    level: 'MUST',
    rule: 'A version that is served is answered with the same version.',
    source: `${LIFECYCLE}#version-negotiation`,
  },
  {
    id: 'version.initialize-other',
    revisions: LEGACY,
    level: 'MUST',
    rule: 'A version that is not served is answered with one that is.',
    source: `${LIFECYCLE}#version-negotiation`,
  },
  {
    id: 'version.initialize-newest',
    revisions: LEGACY,
    level: 'SHOULD',
    rule: 'That one is the newest with a handshake.',
    source: `${LIFECYCLE}#version-negotiation`,
  },
  {
    id: 'version.initialized',
    revisions: LEGACY,
    level: 'MUST',
    rule: 'notifications/initialized is accepted.',
    source: `${LIFECYCLE}#initialization`,
  },
  {
    id: 'version.header-unknown',
    revisions: ['2025-11-25', '2025-06-18'],
    level: 'MUST',
    rule: 'An MCP-Protocol-Version that is not served is answered with 400.',
    source: `${OLD_HTTP}#protocol-version-header`,
  },
  {
    id: 'version.header-absent',
    revisions: ['2025-11-25', '2025-06-18', '2025-03-26'],
    level: 'SHOULD',
    rule: 'A request without that header is served as 2025-03-26.',
    source: `${OLD_HTTP}#protocol-version-header`,
  },
  {
    id: 'version.ping',
    revisions: LEGACY,
    level: 'MUST',
    rule: 'ping is answered with an empty result.',
    source: pageOf('2025-11-25', 'basic/utilities/ping#behavior-requirements'),
  },
  {
    id: 'capabilities.no-change-notifications',
    revisions: ALL,
    level: 'MUST',
    rule: 'listChanged is declared only under ftl dev, because no change is announced otherwise.',
    source: page('server/tools#capabilities'),
  },
]
