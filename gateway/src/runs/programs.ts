/** The feature that runs programs of models and saved programs: see README.md. */
import type { Feature } from '../feature.ts'
import { TOOL_RESULT, RUN_RESULT } from '../invoke/answer.ts'
import { sentTo } from '../invoke/call-component.ts'
import { advanceRun, isRunJob } from './advance-run.ts'
import { limitsOf, runVariables } from './run-settings.ts'
import { runsAdapter } from './runs-adapter.ts'
import { isSaved } from './saved-program.ts'
import { continuesRun, isRun, startRun, startSaved } from './start-run.ts'

export const programs: Feature = {
  name: 'programs',
  settings: runVariables,
  adapters: [runsAdapter],
  // Programs have a capability instead of credentials.
  isOpen: (pathname) => pathname.startsWith('/run/'),
  send(scope, tool, call) {
    if (isRun(scope, tool)) return startRun(scope, call, sentTo(tool, call, RUN_RESULT))
    return isSaved(tool) ? startSaved(scope, call, sentTo(tool, call, TOOL_RESULT)) : undefined
  },
  continues: (scope, tool, call) =>
    isRun(scope, tool) || isSaved(tool) ? continuesRun(scope, tool, call) : undefined,
  ownerOf: (scope, job) =>
    isRunJob(scope, job) ? (request) => advanceRun(scope, job, request) : undefined,
  // A run may become a job.
  startsJobs: ({ settings }) => limitsOf(settings).journal === 'always',
}
