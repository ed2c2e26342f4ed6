/** The entry of a component that consists of several: its members, each with what it may see of the platform. */
import type { Plugin } from 'esbuild'
import { MODULE_SCOPE } from './module-scope.ts'
import { modulesOfOurs } from './our-modules.ts'
import { own } from './own-module-path.ts'

/** One component of several in a file. */
export interface MemberTarget {
  /** By which others call it. */
  name: string
  /** Absolute path of the entry module. */
  entry: string
  /** The variables it sees, with their names in the component. */
  variables: Readonly<Record<string, string>>
  /** Labels of key-value stores. */
  stores: readonly string[]
  /** Folders that it reads, with the folders of the component in which they are. */
  files: Readonly<Record<string, string>>
  /** Names of components that it may call; `*` for all. */
  calls: readonly string[]
  /** Public routes, as in `spin.toml`. */
  routes: readonly string[]
}

/** Where a module that registers its own fetch event leaves its function, instead of at the host. */
const SERVED = 'ftl:members'

const SERVED_SOURCE = `export const served = []
let current = 0
export const begin = (index) => { current = index }
export const serveRequests = (answer) => { served[current] = answer }
`

/** Lets each member register its own function, of which a component has one. */
export const members: Plugin = {
  name: 'members',
  setup(context) {
    context.onResolve({ filter: /^ftl-platform\/spin-serve$/ }, () => ({
      path: SERVED,
      namespace: 'ftl-members',
    }))
    context.onResolve({ filter: /^ftl:members(\/\d+)?$/ }, ({ path }) => ({
      path,
      namespace: 'ftl-members',
    }))
    context.onLoad({ filter: /./, namespace: 'ftl-members' }, ({ path }) => {
      const [, index] = /\/(\d+)$/.exec(path) ?? []
      const contents =
        index === undefined ? SERVED_SOURCE : `import { begin } from '${SERVED}'\nbegin(${index})\n`
      return { contents, loader: 'js' }
    })
  },
}

/**
 * The source of the entry that serves all of them.
 *
 * @param head imports, which bring `rehearse`.
 * @param tail serves `answer`.
 */
export async function membersGlue(
  targets: readonly MemberTarget[],
  { head, tail }: { head: string; tail: string },
): Promise<string> {
  const ours = await Promise.all(targets.map(({ entry }) => modulesOfOurs(entry)))
  const quoted = (path: string) => JSON.stringify(path)
  const imports = targets.flatMap(({ entry }, index) => [
    `import '${SERVED}/${index}'`,
    `import * as entry${index} from ${quoted(entry)}`,
    `import { toComponent as toComponent${index}, warmUp as warmUp${index} } from ${quoted(ours[index]?.[0] ?? '')}`,
  ])
  const list = targets.map(({ entry: _, ...member }, index) => {
    const component = `toComponent${index}(entry${index}, ${quoted(member.name)})`
    return `await toMember(${JSON.stringify(member)}, served[${index}], () => ${component}, () => warmUp${index}(entry${index}))`
  })
  return `import { endModuleScope } from '${MODULE_SCOPE}'
${imports.join('\n')}
import { served } from '${SERVED}'
${head}
import { serveMembers } from ${quoted(own('ftl-platform/members'))}
endModuleScope()
async function toMember(member, own, make, warmUp) {
  if (own) return { ...member, answer: own }
  const component = make()
  await rehearse(warmUp)
  return { ...member, answer: async (request, platform) => component.fetch(request, platform) }
}
const answer = serveMembers([
  ${list.join(',\n  ')}
])
${tail}
`
}
