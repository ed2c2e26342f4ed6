/** The resource that the user has chosen in the list. A link shows a resource, but only a person has it read. */

let wanted = ''

export function readNow(uri: string): void {
  wanted = uri
}

/** @returns whether the user has just chosen it. */
export function takeReadNow(uri: string): boolean {
  const isWanted = wanted !== '' && wanted === uri
  wanted = ''
  return isWanted
}
