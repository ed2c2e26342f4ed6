/** Reads lists of names from YAML: the only form the suite's requirements and our baseline use. */

/** Items of each top-level list of plain names. An item that is more than a name is left out. */
export function parseLists(yaml: string): Map<string, string[]> {
  const lists = new Map<string, string[]>()
  let current: string[] | undefined
  for (const line of yaml.split(/\r?\n/)) {
    const [, key] = /^['"]?([\w-]+)['"]?:\s*(?:#.*)?$/.exec(line) ?? []
    if (key !== undefined) {
      current = []
      lists.set(key, current)
    }
    const [, item] = /^ *- (\S+)\s*(?:#.*)?$/.exec(line) ?? []
    if (item !== undefined) current?.push(item)
  }
  return lists
}
