/** The variable `tool_components`: a comma list or a JSON array, as the gateway reads it. */
export function listOf(text: string): string[] {
  if (text.trimStart().startsWith('[')) {
    try {
      return (JSON.parse(text) as unknown[]).filter((each) => typeof each === 'string')
    } catch {
      return []
    }
  }
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}
