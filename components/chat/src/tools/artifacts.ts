/** Collects what tools have made: each URL once, even if several tools return it. */
import type { ChatArtifact } from 'ftl-client/chat'
import { isObject, isString } from 'ftl-contract'
import type { EndedCall } from './call-tool.ts'
import { outside } from './gateway.ts'
import type { Item } from './tool-end.ts'

type Found = Pick<ChatArtifact, 'type' | 'title' | 'mimeType' | 'url'>

/** URLs that may be shown. Others, such as `javascript:`, could run a script in the page that shows them. */
const SHOWABLE = /^(https?:\/\/|data:|\/(?!\/))/i

/** A job's file is named by an id, which is not usable as a title. */
const JOB_FILE = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(-\d+)?\.\w+$/
const TITLE_LENGTH = 100

export class Artifacts {
  readonly all: ChatArtifact[] = []
  readonly #urls = new Set<string>()
  readonly #before: number

  /** @param before number of artifacts of the same answer before it waited for approvals. */
  constructor(before = 0) {
    this.#before = before
  }

  get count(): number {
    return this.#before + this.#urls.size
  }

  /** Adds the artifacts of a call, and returns those that are new. */
  add({ tool, arguments: args, end }: EndedCall): ChatArtifact[] {
    const fresh = end.content.flatMap((item) => {
      const found = read(item, nameOf(args, tool))
      if (!found || this.#urls.has(found.url)) return []
      this.#urls.add(found.url)
      const { jobId } = end
      const artifact: ChatArtifact = {
        id: `artifact-${this.count}`,
        ...found,
        tool,
        ...(jobId !== undefined && { jobId }),
        arguments: args,
      }
      return [artifact]
    })
    this.all.push(...fresh)
    return fresh
  }
}

function read(item: Item, otherwise: string): Found | undefined {
  const { type, data, resource } = item
  const title = titleOf(item) ?? otherwise
  if (type === 'image' || type === 'audio') {
    const mimeType = typeOf(item, type === 'image' ? 'image/png' : 'audio/wav')
    return isString(data) ? { type, title, mimeType, url: dataUrl(mimeType, data) } : undefined
  }
  if (type === 'resource_link') return linked(item, title)
  if (type !== 'resource' || !isObject(resource)) return undefined
  const { text, blob } = resource
  if (isString(blob)) {
    const mimeType = typeOf(resource, 'application/octet-stream')
    return { type: kindOf(mimeType), title, mimeType, url: dataUrl(mimeType, blob) }
  }
  if (!isString(text)) return linked(resource, title)
  const mimeType = typeOf(resource, 'text/plain')
  // `encodeURIComponent` throws on a lone surrogate.
  const url = `data:${mimeType};charset=utf-8,${encodeURIComponent(text.toWellFormed())}`
  return { type: 'resource', title: titleOf(resource) ?? title, mimeType, url }
}

function linked(item: Record<string, unknown>, title: string): Found | undefined {
  if (!isString(item.uri)) return undefined
  const url = outside(item.uri)
  if (!SHOWABLE.test(url)) return undefined
  const mimeType = typeOf(item, 'application/octet-stream')
  const kind = kindOf(mimeType)
  return { type: kind === 'resource' ? 'link' : kind, title: titleOf(item) ?? title, mimeType, url }
}

function kindOf(mimeType: string): ChatArtifact['type'] {
  if (/^image\//i.test(mimeType)) return 'image'
  return /^audio\//i.test(mimeType) ? 'audio' : 'resource'
}

function titleOf({ title, name }: Record<string, unknown>): string | undefined {
  return [title, name].find(
    (word): word is string => isString(word) && word !== '' && !JOB_FILE.test(word),
  )
}

/** The prompt describes an artifact better than the name of the tool. */
function nameOf({ prompt }: Record<string, unknown>, tool: string): string {
  if (!isString(prompt) || prompt.trim() === '') return tool
  const words = prompt.trim().replace(/\s+/g, ' ')
  return words.length <= TITLE_LENGTH ? words : `${words.slice(0, TITLE_LENGTH - 1)}…`
}

function typeOf({ mimeType }: Record<string, unknown>, otherwise: string): string {
  return isString(mimeType) && /^[a-z]+\/[\w.+-]+$/i.test(mimeType) ? mimeType : otherwise
}

function dataUrl(mimeType: string, base64: string): string {
  return `data:${mimeType};base64,${base64}`
}
