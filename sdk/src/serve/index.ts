/**
 * What the builder's entry uses; authors of tools do not need it.
 *
 * @module
 */
export { toComponent } from './component.ts'
export { warmUp } from './warm-up.ts'
export type { ComponentEntry, FetchEntry, Served } from './component.ts'
