/**
 * Model files by their names: their family, and which one can take the place of another.
 *
 * @module
 */
export { chooseModel } from './choose-model.ts'
export type { ModelPreference } from './choose-model.ts'
export { familyOf, MODEL_FAMILIES, MODEL_LOADERS } from './family.ts'
export type { ModelFamily } from './family.ts'
