/** A tool's result for people: texts as they are, and files as the place where they lie now. */
import type { ToolResult } from 'ftl-client'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

type Content = ToolResult['content'][number]

/** Ends of names by type; what is not here is named by the second half of its type. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/svg+xml': 'svg',
  'audio/mpeg': 'mp3',
  'text/plain': 'txt',
  'application/octet-stream': 'bin',
}

/**
 * One text for each content.
 *
 * @param tool names the files.
 * @param folder of the files, made if need be. @default a new one of the system's temporary folder
 */
export function resultTexts({ content }: ToolResult, tool: string, folder?: string): string[] {
  let place = folder
  let count = 0
  const save = (data: string, type: string): string => {
    if (folder === undefined) place ??= mkdtempSync(join(tmpdir(), 'ftl-call-'))
    else mkdirSync(folder, { recursive: true })
    const stem = tool.replaceAll(/[^\w.-]/g, '_')
    const path = join(place ?? '.', `${stem}-${++count}.${extensionOf(type)}`)
    const bytes = Buffer.from(data, 'base64')
    writeFileSync(path, bytes)
    return `${path} (${type}, ${bytes.length} bytes)`
  }
  return content.map((each) => textOf(each, save))
}

function textOf(content: Content, save: (data: string, type: string) => string): string {
  switch (content.type) {
    case 'text':
      return content.text
    case 'resource_link':
      return content.uri
    case 'resource': {
      const { resource } = content
      if ('text' in resource) return resource.text
      return save(resource.blob, resource.mimeType ?? 'application/octet-stream')
    }
    default: {
      // Streams name the address of a picture where the protocol has its bytes.
      const { source } = content as { source?: unknown }
      return typeof source === 'string' ? source : save(content.data, content.mimeType)
    }
  }
}

// The server chooses the type: nothing of it may become a path.
function extensionOf(type: string): string {
  const [plain = ''] = type.split(';')
  return EXTENSIONS[plain] ?? /^\w+\/([a-z0-9]{1,8})$/.exec(plain)?.[1] ?? 'bin'
}
