/** oidc-provider, as in the other tests: its users sign in and consent at once. */
import { startAuthorizationServer } from '../authentication/authorization-server.ts'
import { ADA, type Driver, GROUP } from './provider.ts'

export const oidcProvider: Driver = {
  name: 'oidc-provider',
  find: async () => ({ path: '' }),
  async start() {
    const server = await startAuthorizationServer({
      tokenClaims: (user) => (user === ADA ? { groups: [GROUP] } : {}),
    })
    return {
      variables: { auth_issuers: server.url, auth_host: server.url, auth_scopes: 'tools' },
      furtherScope: 'math',
      hasGroups: true,
      revokes: true,
      reuse: 'ends the sign-in',
      become: (user) => void (server.account = user),
      close: () => server.close(),
    }
  },
}
