/** A tool with a job, and the time that passes, for tests. */
import type { JobRecord } from 'ftl-contract'
import type { ComponentEntry } from '../../serve/component.ts'
import { instance, type Instance, read, tool, type Works, type World, world } from './works.ts'

export interface Setting {
  on: World
  by: Instance
  entry: ComponentEntry
  /** Reads a job after a while; by default when it is due. */
  later: (id: string, ms?: number) => Promise<JobRecord>
}

/** One instance in a world of its own. */
export function setting(given: Partial<Works> = {}): Setting {
  const on = world()
  const by = instance(on)
  const entry = tool(by, given)
  return {
    on,
    by,
    entry,
    later: (id, ms = 1000) => {
      on.pass(ms)
      return read(entry, by, id)
    },
  }
}
