/** Reads the skills of a component, which the builder's entry adds to what the author's module exports. */
import type { SkillFolder } from 'ftl-contract'
import { readSkill } from '../skills/read-skill.ts'
import { BuildError } from './build-error.ts'

export interface ReadSkills {
  folders: readonly SkillFolder[]
  /** Absolute paths of their files. */
  inputs: readonly string[]
}

/**
 * @param served whether the builder writes the entry.
 * @throws {BuildError} naming file and line of each mistake.
 */
export async function skillsOf(
  { id, skills = [] }: { id: string; skills?: readonly string[] },
  served: boolean,
): Promise<ReadSkills> {
  const read = await Promise.all(skills.map(readSkill))
  const inputs = read.flatMap((each) => each.inputs)
  const problems = read.flatMap((each) => each.problems)
  if (!served && skills.length > 0) {
    problems.push(
      'skills: the entry must export what it serves, such as "tools", and exports nothing',
    )
  }
  if (problems.length > 0) throw new BuildError(id, problems, inputs)
  return { folders: read.flatMap(({ skill }) => skill ?? []), inputs }
}
