/** The command that does in a terminal what the page does. */

/** @param origin of the gateway. */
export function runCommand(code: string, origin: string): string {
  return `ftl code run --url ${origin}/mcp - <<'${endFor(code)}'\n${code.trimEnd()}\n${endFor(code)}\n`
}

/** A line that is not in the program, so that the shell reads all of it and nothing else. */
function endFor(code: string): string {
  const lines = new Set(code.split(/\r?\n/))
  let end = 'END'
  for (let number = 2; lines.has(end); number++) end = `END${number}`
  return end
}

export interface SavedTool {
  /** In kebab-case. */
  name: string
  description: string
}

/** @param origin of the gateway, whose tools the program is checked against. */
export function saveCommand(
  code: string,
  { name, description }: SavedTool,
  origin: string,
): string {
  const about = description.trim() === '' ? '' : ` --description ${quoted(description.trim())}`
  const command = `ftl code save ${quoted(name)} - --url ${origin}/mcp${about}`
  return `${command} <<'${endFor(code)}'\n${code.trimEnd()}\n${endFor(code)}\n`
}

/** One word of a shell. */
function quoted(text: string): string {
  return /^[\w-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
