/** Tries each library: in Node, then in components, with a setting where it fails without. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Attempt, runInComponents, type Tried } from './in-components.ts'
import { runInNode } from './in-node.ts'
import { installLibraries } from './install.ts'
import { isSame, judge, type Outcome, type Result, type Setting, SETTINGS } from './judge.ts'
import { hasOtherUse, idOf, type Library, useFile } from './list.ts'
import { startServer } from './server.ts'

/** A component without a library, to subtract its size. */
const EMPTY = 'empty.js'

/**
 * @param folder where they are installed.
 * @param known all libraries, which are installed together.
 * @param chosen those that are tried.
 */
export async function tryLibraries(
  folder: string,
  known: readonly Library[],
  chosen: readonly Library[],
  onProgress: (line: string) => void,
): Promise<Result[]> {
  onProgress(`installing ${known.length} libraries in ${folder}`)
  if (!(await installLibraries(folder, known))) onProgress('they are installed already')
  await writeFile(join(folder, 'uses', EMPTY), 'export default () => 1\n')
  const server = await startServer()
  try {
    const files = chosen.flatMap((library) => [
      useFile(library),
      ...(hasOtherUse(library) ? [useFile(library, true)] : []),
    ])
    const node = await runInNode(folder, files, server.url)
    const expected = (library: Library): Outcome => node.get(useFile(library)) ?? {}
    const tried = new Map(chosen.map((library) => [library, new Map<Setting, Tried>()]))
    for (const setting of SETTINGS) {
      const open = chosen.filter(
        (library) =>
          (setting !== 'other' || hasOtherUse(library)) &&
          ![...(tried.get(library)?.values() ?? [])].some((one) => isSame(expected(library), one)),
      )
      const attempts = open.map((library) => attemptOf(library, setting))
      const outcomes = await runInComponents(folder, attempts, server.url, (done) => {
        onProgress(
          `${setting === 'none' ? 'tried' : `tried with ${setting}`}: ${done} of ${open.length}`,
        )
      })
      for (const [at, library] of open.entries()) {
        const attempt = attempts[at]
        const outcome = attempt && outcomes.get(attempt)
        if (outcome) tried.get(library)?.set(setting, outcome)
      }
    }
    const empty: Attempt = { id: 'l-empty', file: EMPTY, target: {} }
    const emptySize =
      (await runInComponents(folder, [empty], server.url, () => {})).get(empty)?.size ?? 0
    await writeFile(join(folder, 'details.json'), details(tried, node))
    return chosen.map((library) =>
      judge(library, expected(library), tried.get(library) ?? new Map(), emptySize),
    )
  } finally {
    server.close()
  }
}

function attemptOf(library: Library, setting: Setting): Attempt {
  const name = idOf(library.name)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
  return {
    id: `l-${name}${setting === 'none' ? '' : `-${setting.replace('_', '-')}`}`,
    file: useFile(library, setting === 'other'),
    target: setting === 'node_compat' ? { nodeCompat: true } : {},
  }
}

/** All that was returned and printed, for the author of a use. */
function details(
  tried: ReadonlyMap<Library, ReadonlyMap<Setting, Tried>>,
  node: ReadonlyMap<string, Outcome>,
): string {
  const entries = [...tried].map(([library, outcomes]) => [
    library.name,
    { node: node.get(useFile(library)), ...Object.fromEntries(outcomes) },
  ])
  return JSON.stringify(Object.fromEntries(entries), undefined, 2)
}
