/** How the gateway of an application introduces itself: `[application]`, and what Spin does not allow there. */
import { keyHint, type Manifest } from 'ftl-host'
import type { ServerIcon, ServerInfo } from '../build/server-info.ts'
import { CommandFailure } from '../terminal/failure.ts'

type Table = Readonly<Record<string, unknown>>

const WHERE = '[application.tool.ftl]'

/** The others are those of `ftl add`. */
const KEYS = [
  ...['title', 'website_url', 'instructions', 'icons'],
  ...['require_signature', 'signers', 'identities', 'trusted_root'],
]

/** Clients get it with their first request, and models read the instructions. */
const MOST = { title: 200, address: 2048, instructions: 16_384, data: 32_768, icons: 10 } as const

/** Where `[application]` has no version. */
const VERSION = '0.0.0'

/** @throws {CommandFailure} naming the key that is wrong. */
export function serverOf({
  application,
  tool,
}: Pick<Manifest, 'application' | 'tool'>): ServerInfo {
  const table = tool['ftl'] ?? {}
  for (const key of Object.keys(table)) {
    if (!KEYS.includes(key))
      throw new CommandFailure(`${WHERE} ${key} is not a key of this table${keyHint(key, KEYS)}`)
  }
  const { name, version = VERSION, description } = application
  const title = text(table, 'title', MOST.title)
  const websiteUrl = text(table, 'website_url', MOST.address, /^https?:\/\/\S+$/i)
  const instructions = text(table, 'instructions', MOST.instructions)
  const icons = iconsOf(table['icons'])
  return {
    name,
    version,
    ...(title !== undefined && { title }),
    ...(description && { description }),
    ...(websiteUrl !== undefined && { websiteUrl }),
    ...(icons.length > 0 && { icons }),
    ...(instructions !== undefined && { instructions }),
  }
}

function text(table: Table, key: string, most: number, form = /\S/): string | undefined {
  const value = table[key]
  if (value === undefined) return undefined
  if (typeof value === 'string' && value.length <= most && form.test(value)) return value.trim()
  const what = key === 'website_url' ? 'an address that begins with https://' : 'a string'
  throw new CommandFailure(`${WHERE} ${key} must be ${what} of at most ${most} characters`)
}

/** @see https://modelcontextprotocol.io/specification/2025-11-25/basic#icons */
function iconsOf(value: unknown): ServerIcon[] {
  if (value === undefined) return []
  const refuse = (problem: string): never => {
    throw new CommandFailure(`${WHERE} icons ${problem}`)
  }
  if (!Array.isArray(value) || value.length > MOST.icons)
    return refuse(`must be a list of at most ${MOST.icons} tables, such as { src = "https://…" }`)
  const icons = value.map((each: unknown) => iconOf(each, refuse))
  const size = icons.reduce((sum, { src }) => sum + src.length, 0)
  return size <= MOST.data ? icons : refuse(`must have at most ${MOST.data} characters together`)
}

const THEMES: readonly unknown[] = ['light', 'dark']

function iconOf(value: unknown, refuse: (problem: string) => never): ServerIcon {
  if (typeof value !== 'object' || value === null) return refuse('must be tables with src')
  const { src, mime_type: mimeType, sizes, theme, ...others } = value as Table
  const [other] = Object.keys(others)
  if (other !== undefined)
    refuse(`have the unknown key ${other}; the keys are src, mime_type, sizes and theme`)
  // Clients take no others: another one could lead into the network of a user.
  if (typeof src !== 'string' || !/^(https:\/\/|data:image\/)\S+$/i.test(src))
    return refuse('src must be an address that begins with https:// or data:image/')
  if (mimeType !== undefined && typeof mimeType !== 'string')
    return refuse('mime_type must be a string, such as "image/png"')
  const isList = Array.isArray(sizes) && sizes.every((each) => /^(\d+x\d+|any)$/.test(String(each)))
  if (sizes !== undefined && !isList) return refuse('sizes must be a list, such as ["48x48"]')
  if (theme !== undefined && !THEMES.includes(theme))
    return refuse('theme must be "light" or "dark"')
  return {
    src,
    ...(mimeType !== undefined && { mimeType }),
    ...(isList && { sizes: sizes.map(String) }),
    ...(theme !== undefined && { theme: theme as 'light' | 'dark' }),
  }
}
