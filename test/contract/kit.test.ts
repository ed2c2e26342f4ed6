// That each check of the contract can fail, on a real component on the real host.
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { CHECKS, hostComponent, runChecks, type Running } from 'ftl/contract-test'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MANIFESTS } from '../support/manifests.ts'
import { FAULTS } from './kit/faults.ts'

const CACHE = join(dirname(MANIFESTS.application), '.ftl', 'cache')
const DOCS = new URL('../../docs/component-contract.md', import.meta.url)

describe('the checks of the component contract', () => {
  let running: Running
  beforeAll(async () => {
    running = await hostComponent('faulty', { manifest: MANIFESTS.kit, cacheDir: CACHE, env: {} })
  })
  afterAll(() => running?.close())

  const failuresOf = async (fault: string) => {
    const { verdicts } = await runChecks({ url: `${running.url}/${fault}` })
    return verdicts.filter(({ verdict }) => verdict === 'fail')
  }

  it('each have a fault that they see', () => {
    expect(Object.keys(FAULTS).sort()).toEqual(CHECKS.map(({ id }) => id).sort())
  })

  it('all hold for a component that does everything, and all can be tried on it', async () => {
    const { verdicts } = await runChecks({ url: `${running.url}/none` })
    expect(verdicts.filter(({ verdict }) => verdict !== 'pass')).toEqual([])
  })

  it.each(Object.keys(FAULTS))('%s fails where its rule is broken, and no other', async (fault) => {
    const failures = await failuresOf(fault)
    expect(failures.map(({ id }) => id)).toEqual([fault])
    expect(failures[0]?.reason).toMatch(/\S/)
    expect(failures[0]?.fix).toMatch(/\.$/)
  })

  it('name a heading of the contract each', async () => {
    const headings = (await readFile(DOCS, 'utf8'))
      .split('\n')
      .filter((line) => line.startsWith('## '))
      .map((line) =>
        line
          .slice(3)
          .toLowerCase()
          .replace(/[^a-z0-9 -]/g, '')
          .replaceAll(' ', '-'),
      )
    for (const { section } of CHECKS) expect(headings).toContain(section)
  })
})
