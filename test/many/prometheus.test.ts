// The files of deploy/prometheus name metrics that a host has, in expressions that Prometheus understands.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { startFixture } from '../host/fixture.ts'
import { freePort } from '../support/command.ts'
import { findProgram } from './programs.ts'

const FILES = fileURLToPath(new URL('../../deploy/prometheus/', import.meta.url))
const read = (file: string) => readFileSync(join(FILES, file), 'utf8')

interface Dashboard {
  panels: { title: string; targets: { expr: string }[] }[]
}

const dashboard = JSON.parse(read('dashboard.json')) as Dashboard
const alerts = parse(read('alerts.yml')) as {
  groups: { rules: { alert: string; expr: string }[] }[]
}
const expressions = [
  ...dashboard.panels.flatMap(({ title, targets }) =>
    targets.map(({ expr }): [string, string] => [title, expr]),
  ),
  ...alerts.groups.flatMap(({ rules }) =>
    rules.map(({ alert, expr }): [string, string] => [alert, expr]),
  ),
]

/** As Grafana and Prometheus fill them in. */
const filled = (expr: string) =>
  expr.replaceAll('$__rate_interval', '5m').replaceAll('$__range', '1h').replaceAll('$job', 'ftl')

let scraped: string
beforeAll(async () => {
  const port = await freePort()
  const host = await startFixture({
    workers: 1,
    maxBlockingMs: 500,
    env: {
      OTEL_METRICS_EXPORTER: 'prometheus',
      OTEL_EXPORTER_PROMETHEUS_HOST: '127.0.0.1',
      OTEL_EXPORTER_PROMETHEUS_PORT: String(port),
    },
  })
  // One request is answered, and one loses its thread.
  await host.text('/state')
  await host.text('/spin')
  // The metric appears with the event, which is counted after the response.
  do scraped = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  while (!scraped.includes('ftl_worker_restarts_total'))
  await host.close()
})

it.each(expressions)('"%s" uses metrics and labels that the host has', (_, expr) => {
  const series = scraped.split('\n').filter((line) => /^[a-z]/.test(line))
  const labelsOf = (name: string) => {
    const of = series.filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
    return new Set([
      ...of.flatMap((line) => [...line.matchAll(/[{,](\w+)="/g)].map(([, label = '']) => label)),
      // Prometheus adds these; the last one is there where something was cut off.
      ...(of.length > 0 ? ['job', 'instance', 'error_type'] : []),
    ])
  }
  const names = [
    ...expr
      .replaceAll(/by \([^)]*\)/g, '')
      .matchAll(/\b((?:http|spin|ftl|up)(?:_\w+)?)\s*(?:\{([^}]*)\})?/g),
  ]
  expect(names.length).toBeGreaterThan(0)
  for (const [, name = '', matchers = ''] of names) {
    if (name === 'up') continue
    const labels = labelsOf(name)
    expect(labels.size, name).toBeGreaterThan(0)
    const used = [...matchers.matchAll(/(\w+)\s*(?:=|!)/g)].map(([, label = '']) => label)
    const grouped = [...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list = '']) =>
      list.split(','),
    )
    for (const label of [...used, ...grouped.map((each) => each.trim())]) {
      expect(labels, `${name} has no label ${label}`).toContain(label)
    }
  }
})

const promtool = findProgram(['promtool'], ['prometheus'])
describe.skipIf(promtool === undefined)('promtool, which is not installed everywhere,', () => {
  let folder: string
  beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'ftl-promtool-'))))
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('finds no fault with what a scraper reads', () => {
    const run = (input: string) =>
      execFileSync(promtool ?? '', ['check', 'metrics'], { input, stdio: 'pipe' })
    expect(run(scraped).toString()).toBe('')
    expect(() => run(scraped.replace('# TYPE ftl_requests_running gauge', '# TYPE x y'))).toThrow()
  })

  it('accepts the configuration, the alerts and the expressions of the dashboard', async () => {
    execFileSync(promtool ?? '', ['check', 'config', join(FILES, 'prometheus.yml')])
    const check = async (exprs: string[]) => {
      const rules = exprs.map((expr, index) => ({ record: `panel_${index}`, expr: filled(expr) }))
      const file = join(folder, 'rules.yml')
      await writeFile(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }))
      return execFileSync(promtool ?? '', ['check', 'rules', file], { stdio: 'pipe' }).toString()
    }
    const found = expressions.map(([, expr]) => expr)
    expect(await check(found)).toContain(`${found.length} rules found`)
    await expect(check(['sum(rate(x[5m])'])).rejects.toThrow()
  })
})
