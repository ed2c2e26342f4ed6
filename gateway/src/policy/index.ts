/**
 * The decision of the gateway, for programs that check a policy before it is used: `ftl policy`.
 *
 * @module
 */
export { decide } from './decide.ts'
export { matchesName } from './names.ts'
export { OfflineEntries } from './offline-entries.ts'
export { parsePolicy, PolicyError } from './parse-policy.ts'
export {
  type Action,
  ACTIONS,
  type Decision,
  type NameList,
  type Policy,
  type Rule,
  type Subject,
  type Target,
} from './policy.ts'
