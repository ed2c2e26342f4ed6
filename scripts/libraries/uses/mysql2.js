import mysql from 'mysql2/promise'

export default () => typeof mysql.createPool({ host: '127.0.0.1' }).query
