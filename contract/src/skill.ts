/**
 * Skills in the component contract: a skill is a resource, whose description has the rest of it.
 *
 * @see https://github.com/modelcontextprotocol/ext-skills/blob/main/specification/stable/skills.mdx
 */

/** Key of `_meta` of the resource `…/SKILL.md`, with a {@link SkillManifest}. The gateway shows it in no list of resources. */
export const SKILL_KEY = 'ftl/skill'

/** The file of a skill that describes it. */
export const SKILL_FILE = 'SKILL.md'

/** Every host of skills takes as many files of one skill. */
export const MAX_SKILL_FILES = 512

/** Every host of skills takes as many bytes of one skill. */
export const MAX_SKILL_BYTES = 16 * 1024 * 1024

/** The fields between the lines `---` of `SKILL.md`, as JSON. */
export interface SkillFrontmatter {
  name: string
  description: string
  [field: string]: unknown
}

/** A file of a skill, as the gateway lists it. */
export interface SkillManifestFile {
  uri: string
  /** `sha256:` and 64 hexadecimal digits, of the file's bytes. */
  digest: string
  /** Bytes. */
  size: number
  /** @default not said */
  mimeType?: string
}

/** What the `_meta` of a skill's `SKILL.md` says of the skill. */
export interface SkillManifest {
  frontmatter: SkillFrontmatter
  /** All files, `SKILL.md` included; `dynamic` if their content changes with each request. */
  files: SkillManifestFile[] | 'dynamic'
}

/** A skill of a server behind a component that relays. */
export interface RelayedSkill extends SkillManifest {
  /** Of its `SKILL.md`, as the component publishes it. */
  uri: string
}

/** A file of a skill. Its digest and size are those of the file on disk, which clients compare with what they read. */
export interface SkillFile {
  /** In the folder of the skill, with `/`: `references/FORMS.md`. */
  path: string
  /** `sha256:` and 64 hexadecimal digits. */
  digest: string
  /** Bytes. */
  size: number
  mimeType: string
  /** The content, if it is a text. */
  text?: string
  /** The content in base64, if it is not. */
  blob?: string
}

/** A folder with a `SKILL.md`, as `ftl build` reads it. */
export interface SkillFolder {
  frontmatter: SkillFrontmatter
  /** All files, `SKILL.md` included. */
  files: readonly SkillFile[]
}
