/**
 * What schemas of a library need while a component is built: a component with plain JSON Schema only is built without it
 * (`imports` in package.json).
 *
 * @module
 */
import { describeSchema } from './describe.ts'
import { rehearsal } from './rehearsal.ts'
import { withoutHost } from './without-host.ts'

export { describeSchema, rehearsal, withoutHost }

export interface Library {
  describeSchema: typeof describeSchema
  rehearsal: typeof rehearsal
  withoutHost: typeof withoutHost
}
