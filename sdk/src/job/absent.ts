/**
 * In place of what jobs need where no module of a component has the word `job`: see `imports` in package.json.
 *
 * @module
 */
import { absent } from '../absent.ts'
import { notFound } from '../serve/http.ts'
import type { Jobs } from './present.ts'

const left = absent('job')
const none = async () => notFound('this component has no jobs')

export const startJob: Jobs['startJob'] = left
export const withJobs: Jobs['withJobs'] = (set) => set
export const answerJob: Jobs['answerJob'] = none
export const answerOutput: Jobs['answerOutput'] = none
export const waitForJob: Jobs['waitForJob'] = left
export const isKeyReuse: Jobs['isKeyReuse'] = () => false
