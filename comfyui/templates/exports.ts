/**
 * The conversion of the editor's format against the editor itself.
 *
 * An export is what `app.graphToPrompt()` gives in the editor's page: `output`, as JSON. Load each file there with
 * `app.loadGraphData(json)`, with a server whose `object_info` is the one that is given here.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { activeInputs, isLink, toNodeClass } from '../src/client/nodes.ts'
import type { ApiNode, Converted, ObjectInfo } from '../src/editor/index.ts'

/**
 * A file is equal if every node is: its class, and links and values of all inputs that its class has. The editor also sends
 * what it shows in a view of its own, which the server does not read, and titles in its language. It numbers nodes of a
 * subgraph again if the graph around it has the same ids, which changes nothing else.
 */
export async function compareExports(
  converted: ReadonlyMap<string, Converted>,
  info: ObjectInfo,
  folder: string,
  list: boolean,
): Promise<void> {
  const differences = new Map<string, string[]>()
  let incomplete = 0
  for (const [name, { workflow, missing }] of converted) {
    if (missing.length > 0) {
      incomplete++
      continue
    }
    const text = await readFile(join(folder, name), 'utf8').catch(() => undefined)
    if (text === undefined) continue
    const theirs = JSON.parse(text) as Record<string, ApiNode>
    differences.set(name, differencesOf(renumbered(workflow, theirs), theirs, info))
  }
  const different = [...differences].filter(([, each]) => each.length > 0)
  const row = (label: string, count: number) => {
    console.log(`${label.padEnd(48)}${String(count).padStart(16)}`)
  }
  console.log('\nconversion and the export of the editor')
  row('compared', differences.size)
  row('equal', differences.size - different.length)
  row('not compared: the server lacks a node', incomplete)
  for (const [name, each] of list ? different : []) {
    for (const difference of each) console.log(`${name}: ${difference}`)
  }
}

/** Our nodes with the editor's ids: of those that only one of both has, the next of the same class in the same subgraph. */
function renumbered(
  ours: Record<string, ApiNode>,
  theirs: Record<string, ApiNode>,
): Record<string, ApiNode> {
  const only = (one: Record<string, ApiNode>, other: Record<string, ApiNode>) =>
    Object.keys(one).filter((id) => !Object.hasOwn(other, id))
  const placeOf = (id: string, { class_type }: ApiNode) =>
    `${id.slice(0, id.lastIndexOf(':'))} ${class_type}`
  const left = only(theirs, ours)
  const ids = new Map<string, string>()
  for (const id of only(ours, theirs)) {
    const our = ours[id]
    const at = left.findIndex((other) => {
      const their = theirs[other]
      return our && their && placeOf(other, their) === placeOf(id, our)
    })
    const [taken] = at === -1 ? [] : left.splice(at, 1)
    if (taken !== undefined) ids.set(id, taken)
  }
  const linked = (value: unknown) =>
    isLink(value) ? [ids.get(value[0]) ?? value[0], value[1]] : value
  return Object.fromEntries(
    Object.entries(ours).map(([id, node]) => {
      const inputs = Object.entries(node.inputs).map(([name, value]) => [name, linked(value)])
      return [
        ids.get(id) ?? id,
        { ...node, inputs: Object.fromEntries(inputs) as ApiNode['inputs'] },
      ]
    }),
  )
}

function differencesOf(
  ours: Record<string, ApiNode>,
  theirs: Record<string, ApiNode>,
  info: ObjectInfo,
): string[] {
  const ids = new Set([...Object.keys(ours), ...Object.keys(theirs)])
  return [...ids].flatMap((id) => {
    const [our, their] = [ours[id], theirs[id]]
    if (!our || !their) {
      return [`${id} ${(our ?? their)?.class_type}: only ${our ? 'ours' : 'the editor’s'}`]
    }
    if (our.class_type !== their.class_type) return [`${id} ${our.class_type}: another class`]
    const known = toNodeClass(info[our.class_type])
    const names = [our, their].flatMap(({ inputs }) => [
      ...activeInputs(known, (name) => inputs[name]).keys(),
    ])
    return [...new Set(names)]
      .filter((name) => !isDeepStrictEqual(our.inputs[name], their.inputs[name]))
      .map((name) => `${id} ${our.class_type}.${name}`)
  })
}
