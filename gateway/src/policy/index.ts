/**
 * The decision of the gateway, for programs that check a policy before it is used: `ftl policy`.
 *
 * @module
 */
export { decide } from './decide.ts'
export { matchesName } from '../name-patterns.ts'
export type { Decision, Target } from '../permissions.ts'
export { OfflineEntries } from './offline-entries.ts'
export { parsePolicy, PolicyError } from './parse-policy.ts'
export {
  type Action,
  ACTIONS,
  type NameList,
  type Policy,
  type Rule,
  type Subject,
} from './policy.ts'
