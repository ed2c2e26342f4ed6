/** `createSkill`: instructions for an agent with the files that belong to them. */
import {
  type ResourceResult,
  SKILL_FILE,
  SKILL_KEY,
  type SkillFile,
  type SkillFolder,
  type SkillManifest,
} from 'ftl-contract'
import { createResource, type Resource } from './resource.ts'

/** A skill made by `createSkill`. */
export interface Skill {
  kind: 'skill'
  /** How clients read its files. */
  resources: readonly Resource[]
}

/**
 * Makes a skill of a folder. `ftl build` calls it for the folders that `skills` names in `[component.X.tool.ftl]`.
 *
 * @throws {TypeError} at build time, when the folder has no `SKILL.md`.
 * @see https://agentskills.io/specification
 */
export function createSkill({ frontmatter, files }: SkillFolder): Skill {
  const { name, description } = frontmatter
  const folder = `skill://${name}/`
  const byUri = new Map(files.map((file) => [folder + encodedPath(file.path), file]))
  const uri = folder + SKILL_FILE
  const main = byUri.get(uri)
  if (main === undefined) throw new TypeError(`skill "${name}": it has no file ${SKILL_FILE}`)
  const manifest: SkillManifest = {
    frontmatter,
    files: [...byUri].map(([address, { digest, size, mimeType }]) => ({
      uri: address,
      digest,
      size,
      mimeType,
    })),
  }
  const read = (address: string): ResourceResult | undefined => {
    const file = byUri.get(address)
    return file && { contents: [contentOf(address, file)] }
  }
  const { mimeType, size } = main
  const skill = createResource({
    metadata: { uri, name, description, mimeType, size, _meta: { [SKILL_KEY]: manifest } },
    handler: () => read(uri),
  })
  if (byUri.size === 1) return { kind: 'skill', resources: [skill] }
  const others = createResource({
    metadata: {
      uriTemplate: `${folder}{+file}`,
      name: `${name} files`,
      description: `The files of the skill ${name}`,
      // So that a pin of this entry is one of the files, too.
      _meta: { [SKILL_KEY]: manifest.files },
    },
    handler: (_, context) => read(context.uri),
  })
  return { kind: 'skill', resources: [skill, others] }
}

function contentOf(uri: string, { mimeType, text, blob }: SkillFile) {
  return { uri, mimeType, ...(text === undefined ? { blob: blob ?? '' } : { text }) }
}

function encodedPath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}
