/** A tool's result for people: texts as they are, and files as the paths where they were saved. */
import type { ToolResult } from 'ftl-client'
import { isOwnLink, type LinkSource, readLink } from './linked-file.ts'
import { NotSaved, type SavedFiles } from './saved-files.ts'

type Content = ToolResult['content'][number]

/** File name extensions by media type. Other types use the second half of their name. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/svg+xml': 'svg',
  'audio/mpeg': 'mp3',
  'text/plain': 'txt',
  'application/octet-stream': 'bin',
}

export interface ResultOptions {
  /** Names the files whose content is part of the result. */
  tool: string
  files: SavedFiles
  /** Where linked files are fetched from. @default linked files are not fetched */
  links?: LinkSource | undefined
}

export interface ResultText {
  text: string
  /** A file that could not be saved. */
  isFailure?: boolean
}

/** Saves the files of a result. @returns one text for each content, except links that a text names. */
export async function resultTexts(
  { content }: ToolResult,
  { tool, files, links }: ResultOptions,
): Promise<ResultText[]> {
  let count = 0
  const save = (data: string, type: string): string => {
    const bytes = Buffer.from(data, 'base64')
    const path = files.write(`${tool.replaceAll('/', '_')}-${++count}.${extensionOf(type)}`, bytes)
    return `${path} (${type}, ${bytes.length} bytes)`
  }
  const texts: ResultText[] = []
  // Tools name the address in a text, too, for clients that show no links.
  const said = content.flatMap((each) => (each.type === 'text' ? each.text.split(/\s+/) : []))
  for (const each of content) {
    const uri = linkOf(each)
    if (!links && each.type === 'resource_link' && said.includes(each.uri)) continue
    texts.push(
      uri !== undefined && links
        ? await saveLink(uri, each, files, links)
        : savedText(() => uri ?? textOf(each, save)),
    )
  }
  return texts
}

/** A file that cannot be written does not hide the other contents. */
function savedText(text: () => string): ResultText {
  try {
    return { text: text() }
  } catch (error) {
    if (!(error instanceof NotSaved)) throw error
    return { text: `A file of the result was not saved: ${error.message}`, isFailure: true }
  }
}

/** The address of a linked file. Streams name the address of a picture where the protocol has its bytes. */
function linkOf(content: Content): string | undefined {
  if (content.type === 'resource_link') return content.uri
  const { source } = content as { source?: unknown }
  return typeof source === 'string' ? source : undefined
}

async function saveLink(
  uri: string,
  content: Content,
  files: SavedFiles,
  links: LinkSource,
): Promise<ResultText> {
  if (!isOwnLink(uri, links)) return { text: `${uri} (not saved: it is at another address)` }
  const { mimeType } = content as { mimeType?: unknown }
  try {
    const { path, bytes } = await files.stream(nameOf(uri), readLink(uri, links))
    const type = typeof mimeType === 'string' ? `${mimeType}, ` : ''
    return { text: `${path} (${type}${bytes} bytes)` }
  } catch (error) {
    if (!(error instanceof NotSaved)) throw error
    return { text: `${uri} was not saved: ${error.message}`, isFailure: true }
  }
}

/** The last part of the address. */
function nameOf(uri: string): string {
  const last = new URL(uri).pathname.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(last)
  } catch {
    return last
  }
}

function textOf(content: Content, save: (data: string, type: string) => string): string {
  switch (content.type) {
    case 'text':
      return content.text
    case 'resource': {
      const { resource } = content
      if ('text' in resource) return resource.text
      return save(resource.blob, resource.mimeType ?? 'application/octet-stream')
    }
    case 'resource_link':
      return content.uri
    default:
      return save(content.data, content.mimeType)
  }
}

// The server chooses the type: nothing of it may become a path.
function extensionOf(type: string): string {
  const [plain = ''] = type.split(';')
  return EXTENSIONS[plain] ?? /^\w+\/([a-z0-9]{1,8})$/.exec(plain)?.[1] ?? 'bin'
}
