/** The keys of `[component.X.tool.ftl]` that decide how a component is built. */
import { DEFAULT_ENGINE, ENGINES, isEngine } from './build/builder.ts'
import type { BuildTarget } from './build/index.ts'
import { CommandFailure } from './failure.ts'

type Keys = Readonly<Record<string, unknown>>

/** @throws {CommandFailure} naming the key that is wrong. */
export function buildKeys(
  table: Keys,
  where: string,
): Pick<BuildTarget, 'engine' | 'computeLimitMs' | 'intl' | 'nodeCompat'> {
  const engine = engineOf(table['engine'], where)
  return {
    ...engine,
    ...computeLimitOf(table['compute_limit_ms'], engine, where),
    ...intlOf(table['intl'], engine, where),
    ...nodeCompatOf(table['node_compat'], where),
  }
}

/**
 * `FTL_ENGINE`: the JavaScript engine of components that do not name one: `quickjs` or `starlingmonkey` (docs/engine.md)
 *
 * @throws {CommandFailure} for a name that no engine has.
 */
function engineOf(key: unknown, where: string): Pick<BuildTarget, 'engine'> {
  const variable = process.env['FTL_ENGINE'] || undefined
  const name = key ?? variable
  if (name === undefined || name === DEFAULT_ENGINE) return {}
  if (isEngine(name)) return { engine: name }
  const what = key === undefined ? 'the environment variable FTL_ENGINE' : `${where} engine`
  throw new CommandFailure(`${what} must be one of ${ENGINES.join(', ')}`)
}

/** The most that the engine takes: ten minutes. */
const MOST_COMPUTING_MS = 600_000

/** @throws {CommandFailure} for a value that is not a number of milliseconds in range, and for an engine without a limit. */
function computeLimitOf(
  key: unknown,
  { engine = DEFAULT_ENGINE }: Pick<BuildTarget, 'engine'>,
  where: string,
): Pick<BuildTarget, 'computeLimitMs'> {
  if (key === undefined) return {}
  const isTime = typeof key === 'number' && Number.isInteger(key)
  if (!isTime || key < 1 || key > MOST_COMPUTING_MS) {
    throw new CommandFailure(
      `${where} compute_limit_ms must be a whole number of milliseconds, from 1 to ${MOST_COMPUTING_MS}`,
    )
  }
  if (engine !== 'quickjs') {
    throw new CommandFailure(
      `${where} compute_limit_ms has no effect with the engine ${engine}: remove it, or use quickjs`,
    )
  }
  return { computeLimitMs: key }
}

/** @throws {CommandFailure} for a value that is not a boolean, and for an engine that cannot have it. */
function intlOf(
  key: unknown,
  { engine = DEFAULT_ENGINE }: Pick<BuildTarget, 'engine'>,
  where: string,
): Pick<BuildTarget, 'intl'> {
  if (key === undefined) return {}
  if (typeof key !== 'boolean') {
    throw new CommandFailure(
      `${where} intl must be true or false. Without it, a component gets the parts of Intl that its code names`,
    )
  }
  if (key && engine !== 'quickjs') {
    throw new CommandFailure(
      `${where} intl has no effect with the engine ${engine}: remove it, or use quickjs`,
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
