import { parse, TomlError } from 'smol-toml'
import { ManifestError } from './manifest.ts'

/** @throws {ManifestError} naming file, line and column of what is not TOML. */
export function parseToml(text: string, file: string): Record<string, unknown> {
  try {
    return parse(text)
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    const [reason = 'is not TOML'] = error.message.split('\n')
    const shown = `${reason}. Strings need quotes: key = "value"\n${error.codeblock.trimEnd()}`
    throw new ManifestError(`${file}:${error.line}:${error.column}`, '', shown)
  }
}
