/** Tools of an office. What they change is reported outside of the application, where a test counts it. */
import { createTool, type ToolContext, ToolError } from 'ftl-sdk'
import {
  customers,
  events,
  exif,
  exportPage,
  invoices,
  LATE_ORDERS,
  order,
  PAGES,
  PICTURES,
  RATES,
  TICKETS,
} from './data.ts'

const text = (description: string) => ({ type: 'string', description }) as const
const number = (description: string) => ({ type: 'number', description }) as const
const list = (properties: object) =>
  ({ type: 'array', items: { type: 'object', properties } }) as const
const objectOf = (properties: object) => ({ type: 'object', properties }) as const

interface Described {
  name: string
  description: string
  input: Record<string, object>
  output?: object
  changes?: boolean
}

type Texts = 'city' | 'region' | 'customer_id' | 'person' | 'order_id' | 'file' | 'to' | 'start'
type Arguments = Record<Texts | 'payment_id', string> & Record<'page' | 'amount', number>
type Handle = (args: Arguments, context: ToolContext) => unknown

/** Names of the tools. */
export const OFFICE_TOOLS: string[] = []

function office({ name, description, input, output, changes }: Described, handler: Handle) {
  OFFICE_TOOLS.push(name)
  return createTool({
    metadata: {
      name,
      description,
      inputSchema: {
        type: 'object',
        properties: input,
        required: Object.keys(input),
        additionalProperties: false,
      },
      ...(output && { outputSchema: objectOf(output) }),
      annotations: { readOnlyHint: changes !== true },
    },
    handler: (args, context) => handler(args as never, context) as never,
  })
}

/** Reports it to the test. */
async function change({ fetch, variables }: ToolContext, what: string, id: string) {
  await fetch(`${variables.require('effects_url')}/${what}/${id}`, { method: 'POST' })
  return { done: true, id }
}

const DONE = { done: { type: 'boolean' }, id: text('What was changed or made') }

const reading = [
  office(
    {
      name: 'get_current_weather',
      description: 'Gets temperature, wind and sky of a place now.',
      input: { city: text('Name of the city') },
      output: {
        city: text('As given'),
        celsius: number('Temperature'),
        wind: number('In m/s'),
        sky: text('In a word'),
      },
    },
    ({ city }) => ({ city, celsius: -3, wind: 4.5, sky: 'snow' }),
  ),
  office(
    {
      name: 'list_customers',
      description: 'Lists all customers of a sales region with their addresses.',
      input: { region: text('north, south or west') },
      output: {
        customers: list({
          id: text('Id'),
          name: text('Name'),
          email: text('For invoices'),
          city: text('City'),
          region: text('Region'),
        }),
      },
    },
    ({ region }) => ({ customers: customers(region) }),
  ),
  office(
    {
      name: 'list_invoices',
      description:
        'Lists the invoices of a customer with amount, due date and whether they are paid.',
      input: { customer_id: text('Id of the customer, such as C101') },
      output: {
        invoices: list({
          ...{
            id: text('Id'),
            issued: text('Date'),
            due: text('Date'),
            amount: number('In its currency'),
          },
          ...{
            currency: text('ISO code'),
            state: { enum: ['open', 'paid'] },
            reference: text('Of the customer'),
          },
        }),
      },
    },
    ({ customer_id }) => ({ invoices: invoices(customer_id) }),
  ),
  office(
    {
      name: 'get_exchange_rates',
      description: 'Gets the rates of all currencies for one euro.',
      input: {},
      output: {
        rates: {
          type: 'object',
          additionalProperties: { type: 'number' },
          description: 'Units for one euro',
        },
      },
    },
    () => ({ rates: RATES }),
  ),
  office(
    {
      name: 'list_open_tickets',
      description: 'Lists the support tickets of a customer that are not solved, with their text.',
      input: { customer: text('Name of the customer') },
      output: {
        tickets: list({
          id: text('Id'),
          subject: text('Subject'),
          text: text('What the customer wrote'),
        }),
      },
    },
    () => ({ tickets: TICKETS.map(([id, subject, body]) => ({ id, subject, text: body })) }),
  ),
  office(
    {
      name: 'list_events',
      description:
        'Lists the events in the calendar of a person for the week that begins at a date.',
      input: { person: text('First name'), week: text('Monday, as YYYY-MM-DD') },
      output: {
        events: list({
          title: text('Title'),
          start: text('Local time'),
          end: text('Local time'),
          location: text('Place'),
          organizer: text('Email'),
        }),
      },
    },
    ({ person }) => ({ events: events(person) }),
  ),
  office(
    {
      name: 'list_late_orders',
      description: 'Lists the ids of shop orders that were not delivered by the promised day.',
      input: {},
      output: { orders: { type: 'array', items: text('Id of an order') } },
    },
    () => ({ orders: LATE_ORDERS }),
  ),
  office(
    {
      name: 'get_order',
      description: 'Gets a shop order: customer, items, shipping, payment and history.',
      input: { order_id: text('Id of the order') },
      output: {
        ...{
          id: text('Id'),
          placed: text('Time'),
          promised: text('Date'),
          daysLate: number('Days since the promised day'),
        },
        customer: objectOf({ name: text('Name'), city: text('City'), phone: text('Number') }),
        items: list({
          sku: text('Article'),
          title: text('Title'),
          quantity: number('Pieces'),
          price: number('For one'),
        }),
        shipping: objectOf({
          carrier: text('Carrier'),
          method: text('Method'),
          cost: number('In euros'),
          tracking: text('Number'),
        }),
        paymentId: text('Id of the payment'),
        history: list({ at: text('Time'), event: text('What happened') }),
      },
    },
    ({ order_id }) => order(order_id),
  ),
  office(
    {
      name: 'export_sales',
      description: `Exports the sales of the year as CSV: order;day;channel;product;quantity;price. There are ${PAGES} pages of 500 lines.`,
      input: { page: { type: 'integer', minimum: 0, maximum: PAGES - 1, description: 'From 0' } },
    },
    ({ page }) => exportPage(page),
  ),
  office(
    {
      name: 'list_pictures',
      description: 'Lists the picture files of a folder.',
      input: { folder: text('Name of the folder') },
      output: { files: { type: 'array', items: text('Path of a file') } },
    },
    () => ({ files: PICTURES }),
  ),
  office(
    {
      name: 'read_exif',
      description: 'Reads camera, size, time and place from the metadata of a photo.',
      input: { file: text('Path of the file') },
    },
    ({ file }) => JSON.stringify(exif(file)),
  ),
]

const changing = [
  office(
    {
      name: 'send_email',
      description: 'Sends an email to one recipient.',
      input: { to: text('Address'), subject: text('Subject'), body: text('Text') },
      output: DONE,
      changes: true,
    },
    ({ to }, context) => change(context, 'mail', to),
  ),
  office(
    {
      name: 'create_ticket',
      description: 'Opens a support ticket for a customer.',
      input: {
        customer_id: text('Id of the customer'),
        subject: text('Subject'),
        text: text('What it is about'),
      },
      output: DONE,
      changes: true,
    },
    ({ customer_id }, context) => change(context, 'ticket', customer_id),
  ),
  office(
    {
      name: 'create_event',
      description: 'Creates a calendar event with attendees.',
      input: {
        title: text('Title'),
        start: text('Local time'),
        end: text('Local time'),
        attendees: { type: 'array', items: text('First name') },
      },
      output: DONE,
      changes: true,
    },
    ({ start }, context) => change(context, 'event', start),
  ),
  office(
    {
      name: 'refund_payment',
      description: 'Returns an amount of a payment to the customer.',
      input: { payment_id: text('Id of the payment'), amount: number('In euros') },
      output: DONE,
      changes: true,
    },
    ({ payment_id, amount }, context) => {
      if (amount <= 0) throw new ToolError('The amount must be greater than 0')
      return change(context, 'refund', `${payment_id}-${amount.toFixed(2)}`)
    },
  ),
  office(
    {
      name: 'create_thumbnail',
      description: 'Makes a small preview of a picture beside it.',
      input: {
        file: text('Path of the file'),
        width: { type: 'integer', description: 'In pixels' },
      },
      output: DONE,
      changes: true,
    },
    ({ file }, context) => change(context, 'thumbnail', file.split('/').at(-1) ?? ''),
  ),
]

export const tools = [...reading, ...changing]
