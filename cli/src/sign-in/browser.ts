import { isTerminal } from '../terminal/terminal.ts'
import { spawn } from 'node:child_process'

/** Whether a page that is opened is one that the user sees. */
export function hasDisplay(): boolean {
  if (process.env['CI'] || process.env['SSH_CONNECTION'] || !isTerminal('stdout')) return false
  if (process.platform === 'darwin' || process.platform === 'win32') return true
  return Boolean(process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY'])
}

/** Opens the address in the user's browser. Nothing is reported: the address is printed anyway. */
export function openBrowser(address: URL): void {
  const [command, ...args] = opener()
  // Without a shell, which would interpret what is in the address.
  const child = spawn(command, [...args, address.href], { stdio: 'ignore', detached: true })
  child.on('error', () => undefined)
  child.unref()
}

function opener(): [string, ...string[]] {
  if (process.platform === 'darwin') return ['open']
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  return ['xdg-open']
}
