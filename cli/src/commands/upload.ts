import { Command } from 'commander'
import { isString, jsonOf, memberOf } from 'ftl-contract'
import { CommandFailure } from '../terminal/failure.ts'
import { line } from '../terminal/ui.ts'
import { visible, visibleJson } from '../terminal/visible-text.ts'
import { besideMcp } from './server-address.ts'
import { tokenHeader, tokenOption } from './token-option.ts'

const EXAMPLES = `
Examples:
  ftl upload clip.mp4
  ftl call animate video=$(ftl upload clip.mp4)
  ftl upload model.glb --url https://gateway.example/mcp --json`

/** Characters of an answer that are read. */
const MAX_ANSWER = 100_000

interface UploadFlags {
  url?: string
  token?: string
  json?: boolean
}

export function uploadCommand(): Command {
  return new Command('upload')
    .description('Send a file that is too large for the arguments of a call, and print its address')
    .argument('<file>', 'image, video, sound or 3D model')
    .option('--url <url>', 'address of the server (the application of this folder)')
    .addOption(tokenOption())
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES)
    .action(upload)
}

async function upload(path: string, { url, token, json = false }: UploadFlags): Promise<void> {
  const { openAsBlob } = await import('node:fs')
  const { basename } = await import('node:path')
  // It is read while it is sent.
  const file = await openAsBlob(path).catch((error: NodeJS.ErrnoException) => {
    throw new CommandFailure(`${path} cannot be read: ${error.code ?? error.message}`)
  })
  const { chosenServer } = await import('../sign-in/chosen-server.ts')
  const { reported } = await import('../sign-in/exit-with-hint.ts')
  const { commandClient } = await import('../sign-in/client.ts')
  const { authorizedFetch, serverAddress, StoredTokens, TokenStore } =
    await import('ftl-client/auth')
  const chosen = await chosenServer(url)
  await reported(async () => {
    const server = serverAddress(chosen)
    const headers = tokenHeader(token)
    const store = new TokenStore()
    const tokens = new StoredTokens(server, { store, client: await commandClient() })
    const send = 'authorization' in headers ? fetch : authorizedFetch(server, tokens)
    const address = besideMcp(server, 'uploads')
    address.searchParams.set('name', basename(path))
    const response = await send(address, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream', ...headers },
      body: file,
      redirect: 'manual',
    }).catch((error: unknown) => {
      if (!(error instanceof TypeError)) throw error
      throw new CommandFailure(`${address.host} cannot be reached, or ended the connection`)
    })
    const answer = jsonOf((await response.text()).slice(0, MAX_ANSWER))
    const uri = memberOf(answer, 'uri')
    if (response.status !== 201 || !isString(uri)) {
      const why = memberOf(memberOf(answer, 'error'), 'message')
      const reason = isString(why) ? visible(why.slice(0, 500)) : `status ${response.status}`
      throw new CommandFailure(`${visible(path)} was not uploaded: ${reason}`)
    }
    line(json ? visibleJson(JSON.stringify(answer)) : visible(uri))
    return 0
  })
}
