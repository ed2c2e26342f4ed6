/** oidc-provider, set up as docs/identity-providers/oidc-provider.md says. Its users sign in and consent at once. */
import { transform } from 'esbuild'
import { startAuthorizationServer } from '../authentication/authorization-server.ts'
import { pageSettings } from './page-settings.ts'
import { ADA, type Driver, GROUP } from './provider.ts'

export const oidcProvider: Driver = {
  name: 'oidc-provider',
  find: async () => ({ path: '' }),
  async start(_, gateway) {
    const addresses = { 'https://gateway.example': gateway.url }
    const { code } = pageSettings('oidc-provider', addresses)
    const server = await startAuthorizationServer({
      tokenClaims: (user) => (user === ADA ? { groups: [GROUP] } : {}),
      configuration: await configurationIn(code('ts').join('\n')),
    })
    const { variables } = pageSettings('oidc-provider', {
      ...addresses,
      'https://id.example': server.url,
    })
    return {
      variables: variables[0] ?? {},
      furtherScope: 'write',
      hasGroups: true,
      revokes: true,
      reuse: 'ends the sign-in',
      become: (user) => void (server.account = user),
      close: () => server.close(),
    }
  },
}

/** What the block of the page exports. */
async function configurationIn(block: string): Promise<{ clients?: object[]; features?: object }> {
  const { code } = await transform(block, { loader: 'ts', format: 'esm' })
  const address = `data:text/javascript;base64,${Buffer.from(code).toString('base64')}`
  const module = (await import(/* @vite-ignore */ address)) as { configuration: object }
  return module.configuration
}
