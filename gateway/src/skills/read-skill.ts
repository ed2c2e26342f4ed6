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

/** What the official client does not take as a file of a skill: it then refuses the whole list. */
const ODD_ADDRESS = /[?#\\]|\/\/|\/(?:\.|%2e){1,2}(?:\/|$)/i

/** @returns `undefined` for a resource that is not a skill, and for a skill that hosts would refuse. */
export function readSkill({ name: uri, description }: Entry<'resources'>): Skill | undefined {
  const manifest = description._meta?.[SKILL_KEY]
  if (!isObject(manifest)) return undefined
  const { frontmatter, files } = manifest
  if (!isObject(frontmatter) || !isText(frontmatter.description, MAX_DESCRIPTION)) return undefined
  const { name, compatibility = 'none', metadata = {} } = frontmatter
  if (!isString(name) || !isText(compatibility, MAX_COMPATIBILITY)) return undefined
  if (!isObject(metadata) || !Object.values(metadata).every(isString)) return undefined
  if (!uri.endsWith(`/${name}/${SKILL_FILE}`) || name.length > MAX_NAME || !NAME.test(name)) {
    return undefined
  }
  const folder = uri.slice(0, -SKILL_FILE.length - 1)
  const skill = { uri, folder, frontmatter: frontmatter as SkillFrontmatter }
  if (files === 'dynamic') return { ...skill, files }
  return areFiles(files, uri, folder) ? { ...skill, files } : undefined
}

/** @param most characters, not units of UTF-16. */
function isText(value: unknown, most: number): boolean {
  return isString(value) && value !== '' && value.length <= 2 * most && [...value].length <= most
}

/** Whether it is a complete list: with `SKILL.md`, each file once, and all of them in the folder. */
function areFiles(value: unknown, uri: string, folder: string): value is SkillManifestFile[] {
  if (!Array.isArray(value) || value.length > MAX_SKILL_FILES) return false
  const uris = new Set<unknown>()
  let bytes = 0
  for (const file of value as unknown[]) {
    if (!isObject(file) || !isString(file.uri) || !isString(file.digest)) return false
    const { size, digest } = file
    if (!file.uri.startsWith(`${folder}/`) || !DIGEST.test(digest)) return false
    if (ODD_ADDRESS.test(file.uri.slice(folder.length))) return false
    if (!Number.isSafeInteger(size) || (size as number) < 0) return false
    uris.add(file.uri)
    bytes += size as number
  }
  return uris.size === value.length && uris.has(uri) && bytes <= MAX_SKILL_BYTES
}
