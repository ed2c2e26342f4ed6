/**
 * Which nodes ComfyUI checks and runs: those that write a result, and what they depend on. It ignores what is missing in all
 * others, such as the source of a bypassed branch that the editor left in the file.
 */

/** Classes that write a result, where no server says which do; the node packs name theirs alike. */
const WRITES = /^(?:Save|Preview|VHS_(?!Load))|Save(?:Image|Video|Audio|GLB)?$/

export function writesResult(classType: string): boolean {
  return WRITES.test(classType)
}

/**
 * @param isOutput whether a node writes a result. If none does, every node counts.
 * @param linksOf ids of the nodes that a node's inputs are linked to.
 */
export function neededNodes(
  ids: Iterable<string>,
  isOutput: (id: string) => boolean,
  linksOf: (id: string) => Iterable<string>,
): ReadonlySet<string> {
  const all = new Set(ids)
  const open = [...all].filter(isOutput)
  if (open.length === 0) return all
  const needed = new Set<string>()
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (needed.has(id) || !all.has(id)) continue
    needed.add(id)
    open.push(...linksOf(id))
  }
  return needed
}
