/** `[component.X.tool.ftl.members]`: the components that are built into one file. */
import { type ComponentManifest, keyHint } from 'ftl-host'
import { isObject } from 'ftl-contract'
import type { MemberTarget } from '../build/index.ts'
import { CommandFailure } from '../terminal/failure.ts'

const KEYS = ['entry', 'variables', 'stores', 'files', 'calls', 'routes']

/** As the host takes ids of components. */
const NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/

type Find = (entry: string, where: string) => Promise<string>

/**
 * @param table `[component.X.tool.ftl]`.
 * @param where its name, for messages.
 * @param least how many there must be.
 * @throws {CommandFailure} naming the key that is wrong.
 */
export async function readMembers(
  table: Readonly<Record<string, unknown>>,
  where: string,
  component: Pick<ComponentManifest, 'variables' | 'keyValueStores'>,
  find: Find,
  least = 2,
): Promise<MemberTarget[]> {
  if (table['entry'] !== undefined) {
    throw new CommandFailure(`${where} has both entry and members: remove one of them`)
  }
  const { members } = table
  if (!isObject(members)) {
    throw new CommandFailure(
      `${where} members must be tables, such as [component.tools.tool.ftl.members.echo]`,
    )
  }
  const all = Object.entries(members)
  if (all.length < least) {
    throw new CommandFailure(
      `${where} members: there must be at least two; for one component, write its entry into ${where}`,
    )
  }
  const read: MemberTarget[] = []
  for (const [name, member] of all) {
    read.push(await readMember(name, member, `${where.slice(0, -1)}.members.${name}]`, find))
  }
  for (const { name, variables, stores } of read) {
    const at = `${where.slice(0, -1)}.members.${name}]`
    const missing = Object.values(variables).find((own) => !Object.hasOwn(component.variables, own))
    if (missing !== undefined) {
      throw new CommandFailure(`${at} variables: the component has no variable "${missing}"`)
    }
    const closed = stores.find((label) => !component.keyValueStores.includes(label))
    if (closed !== undefined) {
      throw new CommandFailure(
        `${at} stores: "${closed}" is not in key_value_stores of the component`,
      )
    }
  }
  return read
}

async function readMember(
  name: string,
  table: unknown,
  where: string,
  find: Find,
): Promise<MemberTarget> {
  if (!NAME.test(name)) {
    throw new CommandFailure(`${where} must be named as a component: a-z, 0-9 and single dashes`)
  }
  if (!isObject(table)) throw new CommandFailure(`${where} must be a table`)
  const unknown = Object.keys(table).find((key) => !KEYS.includes(key))
  if (unknown !== undefined) {
    throw new CommandFailure(
      `${where} ${unknown} is not a key of this table${keyHint(unknown, KEYS)}`,
    )
  }
  const { entry } = table
  if (typeof entry !== 'string' || entry === '') {
    throw new CommandFailure(`${where} entry must be a path or the name of a package`)
  }
  const texts = (key: string) => textsOf(table[key], `${where} ${key}`)
  return {
    name,
    entry: await find(entry, where),
    variables: pairs(texts('variables')),
    stores: texts('stores'),
    files: pairs(texts('files')),
    calls: texts('calls'),
    routes: texts('routes'),
  }
}

/** `name`, or `name=other` for what has another name in the component. */
function pairs(texts: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    texts.map((text) => {
      const [, name = text, other = text] = /^([^=]+)=(.+)$/.exec(text) ?? []
      return [name, other]
    }),
  )
}

function textsOf(value: unknown, where: string): string[] {
  if (value === undefined) return []
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value
  throw new CommandFailure(`${where} must be a list of strings`)
}
