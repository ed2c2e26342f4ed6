import { describe, expect, it } from 'vitest'
import { stepsFor } from './deploy-steps.ts'

const plan = { toSet: ['allowed_hosts'] }

describe('the commands of a plan', () => {
  it('name the manifest where it is not spin.toml', () => {
    expect(stepsFor('akamai', plan, 'spin-grouped.toml')).toEqual([
      'npx ftl build --from spin-grouped.toml',
      'spin aka login',
      'spin aka deploy --from spin-grouped.toml --variable allowed_hosts=…',
    ])
    expect(stepsFor('akamai', plan).join(' ')).not.toContain('--from')
  })

  it('give the values that the plan asks for', () => {
    const steps = stepsFor('akamai', { toSet: ['wait_limit_ms=28000', 'llm_url'] })
    expect(steps.at(-1)).toBe('spin aka deploy --variable wait_limit_ms=28000 --variable llm_url=…')
  })

  it('of Spin serve the manifest that spin-config writes', () => {
    const [, config, ...starts] = stepsFor('spin', plan, 'spin-grouped.toml')
    expect(config).toBe('npx ftl spin-config --from spin-grouped.toml')
    expect(starts).toHaveLength(2)
    for (const start of starts) {
      expect(start).toContain('spin up --from spin-separate.toml --runtime')
      expect(start).toContain(' --variable allowed_hosts=…')
      expect(start).not.toContain('spin-grouped.toml')
    }
  })

  it('let Spin compile before it is started', () => {
    const [compile = '', up = ''] = stepsFor('spin', plan).slice(-2)
    expect(compile).toMatch(/ --listen 192\.0\.2\.1:1 --variable .* # compiles/)
    expect(up).not.toContain('--listen')
  })

  it('keep their remark at the end', () => {
    expect(stepsFor('spinkube', plan, 'spin-grouped.toml')).toEqual([
      'npx ftl build --from spin-grouped.toml',
      'spin registry push REGISTRY/NAME:1 --from spin-grouped.toml',
      'kubectl apply -f secrets.yaml      # a copy of secrets.example.yaml with your values',
      'kubectl apply -f spinapp.yaml      # see --write',
    ])
  })
})
