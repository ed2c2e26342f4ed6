/** The features of the gateway, in the order in which a request meets them. */
import type { Feature } from './feature.ts'
import { programs } from './runs/programs.ts'
import { withoutPrograms } from './without-programs.ts'

/** Set by `ftl build` for an application without a component that runs programs. */
declare const FTL_WITHOUT_PROGRAMS: true | undefined

export const FEATURES: readonly Feature[] = [
  typeof FTL_WITHOUT_PROGRAMS === 'undefined' ? programs : withoutPrograms,
]
