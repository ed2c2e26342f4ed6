import debug from 'debug'

export default () => {
  const lines = []
  debug.enable('app:*')
  const log = debug('app:x')
  log.log = (line) => lines.push(line.includes('ready 3'))
  log('ready %d', 3)
  return lines
}
