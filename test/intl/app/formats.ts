// Some hundred formats, each at some values: the same in Node and in a component.

const LOCALES = ['en', 'en-US', 'en-GB']
const NUMBERS = [
  0,
  -0,
  1,
  -1.005,
  999.5,
  12345.678,
  1e15,
  1e-7,
  NaN,
  -Infinity,
  12345678901234567890n,
]
const NUMBER_OPTIONS: Intl.NumberFormatOptions[] = [
  ...[
    {},
    { maximumFractionDigits: 0 },
    { minimumFractionDigits: 2 },
    { maximumSignificantDigits: 3 },
  ],
  ...(['code', 'symbol', 'narrowSymbol', 'name'] as const).map((currencyDisplay) => ({
    style: 'currency' as const,
    currency: 'CAD',
    currencyDisplay,
  })),
  ...(['short', 'narrow', 'long'] as const).map((unitDisplay) => ({
    style: 'unit' as const,
    unit: 'mile-per-hour',
    unitDisplay,
  })),
  ...(['compact', 'scientific', 'engineering'] as const).map((notation) => ({ notation })),
  ...[
    { style: 'percent' as const },
    { signDisplay: 'exceptZero' as const },
    { roundingMode: 'floor' as const },
  ],
]
const TIMES = [0, 951_827_696_789, 1_784_123_130_123, 1_799_999_999_999]
const ZONES = [
  'UTC',
  'America/New_York',
  'Europe/London',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  '+05:45',
]
const DATE_OPTIONS: Intl.DateTimeFormatOptions[] = [
  {},
  ...(['full', 'long', 'medium', 'short'] as const).flatMap((style) => [
    { dateStyle: style },
    { dateStyle: style, timeStyle: style },
  ]),
  ...[
    { hour: 'numeric' as const, minute: '2-digit' as const, timeZoneName: 'long' as const },
    { weekday: 'long' as const },
  ],
  ...[
    { month: 'short' as const, day: 'numeric' as const },
    { timeStyle: 'short' as const, hour12: false },
  ],
]
const WORDS = [
  'item 10',
  'item 9',
  'Éclair',
  'eclair',
  'Eve',
  'zoë',
  'Zoe',
  'résumé',
  'resume',
  '_x',
  '10',
  '9',
  'ß',
  'ss',
  'Ωmega',
  '日本',
]

export function formatResults(): Record<string, unknown> {
  const found: Record<string, unknown> = {}
  for (const locale of LOCALES) {
    for (const options of NUMBER_OPTIONS) {
      const number = new Intl.NumberFormat(locale, options)
      found[`${locale} ${JSON.stringify(options)}`] = NUMBERS.map((value) => number.format(value))
    }
    for (const options of DATE_OPTIONS) {
      for (const timeZone of ZONES) {
        const date = new Intl.DateTimeFormat(locale, { ...options, timeZone })
        found[`${locale} ${timeZone} ${JSON.stringify(options)}`] = TIMES.map((time) =>
          date.format(time),
        )
      }
    }
    found[`${locale} methods`] = [
      (1234.5).toLocaleString(locale, { style: 'currency', currency: 'USD' }),
      (10n ** 20n).toLocaleString(locale),
      [1234.5, 0.25].toLocaleString(locale),
      new Float64Array([1234.5]).toLocaleString(),
      new Date(0).toLocaleDateString(locale, { timeZone: 'UTC', dateStyle: 'long' }),
      new Date(0).toLocaleTimeString(locale, { timeZone: 'UTC' }),
      [...WORDS].sort((a, b) => a.localeCompare(b, locale)),
      [...WORDS].sort((a, b) => a.localeCompare(b, locale, { numeric: true, sensitivity: 'base' })),
    ]
    found[`${locale} others`] = [
      [0, 1, 2, 3, 11, 21, 1.5].map((value) =>
        new Intl.PluralRules(locale, { type: 'ordinal' }).select(value),
      ),
      new Intl.ListFormat(locale).format(['a', 'b', 'c']),
      new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(-1, 'day'),
      [...new Intl.Segmenter(locale).segment('ae\u0301👨‍👩‍👧🇩🇪')].map(({ segment }) => segment),
      new Intl.Locale('en-latn-us').minimize().toString(),
      Intl.getCanonicalLocales('EN-gb'),
      Intl.supportedValuesOf('currency').length,
    ]
  }
  return found
}

/** Errors, each by its name. */
export function errorResults(): string[] {
  const runs: (() => unknown)[] = [
    () => new Intl.NumberFormat('no such locale'),
    () => new Intl.NumberFormat('x'.repeat(100_000)),
    () => new Intl.NumberFormat('en', { style: 'currency' }),
    () => new Intl.NumberFormat('en', { maximumFractionDigits: 1e9 }).format(1),
    () => new Intl.NumberFormat('en').format(Symbol('1') as unknown as number).length,
    () => new Intl.NumberFormat('en').format(10n ** 2000n).length,
    () => new Intl.DateTimeFormat('en', { timeZone: 'Mars/Olympus' }),
    () => new Intl.DateTimeFormat('en').format(NaN),
    () => new Intl.DateTimeFormat('en', { timeZone: 'Asia/Tokyo' }).format(8.64e15),
    () => new Date(NaN).toLocaleString(),
    () => new Intl.ListFormat('en').format([1] as unknown as string[]),
    () => (Object.create(Intl.NumberFormat.prototype) as Intl.NumberFormat).resolvedOptions(),
    () => 'a'.repeat(100_000).localeCompare('\u0301'.repeat(100_000)),
    () => {
      const loop: unknown[] = []
      loop.push(loop)
      return new Intl.NumberFormat(loop as unknown as string[])
    },
  ]
  return runs.map((run) => {
    try {
      return String(run()).slice(0, 40)
    } catch (error) {
      return error instanceof Error ? error.name : 'thrown'
    }
  })
}
