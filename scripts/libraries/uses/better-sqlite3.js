import Database from 'better-sqlite3'

export default () => new Database(':memory:').prepare('select 1 as one').get()
