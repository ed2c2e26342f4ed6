/** Reads a skill from the description of its `SKILL.md`, which a component has written. */
import {
  isObject,
  isString,
  MAX_SKILL_BYTES,
  MAX_SKILL_FILES,
  SKILL_FILE,
  SKILL_KEY,
  type SkillFrontmatter,
  type SkillManifestFile,
} from 'ftl-contract'
import type { Entry } from '../catalog/catalog.ts'

export interface Skill {
  uri: string
  /** The address of `SKILL.md` without the file: `skill://refunds`. */
  folder: string
  frontmatter: SkillFrontmatter
  files: readonly SkillManifestFile[] | 'dynamic'
}

const DIGEST = /^sha256:[0-9a-f]{64}$/

/** By the specification of Agent Skills. */
const NAME = /^[a-z0-9]+(-[a-z0-9]+)*$/
const MAX_NAME = 64
const MAX_DESCRIPTION = 1024
const MAX_COMPATIBILITY = 500

/** Where an address of a skill begins. Others have no folders. */
const BEGINNING = /^[a-z][a-z\d+.-]*:\/\//

/**
 * What the official client does not take in an address of a skill, or reads like another address. It then refuses the whole
 * list, so one component could take the skills of all others away.
 */
const ODD_ADDRESS = /[\0-\x20\x7f\\?#]|\/\/|\/$|%(?:00|2f|5c)|\/(?:\.|%2e){1,2}(?:\/|$)/i

/** @returns `undefined` for a resource that is not a skill, and for a skill that hosts would refuse. */
export function readSkill({ name: uri, description }: Entry<'resources'>): Skill | undefined {
  const manifest = description._meta?.[SKILL_KEY]
  if (!isObject(manifest)) return undefined
  const { frontmatter, files } = manifest
  if (!isObject(frontmatter) || !isText(frontmatter.description, MAX_DESCRIPTION)) return undefined
  // The official client refuses the whole list for it.
  if (Object.hasOwn(frontmatter, '__proto__')) return undefined
  const { name, compatibility = 'none', metadata = {} } = frontmatter
  if (!isString(name) || !isText(compatibility, MAX_COMPATIBILITY)) return undefined
  if (!isObject(metadata) || !Object.values(metadata).every(isString)) return undefined
  if (!uri.endsWith(`/${name}/${SKILL_FILE}`) || name.length > MAX_NAME || !NAME.test(name)) {
    return undefined
  }
  if (!isPlainAddress(uri)) return undefined
  const folder = uri.slice(0, -SKILL_FILE.length - 1)
  const read = files === 'dynamic' ? files : readFiles(files, uri, folder)
  return read && { uri, folder, frontmatter: frontmatter as SkillFrontmatter, files: read }
}

/** Whether it is written as clients write it when they have read it, so that no two addresses are the same for them. */
function isPlainAddress(uri: string): boolean {
  const [beginning] = BEGINNING.exec(uri) ?? []
  if (beginning === undefined) return false
  try {
    return !ODD_ADDRESS.test(uri.slice(beginning.length)) && new URL(uri).href === uri
  } catch {
    return false
  }
}

/** @param most characters, not units of UTF-16. */
function isText(value: unknown, most: number): boolean {
  return isString(value) && value !== '' && value.length <= 2 * most && [...value].length <= most
}

/** @returns `undefined` unless it is a complete list: with `SKILL.md`, each file once, and all of them in the folder. */
function readFiles(value: unknown, uri: string, folder: string): SkillManifestFile[] | undefined {
  if (!Array.isArray(value) || value.length > MAX_SKILL_FILES) return undefined
  // Clients compare addresses without their escapes.
  const read = new Map<string, SkillManifestFile>()
  let bytes = 0
  for (const file of value as unknown[]) {
    const found = isObject(file) && readFile(file, folder)
    if (!found) return undefined
    try {
      read.set(decodeURIComponent(found.uri.toWellFormed()), found)
    } catch {
      return undefined
    }
    bytes += found.size
  }
  const files = [...read.values()]
  const isWhole = files.length === value.length && files.some((file) => file.uri === uri)
  return isWhole && bytes <= MAX_SKILL_BYTES ? files : undefined
}

/** Only the known fields: `_meta` could have keys that only the gateway writes. */
function readFile(file: Record<string, unknown>, folder: string): SkillManifestFile | undefined {
  const { uri, digest, size, mimeType } = file
  if (!isString(uri) || !uri.startsWith(`${folder}/`)) return undefined
  if (ODD_ADDRESS.test(uri.slice(folder.length))) return undefined
  if (!isString(digest) || !DIGEST.test(digest)) return undefined
  if (!Number.isSafeInteger(size) || (size as number) < 0) return undefined
  return { uri, digest, size: size as number, ...(isString(mimeType) && { mimeType }) }
}
