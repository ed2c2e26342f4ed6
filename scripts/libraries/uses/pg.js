import pg from 'pg'

// No server listens there: what counts is that the driver tries.
export default () =>
  new pg.Client({ host: '127.0.0.1', port: 1 }).connect().catch(({ code }) => code)
