/**
 * The ComfyUI servers that the operator configured, for components.
 *
 * @module
 */
export { formatProblem } from './config-problem.ts'
export type { Problem } from './config-problem.ts'
export { connect, rankServers } from './rank.ts'
export type { Ranked } from './rank.ts'
export { readList } from './read-list.ts'
export { SERVERS_FILE } from './server-entry.ts'
export { loadServers } from './server-list.ts'
export type { Server, Servers } from './server-list.ts'
