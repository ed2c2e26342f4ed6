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

/** @param name letters, digits and `_` only. */
export function saveCommand(code: string, name: string): string {
  return `ftl code save ${name} - <<'${endFor(code)}'\n${code.trimEnd()}\n${endFor(code)}\n`
}
