/** Tasks of one or two calls with small results, or with results that the model must read itself. */
import { customers, TICKETS } from '../app/data.ts'
import type { Task } from '../task.ts'

const OSLO = { city: 'Oslo' }
const weather = ({ celsius, sky }: { celsius: number; sky: string }) =>
  `It is ${celsius} °C in Oslo, with ${sky}.`

const MAIL = {
  to: 'mia@office.example',
  subject: 'Scanner',
  body: 'The new scanner for the dock has arrived. It is in Room Ada.',
}

const ADDRESS = 'accounts@jansen-logistics.example'
const PROBLEM = {
  subject: 'Scale at gate 2',
  text: 'The scale at gate 2 shows nothing since this morning.',
}
const opened = (id: string) => `I have opened a ticket for ${id}.`
const jansen = () => {
  const { id } = customers('north').find(({ email }) => email === ADDRESS) ?? { id: 'unknown' }
  return id
}

interface Ticket {
  id: string
  text: string
}
/** Stands for the judgement of the model, which has to read all of them. */
const mostUrgent = (tickets: Ticket[]) =>
  `The most urgent is ${tickets.find(({ text }) => text.includes('Please call at once'))?.id}.`

export const ONE_STEP: Task[] = [
  {
    name: 'weather now',
    prompt: 'What is the weather in Oslo?',
    needs: { get_current_weather: 'current weather of a city' },
    async calls(round) {
      const [now] = await round<{ celsius: number; sky: string }>(['get_current_weather', OSLO])
      return weather(now as never)
    },
    code: async (run) =>
      weather(await run(`return await tools.office.get_current_weather({ city: 'Oslo' })`)),
    truth: () => 'It is -3 °C in Oslo, with snow.',
  },
  {
    name: 'one email',
    prompt: `Write to ${MAIL.to} that the new scanner for the dock has arrived and is in Room Ada.`,
    needs: { send_email: 'send an email' },
    async calls(round) {
      await round(['send_email', MAIL])
      return 'The email is sent.'
    },
    async code(run) {
      await run(`return await tools.office.send_email(${JSON.stringify(MAIL)})`)
      return 'The email is sent.'
    },
    truth: () => 'The email is sent.',
    changes: () => [`mail ${MAIL.to}`],
  },
  {
    name: 'ticket for a customer',
    prompt: `${ADDRESS} (region north) reports that the scale at gate 2 shows nothing since this morning. Open a ticket.`,
    needs: { list_customers: 'customers of a region', create_ticket: 'open a support ticket' },
    async calls(round) {
      const [{ customers: listed } = { customers: [] }] = await round<{
        customers: { id: string; email: string }[]
      }>(['list_customers', { region: 'north' }])
      const id = listed.find(({ email }) => email === ADDRESS)?.id ?? ''
      await round(['create_ticket', { customer_id: id, ...PROBLEM }])
      return opened(id)
    },
    code: async (run) =>
      opened(
        await run(`const { customers } = await tools.office.list_customers({ region: 'north' })
const { id } = customers.find((c) => c.email === '${ADDRESS}')
await tools.office.create_ticket({ customer_id: id, ...${JSON.stringify(PROBLEM)} })
return id`),
      ),
    truth: () => opened(jansen()),
    changes: () => [`ticket ${jansen()}`],
  },
  {
    name: 'most urgent ticket',
    prompt: 'Which open ticket of Jansen Logistics should we answer first?',
    needs: { list_open_tickets: 'open support tickets of a customer' },
    async calls(round) {
      const [listed] = await round<{ tickets: Ticket[] }>([
        'list_open_tickets',
        { customer: 'Jansen Logistics' },
      ])
      return mostUrgent(listed?.tickets ?? [])
    },
    code: async (run) =>
      mostUrgent(
        await run(
          `return (await tools.office.list_open_tickets({ customer: 'Jansen Logistics' })).tickets.map(({ id, text }) => ({ id, text }))`,
        ),
      ),
    truth: () => `The most urgent is ${TICKETS[2][0]}.`,
  },
]
