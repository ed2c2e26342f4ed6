import { describe, expect, it } from 'vitest'
import { authenticatedWorld, BOTH } from '../testing/authenticated.ts'
import { tokenWith } from '../testing/issuer.ts'

describe('a configuration that cannot be used', () => {
  const errors: [variables: Record<string, string>, message: RegExp][] = [
    [{ auth_issuers: 'http://issuer.example' }, /auth_issuers.*https.*issuer.*entry 1/],
    [
      { auth_issuers: '[{"issuer":"https://a.example","jwks_uri":"http://b.example"}]' },
      /jwks_uri.*entry 1/,
    ],
    [{ auth_issuers: '[{"issuer":"https://a.example","jwks":{"keys":[]}}]' }, /jwks.*entry 1/],
    [
      { auth_issuers: '[{"issuer":"https://a.example","audience":"x"}]' },
      /only.*audiences.*entry 1/,
    ],
    [
      { auth_issuers: '[{"issuer":"https://a.example","audiences":"x"}]' },
      /list.*audiences.*entry 1/,
    ],
    [
      { auth_issuers: '[{"issuer":"https://a.example","audiences":[]}]' },
      /at least one.*audiences/,
    ],
    [{ auth_issuers: '[{"issuer":"https://a.example","clients":["a b"]}]' }, /spaces.*clients/],
    [
      { auth_issuers: String.raw`[{"issuer":"https://a.example","scopes_supported":["a\"b"]}]` },
      /scopes_supported/,
    ],
    [{ auth_issuers: '[{"issuer":"https://a.example","name_claim":7}]' }, /name_claim/],
    [{ auth_issuers: '[{"issuer":"https://a.example","like_id_tokens":1}]' }, /like_id_tokens/],
    [{ auth_issuers: '["https://a.example"' }, /auth_issuers.*JSON array/],
    [{ auth_issuers: 'https://a.example,https://a.example' }, /twice/],
    [{ ...BOTH, auth_algorithms: 'HS256' }, /auth_algorithms.*RS256, ES256, EdDSA/],
    [{ ...BOTH, auth_algorithms: 'none' }, /auth_algorithms/],
    [{ ...BOTH, auth_audience: 'gateway' }, /auth_audience/],
    [{ ...BOTH, auth_leeway_ms: '900000' }, /auth_leeway_ms.*at most 300000/],
    [{ ...BOTH, auth_deny: 'ada' }, /auth_deny.*sub:/],
    [{ api_keys: 'not json' }, /api_keys.*JSON array/],
    [{ api_keys: '[{"sha256":"secret","principal":"a"}]' }, /api_keys.*sha256.*entry 1/],
    [
      { api_keys: `[{"sha256":"${'0'.repeat(64)}","principal":"a b"}]` },
      /api_keys.*principal.*entry 1/,
    ],
    [{ ...BOTH, own_store: '' }, /request_state_key.*must be set/],
    [{ trust_forwarded_user: 'yes' }, /trust_forwarded_user.*without-secret/],
  ]
  it.each(errors)(
    '%j serves nothing, and the answer names the field',
    async (variables, message) => {
      const world = authenticatedWorld(variables)
      const response = await world.get('/tools', tokenWith())
      expect(response.status).toBe(500)
      const { error } = (await response.json()) as { error: { code: string; message: string } }
      expect(error.code).toBe('configuration')
      expect(error.message).toMatch(message)
      expect(error.message).not.toContain('secret"')
      expect(world.log).toEqual([])
    },
  )
})
