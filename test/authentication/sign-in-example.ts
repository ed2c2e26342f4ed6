// The program of docs/client.md that signs its user in; login.test.ts runs it.
import { AuthenticationError, Client } from 'ftl-client'
import { signIn, TokenStore } from 'ftl-client/auth'

const url = process.env['GATEWAY'] ?? 'https://gateway.example/mcp'

async function connect(): Promise<Client> {
  const client = await Client.connect({ url, auth: {} })
  await client.initialize()
  return client
}

const client = await connect().catch(async (error: unknown) => {
  if (!(error instanceof AuthenticationError) || !error.signIn) throw error
  await signIn(error.signIn.server, {
    store: new TokenStore(),
    challenge: error.signIn.challenge,
    onAddress: (address) => console.log(`Open ${address.href}`),
  })
  return connect()
})
for (const { name } of await client.listTools()) console.log(name)
await client.close()
