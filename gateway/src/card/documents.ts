/** The card of the server, and the catalog that leads to it. */
import { originOf } from '../calls/client-request.ts'
import { LEGACY_VERSIONS, MODERN_VERSIONS, REFERENCE_VERSION } from '../calls/mcp-versions.ts'
import { SERVER_INFO } from '../server-info.ts'
import type { CardSettings } from './card-settings.ts'

const CARD_PATH = '/mcp/server-card'
const CATALOG_PATH = '/.well-known/ai-catalog.json'

const CARD_TYPE = 'application/mcp-server-card+json'
const CATALOG_TYPE = 'application/ai-catalog+json'
const SCHEMA = 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json'

/** Characters of a title and of a description. */
const MAX_TEXT = 100

export interface CardDocument {
  /** Media type. */
  type: string
  value: object
}

type Named = NonNullable<CardSettings['serverCard']>

export function isCardPath(pathname: string): boolean {
  return pathname === CARD_PATH || pathname === CATALOG_PATH
}

/** @param pathname one of {@link isCardPath}. */
export function documentAt(
  request: Request,
  pathname: string,
  { name, url = `${originOf(request)}/mcp` }: Named,
): CardDocument {
  return pathname === CARD_PATH
    ? { type: CARD_TYPE, value: cardOf(name, url) }
    : { type: CATALOG_TYPE, value: catalogOf(name, url) }
}

function cardOf(name: string, url: string): object {
  const { version, title, description, websiteUrl, icons } = SERVER_INFO
  const versions = [...MODERN_VERSIONS, ...LEGACY_VERSIONS]
  return {
    $schema: SCHEMA,
    name,
    version,
    description: cut(description ?? title ?? SERVER_INFO.name),
    ...(title !== undefined && { title: cut(title) }),
    ...(websiteUrl !== undefined && { websiteUrl }),
    ...(icons && { icons }),
    remotes: [
      {
        type: 'streamable-http',
        url,
        // MCP has no such version as that of the API reference.
        supportedProtocolVersions: versions.filter((each) => each !== REFERENCE_VERSION),
      },
    ],
  }
}

function catalogOf(name: string, url: string): object {
  const [namespace = '', own = ''] = name.split('/')
  const publisher = namespace.split('.').reverse().join('.')
  return {
    specVersion: '1.0',
    entries: [
      { identifier: `urn:air:${publisher}:mcp:${own}`, type: CARD_TYPE, url: `${url}/server-card` },
    ],
  }
}

function cut(text: string): string {
  const characters = [...text]
  return characters.length > MAX_TEXT ? `${characters.slice(0, MAX_TEXT - 1).join('')}…` : text
}
