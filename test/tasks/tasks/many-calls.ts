/** Tasks that need many calls, some of which change something. */
import { events, exif, LATE_ORDERS, order, type Order, PICTURES } from '../app/data.ts'
import type { Task } from '../task.ts'

const PEOPLE = ['Mia', 'Noah', 'Ines', 'Omar', 'Lena']
const WEEK = '2026-11-30'
const HOURS = ['01', '02', '03', '04'].flatMap((day) =>
  ['09', '10', '11', '12', '13', '14', '15', '16'].map((hour) => `2026-12-${day}T${hour}:00`),
)
const firstFree = (calendars: { start: string }[][]) =>
  HOURS.find((hour) => !calendars.flat().some(({ start }) => start === hour)) ?? 'none'
const endOf = (start: string) => {
  const hour = Number(start.slice(11, 13)) + 1
  return `${start.slice(0, 11)}${String(hour).padStart(2, '0')}:00`
}
const met = (start: string) => `The meeting is on ${start}.`

const owedRefund = ({ daysLate }: Pick<Order, 'daysLate'>) => daysLate > 14
const refunded = (count: number, sum: number) =>
  `Refunded the shipping of ${count} orders, ${sum.toFixed(2)} € in all.`
const costOf = (orders: Order[]) => orders.reduce((sum, { shipping }) => sum + shipping.cost, 0)

const isWide = ({ ImageWidth }: Record<string, unknown>) => (ImageWidth as number) > 4000
const made = (count: number) => `I made thumbnails of ${count} pictures.`

export const MANY_CALLS: Task[] = [
  {
    name: 'meeting of five people',
    prompt: `Find the first hour in the week of ${WEEK}, from Tuesday to Friday between 9 and 17, at which ${PEOPLE.join(', ')} are all free, and create the event "Budget".`,
    needs: {
      list_events: 'events in the calendar of a person',
      create_event: 'create a calendar event',
    },
    async calls(round) {
      const calendars = await round<{ events: { start: string }[] }>(
        ...PEOPLE.map((person): [string, object] => ['list_events', { person, week: WEEK }]),
      )
      const start = firstFree(calendars.map((calendar) => calendar.events))
      await round([
        'create_event',
        { title: 'Budget', start, end: endOf(start), attendees: PEOPLE },
      ])
      return met(start)
    },
    code: async (run) =>
      met(
        await run(`const attendees = ${JSON.stringify(PEOPLE)}
const calendars = await Promise.all(attendees.map((person) => tools.office.list_events({ person, week: '${WEEK}' })))
const busy = new Set(calendars.flatMap(({ events }) => events.map((e) => e.start)))
for (let day = 1; day <= 4; day++) for (let hour = 9; hour < 17; hour++) {
  const at = (h) => \`2026-12-0\${day}T\${String(h).padStart(2, '0')}:00\`
  if (busy.has(at(hour))) continue
  await tools.office.create_event({ title: 'Budget', start: at(hour), end: at(hour + 1), attendees })
  return at(hour)
}`),
      ),
    truth: () => met(firstFree(PEOPLE.map(events))),
    changes: () => [`event ${firstFree(PEOPLE.map(events))}`],
  },
  {
    name: 'refund late orders',
    prompt:
      'Refund the shipping cost of every late order that is more than 14 days late. How many, and how much in all?',
    needs: {
      list_late_orders: 'orders that were not delivered by the promised day',
      get_order: 'get an order with items and payment',
      refund_payment: 'refund a payment',
    },
    async calls(round) {
      const [late] = await round<{ orders: string[] }>(['list_late_orders', {}])
      const orders = await round<Order>(
        ...(late?.orders ?? []).map((id): [string, object] => ['get_order', { order_id: id }]),
      )
      const owed = orders.filter(owedRefund)
      await round(
        ...owed.map(({ paymentId, shipping }): [string, object] => [
          'refund_payment',
          { payment_id: paymentId, amount: shipping.cost },
        ]),
      )
      return refunded(owed.length, costOf(owed))
    },
    async code(run) {
      const [count, sum] = await run<
        [number, number]
      >(`const { orders } = await tools.office.list_late_orders({})
const all = await Promise.all(orders.map((order_id) => tools.office.get_order({ order_id })))
const owed = all.filter((order) => order.daysLate > 14)
for (const { paymentId, shipping } of owed) await tools.office.refund_payment({ payment_id: paymentId, amount: shipping.cost })
return [owed.length, owed.reduce((sum, { shipping }) => sum + shipping.cost, 0)]`)
      return refunded(count, sum)
    },
    truth: () => {
      const owed = LATE_ORDERS.map(order).filter(owedRefund)
      return refunded(owed.length, costOf(owed))
    },
    changes: () =>
      LATE_ORDERS.map(order)
        .filter(owedRefund)
        .map(({ paymentId, shipping }) => `refund ${paymentId}-${shipping.cost.toFixed(2)}`),
  },
  {
    name: 'thumbnails of wide pictures',
    prompt:
      'Make thumbnails, 320 pixels wide, of all pictures in the folder harbour that are wider than 4000 pixels.',
    needs: {
      list_pictures: 'picture files of a folder',
      read_exif: 'metadata of a photo',
      create_thumbnail: 'make a small preview of a picture',
    },
    async calls(round) {
      const [listed] = await round<{ files: string[] }>(['list_pictures', { folder: 'harbour' }])
      const files = listed?.files ?? []
      const all = await round<Record<string, unknown>>(
        ...files.map((file): [string, object] => ['read_exif', { file }]),
      )
      const wide = files.filter((_, index) => isWide(all[index] ?? {}))
      await round(
        ...wide.map((file): [string, object] => ['create_thumbnail', { file, width: 320 }]),
      )
      return made(wide.length)
    },
    async code(run) {
      // The tool does not declare what it returns: the model looks at one result first.
      await run(`const { files } = await tools.office.list_pictures({ folder: 'harbour' })
return [files.length, await tools.office.read_exif({ file: files[0] })]`)
      return made(
        await run(`const { files } = await tools.office.list_pictures({ folder: 'harbour' })
let made = 0
for (const file of files) {
  if (JSON.parse(await tools.office.read_exif({ file })).ImageWidth <= 4000) continue
  await tools.office.create_thumbnail({ file, width: 320 })
  made++
}
return made`),
      )
    },
    truth: () => made(PICTURES.filter((file) => isWide(exif(file))).length),
    changes: () =>
      PICTURES.filter((file) => isWide(exif(file))).map(
        (file) => `thumbnail ${file.split('/')[1]}`,
      ),
  },
]
