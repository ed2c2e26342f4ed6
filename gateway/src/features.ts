/**
 * The features of the gateway, in the order in which a request meets them:
 *
 * 1. `authentication` says who it is, and `authorization` what that caller may do: nothing else sees a request before.
 * 2. `auditLog` writes down what the following ones do with a call, also what they refuse.
 * 3. `limits` counts a call before anything is done for it.
 * 4. `approvals` asks a person for a call that the policy permits, before anything of it runs.
 * 5. `programs` come after that, so that a run is approved as a whole, before its calls are.
 *
 * The others do not meet the same requests.
 */
import { activity } from './activity/activity.ts'
import { approvals } from './approval/approvals.ts'
import { auditLog } from './audit/audit-log.ts'
import { authentication } from './auth/authentication.ts'
import type { Feature } from './feature.ts'
import { card } from './card/card.ts'
import { limits } from './limits/limits.ts'
import { pins } from './pinning/pins.ts'
import { authorization } from './policy/authorization.ts'
import { programs } from './runs/programs.ts'
import { search } from './search/search-feature.ts'
import { skills } from './skills/skills.ts'
import { uploads } from './uploads/uploads.ts'
import { withoutPrograms } from './without-programs.ts'
import { withoutUploads } from './without-uploads.ts'

/** Set by `ftl build` for an application without a component that runs programs. */
declare const BUILT_WITHOUT_PROGRAMS: true | undefined
/** The same, of an application without a component that takes files. */
declare const BUILT_WITHOUT_UPLOADS: true | undefined

/** Set by `ftl build` for an application whose manifest names no skills. */
declare const BUILT_WITHOUT_SKILLS: true | undefined

/** Set by `ftl build` for an application whose gateway has no variable for it. */
declare const BUILT_WITHOUT_CARD: true | undefined

/** All features that come with the gateway. */
export const FEATURES: readonly Feature[] = [
  authentication,
  authorization,
  auditLog,
  limits,
  approvals,
  typeof BUILT_WITHOUT_PROGRAMS === 'undefined' ? programs : withoutPrograms,
  pins,
  search,
  activity,
  ...(typeof BUILT_WITHOUT_CARD === 'undefined' ? [card] : []),
  typeof BUILT_WITHOUT_UPLOADS === 'undefined' ? uploads : withoutUploads,
  ...(typeof BUILT_WITHOUT_SKILLS === 'undefined' ? [skills] : []),
]
