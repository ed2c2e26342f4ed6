import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Files that take half a minute or more on two quiet cores, the longest first. Vitest orders by the size of the
 * sources where it has no results of an earlier run, and a long file that begins last then runs alone.
 */
const LONGEST = [
  'test/e2e/dev.test.ts',
  'test/packages/packages.test.ts',
  'test/web/network.test.ts',
  // Waits for a real minute and computes nothing, so another file has the processor beside it.
  'test/jobs/long-rendering.test.ts',
  'test/jobs/killed.test.ts',
  'test/web/app.test.ts',
  'test/e2e/new-templates.test.ts',
  'test/jobs/kills.test.ts',
  'test/web/pictures.test.ts',
  'test/web/look.test.ts',
  'test/authors/build.test.ts',
  'test/e2e/packed-packages.test.ts',
  'test/remote/bridge-stdio.test.ts',
  'test/e2e/new-user.test.ts',
  'test/web/chat.test.ts',
  'test/contract/streaming-guide.test.ts',
  'test/docs/site.test.ts',
]

/** Starts the longest files first. It only orders: a name that is not in the list keeps vitest's order after them. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.sort((a, b) => group(a) - group(b) || place(a) - place(b))
  }
}

function group({ project }: TestSpecification): number {
  return project.config.sequence.groupOrder
}

function place({ moduleId, project }: TestSpecification): number {
  const at = LONGEST.indexOf(relative(project.config.root, moduleId).replaceAll('\\', '/'))
  return at === -1 ? LONGEST.length : at
}
