import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Files that take long, the longest of a project first. Vitest orders by the size of the sources where it has no results of
 * an earlier run, and a long file that begins last then runs alone.
 */
const LONGEST = [
  'engine/test/hostile/in-node.test.ts',
  'engine/test/hostile/in-wasmtime.test.ts',
  'engine/test/differential.test.ts',
  // They wait for processes and timers, and other files have the processor beside them.
  'bridge/src/find-stream.test.ts',
  'bridge/src/supervisor.test.ts',
  'bridge/src/signals.test.ts',
  'bridge/src/stream-room.test.ts',
  'gateway/src/runs/kill-first-attempt.test.ts',
  'components/generate-image/src/inline-images.test.ts',
  'comfyui/simulator/recordings.test.ts',
  'bridge/src/job-links.test.ts',
  'bridge/src/gateway-away.test.ts',
  // Waits for a real minute and computes nothing, so other files have the processor beside it.
  'test/jobs/long-rendering.test.ts',
  'test/web/storyboard.test.ts',
  'test/e2e/dev-broken.test.ts',
  'test/web/sign-in.test.ts',
  'test/packages/packages.test.ts',
  'test/authors/build.test.ts',
  // Not beside the storyboard in Chromium: each keeps a processor busy.
  'test/web/storyboard-firefox.test.ts',
  'test/contract/single.test.ts',
  'test/web/conversations.test.ts',
  'test/web/code/code.test.ts',
  'test/web/mcp-offers.test.ts',
  'test/jobs/killed.test.ts',
  'test/e2e/start-again.test.ts',
  'test/web/app.test.ts',
  'test/web/firefox.test.ts',
  'test/web/mcp-servers.test.ts',
  'test/web/create.test.ts',
  'test/e2e/dev.test.ts',
  'test/web/look.test.ts',
  'test/web/pictures.test.ts',
  'test/web/approvals.test.ts',
  'test/web/activity.test.ts',
  'test/hostile/web-apps.test.ts',
  'test/e2e/packed-packages.test.ts',
  'test/e2e/new-user.test.ts',
  'test/e2e/new-templates.test.ts',
  'test/host/interleaved.test.ts',
  'test/web/network.test.ts',
  'test/authentication/flow.test.ts',
  'test/docs/site.test.ts',
  'test/remote/bridge-stdio.test.ts',
]

/** Starts the longest files first. It only orders: a name that is not in the list keeps vitest's order after them. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.sort(
      (a, b) => group(a) - group(b) || shared(a).localeCompare(shared(b)) || place(a) - place(b),
    )
  }
}

function group({ project }: TestSpecification): number {
  return project.config.sequence.groupOrder
}

/** Files that share a process come one after the other: a process ends when a file of another project is next. */
function shared({ project }: TestSpecification): string {
  return project.config.isolate ? '' : project.name
}

function place({ moduleId, project }: TestSpecification): number {
  const at = LONGEST.indexOf(relative(project.config.root, moduleId).replaceAll('\\', '/'))
  return at === -1 ? LONGEST.length : at
}
