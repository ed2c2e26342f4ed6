/** FastMCP's proxy, from PyPI. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort, start } from '../children.ts'
import type { Peer } from '../peer.ts'
import { installPython } from './python.ts'

const SCRIPT = fileURLToPath(new URL('fastmcp-proxy.py', import.meta.url))
let bin = ''

export const fastmcp: Peer = {
  name: 'fastmcp',
  about:
    '`create_proxy` in front of the HTTP echo server, `run(transport="http")`: one process, one worker of uvicorn',
  more: 'is a framework for servers and clients too; forwards sampling, elicitation and notifications between both sides',
  async install() {
    const installed = await installPython('fastmcp', '4.2.3')
    bin = installed.bin
    return installed.version
  },
  async start({ urls }) {
    const port = await freePort()
    const child = start(join(bin, 'python'), [SCRIPT, String(port), ...urls])
    return { ...child, url: `http://127.0.0.1:${port}/mcp` }
  },
}
