/** The keys of `[component.X.tool.ftl]` that decide how a component is built. */
import type { BuildTarget } from '../build/index.ts'
import { CommandFailure } from '../terminal/failure.ts'

type Keys = Readonly<Record<string, unknown>>

/** @throws {CommandFailure} naming the key that is wrong. */
export function buildKeys(
  table: Keys,
  where: string,
): Pick<BuildTarget, 'computeLimitMs' | 'intl' | 'nodeCompat' | 'refusal'> {
  return {
    ...computeLimitOf(table['compute_limit_ms'], where),
    ...intlOf(table['intl'], where),
    ...nodeCompatOf(table['node_compat'], where),
    ...refusalOf(table['engine'], where),
  }
}

/**
 * `FTL_ENGINE`: named the engine of components in earlier versions; `ftl` has one, so it must not be set (docs/engine.md)
 *
 * A build fails with the key `engine` of such a version, too, because another engine has other limits and features. What was
 * built before is served as it is.
 */
function refusalOf(key: unknown, where: string): Pick<BuildTarget, 'refusal'> {
  const engine = key ?? (process.env['FTL_ENGINE'] || undefined)
  if (engine === undefined || engine === 'quickjs') return {}
  const [what, remove] =
    key === undefined
      ? ['the environment variable FTL_ENGINE', 'Unset it']
      : [`${where} engine`, 'Remove the line']
  const problem =
    engine === 'starlingmonkey'
      ? `${what}: the engine "starlingmonkey" was removed in this version`
      : `${what} must be "quickjs", the only engine`
  const remedy =
    `${remove} to build with the engine of ftl. For another engine, build the component with a tool of your choice, set its ` +
    'source to that .wasm file, and remove its entry'
  return { refusal: `${problem}. ${remedy}.` }
}

/** The most that the engine takes: ten minutes. */
const MOST_COMPUTING_MS = 600_000

/** @throws {CommandFailure} for a value that is not a number of milliseconds in range. */
function computeLimitOf(key: unknown, where: string): Pick<BuildTarget, 'computeLimitMs'> {
  if (key === undefined) return {}
  const isTime = typeof key === 'number' && Number.isInteger(key)
  if (!isTime || key < 1 || key > MOST_COMPUTING_MS) {
    throw new CommandFailure(
      `${where} compute_limit_ms must be a whole number of milliseconds, from 1 to ${MOST_COMPUTING_MS}`,
    )
  }
  return { computeLimitMs: key }
}

/** @throws {CommandFailure} for a value that is not a boolean. */
function intlOf(key: unknown, where: string): Pick<BuildTarget, 'intl'> {
  if (key === undefined) return {}
  if (typeof key !== 'boolean') {
    throw new CommandFailure(
      `${where} intl must be true or false. Without it, a component gets the parts of Intl that its code names`,
    )
  }
  return { intl: key }
}

/** @throws {CommandFailure} for a value that is not a boolean. */
function nodeCompatOf(key: unknown, where: string): Pick<BuildTarget, 'nodeCompat'> {
  if (key === undefined || key === false) return {}
  if (key !== true) throw new CommandFailure(`${where} node_compat must be true or false`)
  return { nodeCompat: true }
}
