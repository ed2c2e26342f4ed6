/** Why components cannot be built into one file. */
import type { ComponentManifest } from 'ftl-host'
import { buildKeys } from '../application/build-keys.ts'
import { CommandFailure } from '../terminal/failure.ts'

/**
 * @param option for messages: `--single`.
 * @throws {CommandFailure} naming each component and key.
 */
export function checkOptions(components: readonly ComponentManifest[], option: string): void {
  const problems = components.flatMap(problemsOf)
  for (const { id, tool } of components) {
    const { refusal } = buildKeys(tool['ftl'] ?? {}, `[component.${id}.tool.ftl]`)
    if (refusal !== undefined) problems.push(refusal)
  }
  if (problems.length === 0) return
  throw new CommandFailure(`${option}: ${problems.join('\n')}\nName the components without these.`)
}

function problemsOf({ id, tool, source }: ComponentManifest): string[] {
  const table = tool['ftl'] ?? {}
  const { entry, members, compute_limit_ms: limit, shared_stores: shared } = table
  if (members !== undefined) return [`${id} already has members: name its members' components`]
  if (entry === undefined) {
    return [
      `${id} has no entry in [component.${id}.tool.ftl]: ftl does not build it, so it cannot put it into another component`,
    ]
  }
  if (typeof source !== 'string') return [`${id}: its source must be a path`]
  const problems: string[] = []
  if (limit !== undefined) {
    problems.push(
      `${id} has compute_limit_ms: the limit holds for a whole component, so it would end requests of the others`,
    )
  }
  if (Array.isArray(shared) && shared.length > 0) {
    problems.push(
      `${id} has shared_stores: the components that share ${shared.join(', ')} could read the entries of all members`,
    )
  }
  return problems
}
