/** What other programs put around the nodes of a workflow. */

/** Names that lead to the nodes: those of ComfyUI, of the editor, and of services that run workflows. */
const WRAPPERS: readonly (readonly string[])[] = [
  ['prompt'],
  ['output'],
  ['input', 'prompt'],
  ['input', 'workflow'],
  ['workflow'],
]

/**
 * @param member of an object by name; `undefined` for a node of the workflow, and for what is not there.
 * @returns the innermost value with nodes, or the root.
 */
export function unwrap<Value>(
  root: Value,
  member: (of: Value, name: string) => Value | undefined,
): Value {
  for (const path of WRAPPERS) {
    const found = path.reduce<Value | undefined>((at, name) => at && member(at, name), root)
    if (found) return found
  }
  return root
}
