/** Replaces `engine-file.ts` in an installed package. */
import { type EngineFile, engineIn } from './engine-file.ts'

export const engineFile = (): Promise<EngineFile> =>
  engineIn(new URL('../../engine/quickjs/', import.meta.url))
