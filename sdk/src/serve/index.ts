/**
 * What the builder's entry uses; authors of tools do not need it.
 *
 * @module
 */
export { createSkill } from '../prompts-and-resources/skill.ts'
export { toComponent } from './component.ts'
export { createContext } from './context.ts'
export { warmUp } from './warm-up.ts'
export type { Served } from './component.ts'
export type { ComponentEntry, FetchEntry } from './entry.ts'
