/** Paths that the programs of runs call; they need a capability instead of credentials. */
export function isRunPath(pathname: string): boolean {
  return pathname.startsWith('/run/')
}
