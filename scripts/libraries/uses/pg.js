import pg from 'pg'

export default () => typeof new pg.Client({ host: '127.0.0.1' }).query
