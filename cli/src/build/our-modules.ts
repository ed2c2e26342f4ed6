/** Where the modules are that the builder adds to a component. */
import { dirname } from 'node:path'
import { own } from './own-module-path.ts'
import { resolveModule } from './resolve-module.ts'

/** Paths of the modules that the glue imports: the SDK's part, the platform, serving on it, and its warm-up. */
export async function modulesOfOurs(entry: string): Promise<string[]> {
  // Prefer the SDK that the tool was written with, so that versions match; ours is for tools written without it.
  const found = await resolveModule('ftl-sdk/serve', dirname(entry))
  return [
    'path' in found ? found.path : own('ftl-sdk/serve'),
    own('ftl-platform/spin'),
    own('ftl-platform/spin-serve'),
    own('ftl-platform/spin-warm-up'),
  ]
}
