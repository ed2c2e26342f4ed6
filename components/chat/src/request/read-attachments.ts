/** Attachments, as a model can take them: texts, pictures, addresses. */
import { isObject, isString } from 'ftl-contract'
import { fromBase64 } from 'ftl-http'
import { badRequest, tooLarge } from '../failure.ts'
import type { Attachment } from './chat-request.ts'

const MOST = 8
/** Characters of all texts. */
const TEXT_LIMIT = 200_000
const NAME_LIMIT = 200

const TYPE = /^[a-z]+\/[\w.+-]+$/i
const TEXT_TYPE = /^(text\/|application\/([\w.-]+\+)?(json|xml|yaml|javascript)$)/i
/** A file that the user has sent, or that a tool has made: a tool takes its address. */
const OWN_FILE = /^\/(?:uploads|outputs)\/[\w.-]{1,200}$/
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

/** @throws {ChatFailure} naming the field. */
export function readAttachments(value: unknown = []): Attachment[] {
  if (!Array.isArray(value)) throw badRequest('attachments must be an array.', 'attachments')
  if (value.length > MOST) throw tooLarge(`At most ${MOST} attachments.`, 'attachments')
  const all = value.map((entry: unknown, place) => readAttachment(entry, `attachments[${place}]`))
  const size = all.reduce((sum, each) => sum + (each.kind === 'text' ? each.text.length : 0), 0)
  if (size <= TEXT_LIMIT) return all
  throw tooLarge(`The texts of all attachments may have ${TEXT_LIMIT} characters.`, 'attachments')
}

function readAttachment(entry: unknown, at: string): Attachment {
  if (!isObject(entry)) throw badRequest(`${at} must be an object.`, at)
  const { text, data, url } = entry
  const mimeType = entry.mimeType ?? (isString(text) ? 'text/plain' : undefined)
  if (!isString(mimeType) || !TYPE.test(mimeType)) {
    throw badRequest(`${at}.mimeType must be a type such as image/png.`, `${at}.mimeType`)
  }
  const name = isString(entry.name) ? entry.name.slice(0, NAME_LIMIT) : 'attachment'
  const head = { name, mimeType }
  if (isString(text)) return { kind: 'text', ...head, text }
  if (isString(data)) {
    const image = inlined(data, head, at)
    return image.kind === 'image' && isString(url) && OWN_FILE.test(url) ? { ...image, url } : image
  }
  if (isString(url)) {
    if (/^https?:\/\/\S+$/i.test(url) || OWN_FILE.test(url)) return { kind: 'link', ...head, url }
    const [, type, base64] = /^data:([^;,]+);base64,(.*)$/i.exec(url) ?? []
    if (type !== undefined && base64 !== undefined) {
      return inlined(base64, { name, mimeType: type }, at)
    }
    throw badRequest(
      `${at}.url must be an http, https or data address, or that of a file on this server (/uploads/…, /outputs/…).`,
      `${at}.url`,
    )
  }
  throw badRequest(`${at} needs a text, data or url.`, at)
}

function inlined(data: string, head: { name: string; mimeType: string }, at: string): Attachment {
  const base64 = data.replace(/\s+/g, '')
  const bare = base64.replace(/=+$/, '')
  if (!BASE64.test(base64) || bare.length % 4 === 1)
    throw badRequest(`${at}.data must be base64.`, `${at}.data`)
  if (/^image\//i.test(head.mimeType)) return { kind: 'image', ...head, data: base64 }
  if (!TEXT_TYPE.test(head.mimeType)) {
    const message = `${at}: a model takes pictures and texts, and no ${head.mimeType}.`
    throw badRequest(message, `${at}.mimeType`)
  }
  return { kind: 'text', ...head, text: new TextDecoder().decode(fromBase64(bare)) }
}
