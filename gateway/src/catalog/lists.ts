/** The lists of a catalog, each by its kind. */
import type { Entry, Kind } from './catalog.ts'

export abstract class Lists {
  protected abstract listed<K extends Kind>(kind: K): Entry<K>[]

  get tools(): Entry<'tools'>[] {
    return this.listed('tools')
  }

  get prompts(): Entry<'prompts'>[] {
    return this.listed('prompts')
  }

  get resources(): Entry<'resources'>[] {
    return this.listed('resources')
  }

  get resourceTemplates(): Entry<'resourceTemplates'>[] {
    return this.listed('resourceTemplates')
  }
}
