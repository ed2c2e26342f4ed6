/** Selects the skills of a server's list that can be published. The gateway checks each of them again, as of any component. */
import {
  isObject,
  MAX_SKILL_FILES,
  SKILL_FILE,
  type SkillManifest,
  type SkillManifestFile,
} from 'ftl-contract'
import { isPlainAddress } from './skill-addresses.ts'

/** By the server's own addresses. */
export interface KeptSkill extends SkillManifest {
  /** Of its `SKILL.md`. */
  uri: string
}

/** Bytes of the entries of all skills of a server. */
const LIMIT = 1_000_000

export interface UsableSkills {
  skills: KeptSkill[]
  bytes: number
  problems: string[]
  /** How many are not listed for their number or size. */
  leftOut: number
}

/** @param most skills; further ones are left out. */
export function usableSkills(list: readonly unknown[], most: number): UsableSkills {
  const found = new Map<string, KeptSkill>()
  const counts = { odd: 0, repeated: 0, leftOut: 0 }
  let bytes = 0
  for (const entry of list) {
    const skill = readSkill(entry)
    if (!skill) counts.odd++
    else if (found.has(skill.uri)) counts.repeated++
    else {
      const size = new TextEncoder().encode(JSON.stringify(skill)).length
      if (found.size >= most || bytes + size > LIMIT) counts.leftOut++
      else {
        bytes += size
        found.set(skill.uri, skill)
      }
    }
  }
  const { odd, repeated, leftOut } = counts
  const problems = [
    ...(odd > 0 ? [`${odd} of its skills break the rules for skills, and are left out`] : []),
    ...(repeated > 0 ? [`${repeated} of its skills have the uri of another one of it`] : []),
    ...(leftOut > 0
      ? [`${leftOut} of its skills are left out: it has more than ${most}, or ${LIMIT} bytes`]
      : []),
  ]
  return { skills: [...found.values()], bytes, problems, leftOut }
}

function readSkill(entry: unknown): KeptSkill | undefined {
  if (!isObject(entry)) return undefined
  const { uri, frontmatter, resources } = entry
  if (typeof uri !== 'string' || !isObject(frontmatter)) return undefined
  const { name, description } = frontmatter
  if (typeof name !== 'string' || typeof description !== 'string' || name === '') return undefined
  if (!uri.endsWith(`/${name}/${SKILL_FILE}`) || !isPlainAddress(uri)) return undefined
  const files = resources === 'dynamic' ? resources : readFiles(resources, folderOf(uri))
  return files && { uri, frontmatter: { ...frontmatter, name, description }, files }
}

/** Of the address of a `SKILL.md`. */
export function folderOf(uri: string): string {
  return uri.slice(0, -SKILL_FILE.length - 1)
}

/** A file outside of its folder would be one that the server's name does not stand before. */
function readFiles(value: unknown, folder: string): SkillManifestFile[] | undefined {
  if (!Array.isArray(value) || value.length > MAX_SKILL_FILES) return undefined
  const files: SkillManifestFile[] = []
  for (const file of value as unknown[]) {
    if (!isObject(file)) return undefined
    const { uri, digest, size } = file
    if (typeof uri !== 'string' || typeof digest !== 'string' || typeof size !== 'number') {
      return undefined
    }
    if (!uri.startsWith(`${folder}/`)) return undefined
    files.push({ uri, digest, size })
  }
  return files
}
