/** What the tools of the office know. The same for every run, so that a true answer can be calculated from it. */

export interface Customer {
  id: string
  name: string
  email: string
  city: string
  region: string
}

export interface Invoice {
  id: string
  issued: string
  due: string
  amount: number
  currency: string
  state: 'open' | 'paid'
  reference: string
}

export interface CalendarEvent {
  title: string
  start: string
  end: string
  location: string
  organizer: string
}

export interface Order {
  id: string
  placed: string
  promised: string
  daysLate: number
  customer: { name: string; city: string; phone: string }
  items: { sku: string; title: string; quantity: number; price: number }[]
  shipping: { carrier: string; method: string; cost: number; tracking: string }
  paymentId: string
  history: { at: string; event: string }[]
}

/** Repeatable numbers from 0 to `below`. */
export function numbers(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761 + 12_345
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const pick = <T>(list: readonly T[], next: (below: number) => number) =>
  list[next(list.length)] as T

const two = (value: number) => String(value).padStart(2, '0')

const NAMES =
  'Bergman Castillo Dietrich Eriksen Fontaine Grabowski Halonen Ivanova Jansen Kowalski'.split(' ')
const KINDS = 'Foods Logistics Marine Optics Print Robotics Stone Timber Tools'.split(' ')
const CITIES = 'Oslo Bergen Tromso Lyon Porto Graz Cork Turku Gdansk Siena'.split(' ')
const REGIONS = ['north', 'south', 'west']

export function customers(region: string): Customer[] {
  return Array.from({ length: 90 }, (_, index) => {
    const name = `${NAMES[index % 10]} ${KINDS[Math.floor(index / 10)]}`
    return {
      id: `C${String(index + 101)}`,
      name,
      email: `accounts@${name.toLowerCase().replace(' ', '-')}.example`,
      city: CITIES[(index * 7) % 10] as string,
      region: REGIONS[index % 3] as string,
    }
  }).filter((customer) => customer.region === region)
}

/** Units of each currency for one euro. */
export const RATES: Readonly<Record<string, number>> = Object.fromEntries(
  'EUR USD GBP SEK NOK DKK PLN CZK HUF CHF JPY CAD AUD NZD RON BGN TRY ISK MXN BRL INR KRW ZAR SGD'
    .split(' ')
    .map((currency, index) => [currency, index === 0 ? 1 : 1 + index * index * 0.25]),
)

export function invoices(customerId: string): Invoice[] {
  const next = numbers(Number(customerId.slice(1)))
  return Array.from({ length: 14 + next(10) }, (_, index) => {
    const month = 1 + next(11)
    return {
      id: `${customerId}-${String(index + 1)}`,
      issued: `2026-${two(month)}-${two(1 + next(27))}`,
      due: `2026-${two(month + 1)}-${two(1 + next(27))}`,
      amount: (100 + next(90_000)) / 10,
      currency: pick(['EUR', 'EUR', 'USD', 'GBP', 'SEK'], next),
      state: next(3) === 0 ? 'open' : 'paid',
      reference: `PO-${String(10_000 + next(80_000))}/${pick(CITIES, next)}`,
    }
  })
}

export function events(person: string): CalendarEvent[] {
  const next = numbers([...person].reduce((sum, letter) => sum + letter.charCodeAt(0), 0))
  return [1, 2, 3, 4].flatMap((day) =>
    [9, 10, 11, 12, 13, 14, 15, 16].flatMap((hour): CalendarEvent[] => {
      // All are free at one o'clock of the third day.
      if (next(10) < 5 || (day === 3 && hour === 13)) return []
      return [
        {
          title: pick(['Review', 'Planning', 'Interview', 'Customer call', 'Retrospective'], next),
          start: `2026-12-0${day}T${two(hour)}:00`,
          end: `2026-12-0${day}T${two(hour + 1)}:00`,
          location: pick(['Room Ada', 'Room Grace', 'Video'], next),
          organizer: `${pick(NAMES, next).toLowerCase()}@office.example`,
        },
      ]
    }),
  )
}

export const LATE_ORDERS = Array.from({ length: 24 }, (_, index) => `O${String(5001 + index * 13)}`)

export function order(id: string): Order {
  const next = numbers(Number(id.slice(1)))
  const day = 1 + next(20)
  return {
    id,
    placed: `2026-10-${two(day)}T0${next(10)}:15`,
    promised: `2026-10-${two(day + 6)}`,
    daysLate: 1 + next(30),
    customer: {
      name: `${pick(['Mia', 'Noah', 'Ines', 'Omar'], next)} ${pick(NAMES, next)}`,
      city: pick(CITIES, next),
      phone: `+47 555 ${String(1000 + next(9000))}`,
    },
    items: Array.from({ length: 2 + next(4) }, () => ({
      sku: `SKU-${String(100 + next(900))}`,
      title: `${pick(['Oak', 'Steel', 'Linen', 'Glass'], next)} ${pick(['lamp', 'shelf', 'chair'], next)}`,
      quantity: 1 + next(3),
      price: (500 + next(20_000)) / 100,
    })),
    shipping: {
      carrier: pick(['Posten', 'DHL', 'DPD'], next),
      method: 'parcel',
      cost: (390 + next(900)) / 100,
      tracking: `T${String(1_000_000 + next(8_000_000))}`,
    },
    paymentId: `P${id.slice(1)}`,
    history: ['received', 'paid', 'packed', 'handed over', 'delayed'].map((event, step) => ({
      at: `2026-10-${two(day + step)}T08:00`,
      event,
    })),
  }
}

const PRODUCTS = 'lamp shelf chair table mirror clock vase rug bench stool'.split(' ')
export const PAGES = 48
export const PAGE_ROWS = 500

/** Lines of `order;day;channel;product;quantity;price`. */
export function exportPage(page: number): string {
  const next = numbers(900 + page)
  return Array.from({ length: PAGE_ROWS }, (_, index) => {
    const id = page * PAGE_ROWS + index + 1
    const day = `2026-${two(1 + next(12))}-${two(1 + next(28))}`
    const channel = pick(['web', 'shop', 'phone'], next)
    return `E${id};${day};${channel};${pick(PRODUCTS, next)};${1 + next(4)};${((900 + next(9000)) / 100).toFixed(2)}`
  }).join('\n')
}

export const PICTURES = Array.from(
  { length: 18 },
  (_, index) => `harbour/IMG_${String(2040 + index * 3)}.jpg`,
)

export function exif(file: string): Record<string, unknown> {
  const next = numbers(Number(/\d+/.exec(file)?.[0]))
  return {
    FileName: file,
    FileSize: 900_000 + next(9_000_000),
    ImageWidth: pick([2048, 3000, 4032, 5184, 6000], next),
    ImageHeight: pick([1365, 2000, 3024, 3456, 4000], next),
    Make: 'Fujifilm',
    Model: 'X-T5',
    LensModel: 'XF 23mm F1.4',
    DateTimeOriginal: `2026:08:${two(1 + next(28))} 1${next(10)}:2${next(10)}:00`,
    OffsetTime: '+02:00',
    ExposureTime: `1/${String(60 * (1 + next(10)))}`,
    FNumber: 1.4 + next(10),
    ISO: 125 * (1 + next(10)),
    FocalLength: '23.0 mm',
    FocalLengthIn35mmFormat: '35 mm',
    MeteringMode: 'Multi-segment',
    WhiteBalance: 'Auto',
    Flash: 'Off, Did not fire',
    ColorSpace: 'sRGB',
    Orientation: 'Horizontal (normal)',
    XResolution: 72,
    YResolution: 72,
    GPSLatitude: `60.${String(1000 + next(8000))} N`,
    GPSLongitude: `5.${String(1000 + next(8000))} E`,
    Software: 'Digital Camera X-T5 Ver2.00',
    Artist: 'office',
  }
}

export const TICKETS = [
  [
    'T81',
    'Wrong logo on the invoice',
    'Hello, our logo on the last invoice is the one of 2024. Could you replace it when you find time? The new one is attached. We do not need a corrected invoice, it is only about those to come.',
  ],
  [
    'T84',
    'Question about the plan',
    'We think about moving to the larger plan next year. Can you send a comparison, and what happens to the seats that we have paid for? A colleague said that they are kept, and I would like to have this in writing.',
  ],
  [
    'T85',
    'Cannot scan at the loading dock',
    'Since six this morning no scanner at the dock can sign in. Eleven trucks wait and we cannot load by hand, the perishable goods will be lost at noon. Please call at once, every number that you have of us works.',
  ],
  [
    'T88',
    'Export as a spreadsheet',
    'Is there a way to get the report as a spreadsheet instead of a PDF? At the moment somebody types the figures by hand on the first of each month, which takes about an hour.',
  ],
  [
    'T90',
    'Thank you',
    'The training was excellent, please pass this on to the two trainers. We would like another one in spring for the night shift, for about twelve people, if possible on a Tuesday.',
  ],
  [
    'T93',
    'Slow on Fridays',
    'On Friday afternoons the list of shipments needs up to ten seconds. It is not pressing, as we can prepare the list before. If you need our times, I have written down those of the last three weeks.',
  ],
] as const
