// A form has every construct of JSON Schema, and hostile schemas do not break it.
import { expect, it } from 'vitest'
import { violations } from './axe.ts'
import { shoot } from './browser.ts'
import { HOSTILE_SCHEMA, HOSTILE_TITLE } from './hostile-schema.ts'
import { answerText, openTool, usePage } from './use-page.ts'

const pages = usePage()

/** @param schema in place of the tool's own. */
async function openForm(title: string, schema?: object) {
  const page = await pages.open('/#/jobs')
  if (schema) {
    await page.route('**/tools', async (route) => {
      const response = await route.fetch()
      const body = (await response.json()) as { tools: { name: string }[] }
      const tools = body.tools.map((tool) =>
        tool.name === 'anything' ? { ...tool, title: HOSTILE_TITLE, inputSchema: schema } : tool,
      )
      // As text: a name such as __proto__ must stay.
      await route.fulfill({ response, body: JSON.stringify({ ...body, tools }) })
    })
  }
  await page.goto(`${pages.world.url}/#/tools`)
  const tool = await openTool(page, title)
  const run = () => tool.getByRole('button', { name: 'Run', exact: true }).click()
  const answer = async () => JSON.parse(await answerText(tool)) as unknown
  return { page, tool, run, answer }
}

it('nested, repeated, chosen, referred and merged values are made in the form', async () => {
  const { page, tool, run, answer } = await openForm('Constructs of a schema')
  await tool.getByRole('button', { name: 'Use the example Main Street 1' }).click()
  expect(await tool.getByRole('textbox', { name: 'street' }).inputValue()).toBe('Main Street 1')
  await tool.getByLabel('Form of shape').selectOption('Circle')
  await tool.getByLabel('radius').fill('2.5')
  await tool.locator('summary', { hasText: 'more setting' }).click()
  await tool.getByLabel('level').selectOption('High')
  const add = tool.getByRole('button', { name: 'Add to people' })
  for (const name of ['Ada', 'Bob', 'Cyd']) {
    await add.click()
    await tool.getByLabel('name', { exact: false }).locator('visible=true').last().fill(name)
  }
  // No more than the schema allows.
  expect(await add.count()).toBe(0)
  await tool.getByRole('button', { name: 'Move people 3 up' }).click()
  await tool.getByRole('button', { name: 'Remove people 1' }).click()
  await tool.getByLabel('born').first().fill('1990-05-01')
  await tool.getByLabel('at', { exact: true }).fill('2026-01-02T03:04:05')
  await tool.getByLabel('tint').fill('#ff0000')
  await tool.getByLabel('mail').fill('ada@example.com')
  const secret = tool.getByLabel('secret')
  expect(await secret.getAttribute('type')).toBe('password')
  await secret.fill('hidden')
  await tool.getByLabel('note is null').check()
  await tool.getByRole('button', { name: 'Add labels' }).click()
  await tool.getByLabel('Name of another property').fill('y')
  await tool.getByLabel('Name of another property').press('Enter')
  await tool.getByText('The name must match ^x-').waitFor()
  await tool.getByLabel('Name of another property').fill('x-one')
  await tool.getByLabel('Name of another property').press('Enter')
  await tool.getByRole('textbox', { name: 'x-one' }).fill('7')
  await tool
    .getByLabel('File for data')
    .setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') })
  await tool.getByRole('button', { name: 'Add tree' }).click()
  await tool.getByLabel('value').fill('root')
  await tool.getByRole('button', { name: 'Add child' }).click()
  await tool.getByLabel('value').last().fill('leaf')
  await tool.getByLabel('Merged').fill('abcd')
  await tool.getByText('As JSON, because it combines oneOf and anyOf').waitFor()
  expect(await violations(page)).toEqual([])
  await shoot(page, 'constructs')
  await run()
  expect(await answer()).toEqual({
    address: { street: 'Main Street 1' },
    shape: { kind: 'circle', radius: 2.5 },
    version: 2,
    level: 2,
    people: [{ name: 'Cyd', born: '1990-05-01' }, { name: 'Bob' }],
    at: await page.evaluate(() => new Date('2026-01-02T03:04:05').toISOString()),
    tint: '#ff0000',
    mail: 'ada@example.com',
    secret: 'hidden',
    note: null,
    labels: { 'x-one': 7 },
    data: 'aGVsbG8=',
    size: 2,
    tree: { value: 'root', child: { value: 'leaf' } },
    mixed: 'abcd',
  })
  // Nothing that the browser keeps has the password.
  const stored = await page.evaluate(() => JSON.stringify({ ...localStorage }))
  expect(stored).toContain('Main Street 1')
  expect(stored).not.toContain('hidden')
})

it('form and JSON are the same value, and neither loses what the other has no field for', async () => {
  const { tool, run, answer } = await openForm('Constructs of a schema')
  const value = {
    address: { street: 'Elsewhere', more: [1, { deep: null }] },
    shape: { kind: 'rectangle', width: 3 },
    version: 2,
    people: [],
    at: '2026-01-02T03:04:05+05:00',
    size: 4,
    unnamed: { a: [true] },
  }
  await tool.getByRole('button', { name: 'JSON', exact: true }).click()
  const json = tool.getByLabel('Arguments as JSON')
  await json.fill('{\n"address": {,\n}')
  await tool.getByText('This is not JSON: look at line 2.').waitFor()
  await json.fill(JSON.stringify(value))
  await tool.getByRole('button', { name: 'Form', exact: true }).click()
  expect(await tool.getByRole('textbox', { name: 'street' }).inputValue()).toBe('Elsewhere')
  expect(await tool.getByLabel('width').inputValue()).toBe('3')
  await tool.getByRole('button', { name: 'JSON', exact: true }).click()
  expect(JSON.parse(await json.inputValue())).toEqual(value)
  await run()
  expect(await answer()).toEqual(value)
})

it('recent arguments fill the form again, and others are saved under a name', async () => {
  const { page, tool, run, answer } = await openForm('Every kind of argument')
  await tool.getByLabel('prompt').fill('first')
  await tool.getByLabel('count').fill('1')
  await run()
  await answer()
  await tool.getByLabel('prompt').fill('second')
  await tool.getByRole('button', { name: 'Recent and saved' }).click()
  await tool.getByLabel('Name to save these arguments under').fill('mine')
  await tool.getByRole('button', { name: 'Save', exact: true }).click()
  await shoot(page, 'kept-arguments')
  await page.reload()
  await tool.getByRole('button', { name: 'Recent and saved' }).click()
  await tool.getByRole('button', { name: 'mine' }).first().click()
  expect(await tool.getByLabel('prompt').inputValue()).toBe('second')
  await tool.getByRole('button', { name: /"first"/ }).click()
  expect(await tool.getByLabel('prompt').inputValue()).toBe('first')
})

it('a hostile schema is a form like any other', async () => {
  const { page, tool, run, answer } = await openForm('hostile', HOSTILE_SCHEMA)
  await tool.locator('summary', { hasText: 'more setting' }).click()
  // 10,000 values are searched, and never in the document at once.
  await tool.getByLabel('many').fill('value 9999')
  await tool.getByLabel('many').press('Enter')
  await tool.getByText('Chosen: value 9999').waitFor()
  expect(await tool.locator('option').count()).toBeLessThan(200)
  await tool.getByRole('button', { name: 'Add deep' }).click()
  await tool.getByText('because it is nested too deeply for a form').first().waitFor()
  await tool.getByRole('button', { name: 'Add pair' }).click()
  for (const reason of [
    'it refers to itself without end',
    'leads out of the schema',
    'the schema allows no value here',
    'its type "banana" is not known',
    'its parts have different types',
  ]) {
    expect(await tool.getByText(reason).count(), reason).toBeGreaterThan(0)
  }
  expect(await violations(page)).toEqual([])
  await tool.getByRole('button', { name: 'Remove deep' }).click()
  await tool.getByRole('button', { name: 'Remove pair' }).click()
  await tool.getByLabel('proto', { exact: true }).fill('own')
  await tool.getByLabel('constructor', { exact: true }).fill('too')
  // A pattern that takes a browser's own engine for ever.
  await tool.getByLabel('slow').fill(`${'a'.repeat(60)}!`)
  await run()
  await tool.getByRole('alert', { name: 'What is wrong' }).getByText('pattern').waitFor()
  await tool.getByLabel('slow').fill('aaa')
  await run()
  const said = (await answer()) as Record<string, unknown>
  expect(Object.entries(said).sort()).toEqual([
    ['__proto__', 'own'],
    ['constructor', 'too'],
    ['many', 'value 9999'],
    ['slow', 'aaa'],
  ])
  expect(await page.evaluate(() => document.documentElement.dataset['owned'])).toBeUndefined()
})
