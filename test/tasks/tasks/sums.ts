/** Tasks whose results are long, and whose answer is short. */
import { customers, exportPage, type Invoice, invoices, PAGES, RATES } from '../app/data.ts'
import type { Task } from '../task.ts'

const isOverdue = ({ state, due }: Invoice) => state === 'open' && due < '2026-11-01'

const inEuros = (list: Invoice[], rates: Readonly<Record<string, number>>) =>
  list.reduce((sum, { amount, currency }) => sum + amount / (rates[currency] ?? NaN), 0)

const open = (euros: number) => `C117 owes ${euros.toFixed(2)} €.`
const most = (name: string, euros: number) => `${name} owes the most: ${euros.toFixed(2)} €.`
const best = (product: string, euros: number) =>
  `The best-selling product is ${product}, with ${euros.toFixed(0)} €.`

type Rates = { rates: Record<string, number> }
type Invoices = { invoices: Invoice[] }

/** The product with the highest sum of quantity times price. */
function bestOf(pages: string[]): [string, number] {
  const sums = new Map<string, number>()
  for (const line of pages.join('\n').split('\n')) {
    const [, , , product = '', quantity, price] = line.split(';')
    sums.set(product, (sums.get(product) ?? 0) + Number(quantity) * Number(price))
  }
  return [...sums].toSorted((a, b) => b[1] - a[1])[0] as [string, number]
}

const ALL_PAGES = Array.from({ length: PAGES }, (_, page) => page)

function worst(owed: [name: string, list: Invoice[]][], rates: Record<string, number>) {
  const sums = owed.map(([name, list]): [string, number] => [
    name,
    inEuros(list.filter(isOverdue), rates),
  ])
  return sums.toSorted((a, b) => b[1] - a[1])[0] as [string, number]
}

export const SUMS: Task[] = [
  {
    name: 'open invoices of one customer',
    prompt: 'How much does customer C117 owe us in euros, over all open invoices?',
    needs: {
      list_invoices: 'invoices of a customer with due date',
      get_exchange_rates: 'exchange rates of currencies',
    },
    async calls(round) {
      const [listed, rates] = (await round(
        ['list_invoices', { customer_id: 'C117' }],
        ['get_exchange_rates', {}],
      )) as [Invoices, Rates]
      const unpaid = listed.invoices.filter(({ state }) => state === 'open')
      return open(inEuros(unpaid, rates.rates))
    },
    code: async (run) =>
      open(
        await run(`const { invoices } = await tools.office.list_invoices({ customer_id: 'C117' })
const { rates } = await tools.office.get_exchange_rates({})
return invoices.filter((i) => i.state === 'open').reduce((sum, i) => sum + i.amount / rates[i.currency], 0)`),
      ),
    truth: () => {
      const unpaid = invoices('C117').filter(({ state }) => state === 'open')
      return open(inEuros(unpaid, RATES))
    },
  },
  {
    name: 'worst debtor of a region',
    prompt:
      'Which customer of the region north owes us the most on invoices that were due before 1 November 2026? How much, in euros?',
    needs: {
      list_customers: 'customers of a region',
      list_invoices: 'invoices of a customer with due date',
      get_exchange_rates: 'exchange rates of currencies',
    },
    async calls(round) {
      const [listed, rates] = (await round(
        ['list_customers', { region: 'north' }],
        ['get_exchange_rates', {}],
      )) as [{ customers: { id: string; name: string }[] }, Rates]
      const all = await round<Invoices>(
        ...listed.customers.map(({ id }): [string, object] => [
          'list_invoices',
          { customer_id: id },
        ]),
      )
      return most(
        ...worst(
          all.map((each, index) => [listed.customers[index]?.name ?? '', each.invoices]),
          rates.rates,
        ),
      )
    },
    async code(run) {
      const [name, euros] = await run<
        [string, number]
      >(`const { rates } = await tools.office.get_exchange_rates({})
const { customers } = await tools.office.list_customers({ region: 'north' })
const owed = await Promise.all(customers.map(async ({ id, name }) => {
  const { invoices } = await tools.office.list_invoices({ customer_id: id })
  const late = invoices.filter((i) => i.state === 'open' && i.due < '2026-11-01')
  return [name, late.reduce((sum, i) => sum + i.amount / rates[i.currency], 0)]
}))
return owed.sort((a, b) => b[1] - a[1])[0]`)
      return most(name, euros)
    },
    truth: () =>
      most(
        ...worst(
          customers('north').map(({ id, name }) => [name, invoices(id)]),
          RATES,
        ),
      ),
  },
  {
    name: 'best-selling product',
    prompt:
      'Which product has sold for the most euros this year, and for how much? Use the export of sales.',
    needs: { export_sales: 'export sales of the year as CSV' },
    async calls(round) {
      const pages = await round<string>(
        ...ALL_PAGES.map((page): [string, object] => ['export_sales', { page }]),
      )
      return best(...bestOf(pages))
    },
    async code(run) {
      const [product, euros] = await run<[string, number]>(`const sums = {}
for (let page = 0; page < 48; page++) {
  for (const line of (await tools.office.export_sales({ page })).trim().split('\\n')) {
    const [, , , product, quantity, price] = line.split(';')
    sums[product] = (sums[product] ?? 0) + quantity * price
  }
}
return Object.entries(sums).sort((a, b) => b[1] - a[1])[0]`)
      return best(product, euros)
    },
    truth: () => best(...bestOf(ALL_PAGES.map(exportPage))),
  },
]
