import mysql from 'mysql2/promise'

// No server listens there: what counts is that the driver tries.
export default () =>
  mysql.createConnection({ host: '127.0.0.1', port: 1 }).catch(({ code }) => code)
