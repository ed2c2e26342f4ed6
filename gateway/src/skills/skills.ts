/**
 * The feature that lists skills: resources named `SKILL.md` whose description says which files belong to them.
 *
 * A client reads the files as any resource, so the policy, the pins and the audit log have no code for skills.
 *
 * @see https://github.com/modelcontextprotocol/ext-skills/blob/main/specification/stable/skills.mdx
 */
import { isString, SKILL_KEY } from 'ftl-contract'
import type { Catalog } from '../catalog/catalog.ts'
import type { Feature, MethodAnswer, MethodCall } from '../feature.ts'
import { apart } from './apart.ts'
import { childrenOf } from './directory.ts'
import { readSkill, type Skill } from './read-skill.ts'

const EXTENSION = { 'io.modelcontextprotocol/skills': { directoryRead: true } }

const METHODS: ReadonlySet<string> = new Set([
  'skills/list',
  'skills/get',
  'resources/directory/read',
])

export const skills: Feature = {
  name: 'skills',
  extensions: (catalog) => (mayHaveSkills(catalog) ? EXTENSION : undefined),
  answerMethod: ({ tools }, scope, call) =>
    METHODS.has(call.method)
      ? tools
          .list(scope)
          .then((catalog) => (mayHaveSkills(catalog) ? answer(catalog, call) : undefined))
      : undefined,
}

/** Cheaper than to read them: a client that connects asks for this. */
function mayHaveSkills({ resources }: Catalog): boolean {
  return resources.some(({ description: { _meta } }) => _meta?.[SKILL_KEY] !== undefined)
}

function answer({ resources }: Catalog, { method, params: { uri } }: MethodCall): MethodAnswer {
  const all = apart(
    resources.flatMap((entry) => {
      const skill = readSkill(entry)
      return skill ? [{ entry, skill }] : []
    }),
  )
  if (method === 'skills/list') {
    return { kind: 'skills', entries: [...all.keys()], form: (entry) => shown(all.get(entry)) }
  }
  const found = [...all.values()]
  if (method === 'skills/get') {
    const skill = found.find((each) => each.uri === uri)
    return skill
      ? { result: { skill: shown(skill) } }
      : { problem: 'params.uri must be the address of a SKILL.md that is listed' }
  }
  const children = isString(uri) ? childrenOf(found, uri) : undefined
  return children
    ? { result: { resources: children } }
    : {
        problem:
          'params.uri must be the address of a folder of a skill, without a slash at its end',
      }
}

function shown(skill: Skill | undefined): object {
  if (!skill) return {}
  const { uri, frontmatter, files } = skill
  const resources =
    files === 'dynamic' ? files : files.map((file) => ({ ...file, mimeType: undefined }))
  return { uri, frontmatter, resources }
}
