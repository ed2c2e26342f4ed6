import winston from 'winston'

export default () => {
  const format = winston.format.combine(
    winston.format.label({ label: 'app' }),
    winston.format.json(),
  )
  return format.transform({ level: 'info', message: 'ready' })
}
