/**
 * Does to a `spin.toml` what a guide asks for: puts the lines of a table that is there under its heading, and other tables
 * at the end.
 */
export function mergeToml(manifest: string, block: string): string {
  let text = manifest
  for (const table of tablesOf(block)) {
    const at = text.split('\n').findIndex((line) => line.trim() === table.heading)
    if (at === -1) {
      text = `${text.trimEnd()}\n\n${[table.heading, ...table.lines].join('\n')}\n`
      continue
    }
    const lines = text.split('\n')
    lines.splice(at + 1, 0, ...table.lines)
    text = lines.join('\n')
  }
  return text
}

function tablesOf(block: string): { heading: string; lines: string[] }[] {
  return block
    .split(/^(?=\[)/m)
    .filter((part) => part.trim() !== '')
    .map((part) => {
      const [heading = '', ...lines] = part.trimEnd().split('\n')
      return { heading: heading.trim(), lines }
    })
}
