import { type Builder, DEFAULT_ENGINE, type EngineName } from './builder.ts'
import { quickjs } from './quickjs.ts'
import { starlingmonkey } from './starlingmonkey.ts'

const BUILDERS: Readonly<Record<EngineName, Builder>> = { starlingmonkey, quickjs }

export const builderOf = (engine: EngineName = DEFAULT_ENGINE): Builder => BUILDERS[engine]
