/**
 * Zod, which the MCP client and the host side of apps contain, would try to compile code, which the page's policy forbids
 * and reports. To be called before one of them is loaded.
 */
export function quietZod(): void {
  Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })
}
