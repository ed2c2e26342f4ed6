/** The one world every component targets, as the builder takes it. */

/** Its name in `wit/world.wit`. */
export const WORLD = 'component'

export interface WitWorld {
  /** Folder of the declarations, those of its dependencies under `deps/`. */
  folder: string
  /** Path of the preview1 adapter of the same WASI version. */
  adapter: string
  /** Changes when any declaration changes. */
  digest: string
}
